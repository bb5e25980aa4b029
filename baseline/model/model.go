// Package model tells how frequent the n-grams and the names of a language are in
// a baseline. Token streams and texts of a sample of documents flow in (Builder);
// a Model flows out. Package score asks it how much information a matched run
// carries: ten lines of error handling weigh less than ten lines of an inflate
// loop.
//
// Frequency is counted in units, not in occurrences: a unit is a directory of a
// package, versions folded. Otherwise fifty versions of a rare algorithm would
// make it common, and one file of tables would speak for a language. For a name
// a package counts as three directories at most, however many have it.
//
// # Format, version 2
//
//	"GPMODEL2"
//	uvarint number of families, then for each, by name:
//	  uvarint length, name; uvarint units sampled, units in all
//	  uvarint bytes of its tables
//	  three tables (n-grams of 4 tokens, n-grams of 7, names), each:
//	    uvarint entries, then for each, ascending by hash:
//	    uvarint hash minus the hash before; u8 units, see level
//	CRC32C of all before it
//
// Version 1, which is still read, has no length of the tables, so that those of all
// families had to be decoded for one.
package model

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/lang"
)

const (
	magic  = "GPMODEL2"
	magic1 = "GPMODEL1"
)

// Orders of the n-grams counted: short ones catch operators and calls, long ones
// whole idioms such as an error that is checked and returned.
const (
	ShortNGram = 4
	LongNGram  = 7
)

// maxNameLen keeps data that hides in string literals out of the names.
const maxNameLen = 64

// Model answers for all families of a baseline. The zero Model knows nothing.
// Safe for concurrent use.
type Model struct{ families map[string]*Family }

// Family is the model of the languages whose streams may match each other.
type Family struct {
	Units  int    // sampled: what the tables were counted in
	All    int    // in the baseline
	packed []byte // the tables as they lie in a file, nil if they were made here
	tables [3]table
	broken bool      // the packed tables are none: the family knows nothing
	cost   []float64 // bits by level
	api    []filter  // names of platforms, see api.go
	opened sync.Once
	ready  [3]sync.Once
}

// open decodes the tables, at the first need: a scan is about one or two of the
// families that a model knows.
func (f *Family) open() {
	f.opened.Do(func() {
		if f.packed == nil {
			return
		}
		r := reader{b: f.packed}
		var tables [3]table
		for i := range tables {
			tables[i] = r.table()
		}
		if f.broken = r.bad || len(r.b) > 0; !f.broken {
			f.tables = tables
		}
	})
}

// table returns one that can be asked.
func (f *Family) table(t int) *table {
	f.ready[t].Do(func() {
		f.open()
		f.tables[t].index()
	})
	return &f.tables[t]
}

// table maps the hash of an n-gram or a name to its level; hashes ascend. They are spread
// evenly, so that a few of their first bits lead near each: every token of a target is
// looked up.
type table struct {
	hashes []uint32
	levels []uint16 // of tables that were joined, those of each family after those of the one before
	starts []uint32 // where the hashes with these first bits begin
	shift  uint
}

// perStart is how many hashes, by their mean, have the same first bits.
const perStart = 4

// index makes starts.
func (t *table) index() {
	if t.starts != nil {
		return
	}
	width := uint(bits.Len(uint(len(t.hashes) / perStart)))
	t.shift = 32 - width
	t.starts = make([]uint32, 1<<width)
	at := 0
	for i, h := range t.hashes {
		for ; at <= int(h>>t.shift); at++ {
			t.starts[at] = uint32(i)
		}
	}
	for ; at < len(t.starts); at++ {
		t.starts[at] = uint32(len(t.hashes))
	}
}

// from returns the level of a hash, 0 for none, which is at this place or behind it.
func (t *table) from(at, h uint32) uint32 {
	for ; int(at) < len(t.hashes) && t.hashes[at] < h; at++ {
	}
	if int(at) == len(t.hashes) || t.hashes[at] != h {
		return 0
	}
	return uint32(t.levels[at])
}

func (t *table) get(h uint32) uint32 {
	if len(t.starts) == 0 {
		return 0
	}
	return t.from(t.starts[h>>t.shift], h)
}

const (
	shortNGrams = iota
	longNGrams
	names
)

// Of returns the model of a family; nil, which is a model that knows nothing,
// when there is none.
func (m *Model) Of(family string) *Family {
	if m == nil {
		return nil
	}
	return m.families[family]
}

// Common is what is common in any of several baselines.
type Common []*Family

// Joined returns the same as one family, which is asked in one place of the memory
// where several are asked in one of each.
func (c Common) Joined() Common {
	all := new(Family)
	for k, f := range c {
		if f == nil {
			continue
		}
		f.open()
		all.All = max(all.All, f.All)
		all.api = append(all.api, f.api...)
		all.cost = append(all.cost, make([]float64, k*levels-len(all.cost))...)
		all.cost = append(all.cost, f.cost...)
	}
	for t := range all.tables {
		c.join(all, t)
	}
	return Common{all}
}

// join makes one table of those of each family, in one walk over all. Of what several
// have the cheapest counts.
func (c Common) join(all *Family, t int) {
	var rest []table
	var base []uint16
	n := 0
	for k, f := range c {
		if f != nil && len(f.tables[t].hashes) > 0 {
			rest, base = append(rest, f.tables[t]), append(base, uint16(k*levels))
			n += len(f.tables[t].hashes)
		}
	}
	to := &all.tables[t]
	to.hashes, to.levels = make([]uint32, 0, n), make([]uint16, 0, n)
	for len(rest) > 0 {
		least := rest[0].hashes[0]
		for _, r := range rest[1:] {
			least = min(least, r.hashes[0])
		}
		best := uint16(0)
		for i := 0; i < len(rest); i++ {
			r := &rest[i]
			if r.hashes[0] != least {
				continue
			}
			if level := base[i] + r.levels[0]; best == 0 || all.cost[level] < all.cost[best] {
				best = level
			}
			r.hashes, r.levels = r.hashes[1:], r.levels[1:]
			if len(r.hashes) == 0 {
				rest, base = slices.Delete(rest, i, i+1), slices.Delete(base, i, i+1)
				i--
			}
		}
		to.hashes, to.levels = append(to.hashes, least), append(to.levels, best)
	}
}

// NGram returns the cost in bits of an n-gram of these kinds as a whole: the less
// the more units have it, +Inf when it is rare. len(kinds) is ShortNGram or
// LongNGram.
func (c Common) NGram(kinds []uint32) float64 {
	t := shortNGrams
	if len(kinds) == LongNGram {
		t = longNGrams
	}
	return c.bits(t, ngramHash(kinds))
}

// NGrams appends what NGram says of each n-gram in kinds, from the first on. A
// table lies all over the memory: reading a place of it for each n-gram before the
// first is used lets the processor wait for all of them at once.
func (c Common) NGrams(dst []float64, kinds []uint32, n int) []float64 {
	t := shortNGrams
	if n == LongNGram {
		t = longNGrams
	}
	var hashes [96]uint32
	var met [96]uint32
	for len(kinds) >= n {
		some := min(len(kinds)-n+1, len(hashes))
		out := len(dst)
		for i := range some {
			hashes[i] = ngramHash(kinds[i : i+n])
			dst = append(dst, math.Inf(1))
		}
		for _, f := range c {
			if f == nil {
				continue
			}
			table := f.table(t)
			if len(table.hashes) == 0 {
				continue
			}
			for i, h := range hashes[:some] {
				met[i] = table.starts[h>>table.shift]
			}
			for i, h := range hashes[:some] {
				if l := table.from(met[i], h); l != 0 {
					dst[out+i] = min(dst[out+i], f.cost[l])
				}
			}
		}
		kinds = kinds[some:]
	}
	return dst
}

// Name returns the cost in bits of an identifier or a literal, +Inf when rare.
func (c Common) Name(name []byte) float64 { return c.NameOf(NameHash(name)) }

// NameOf is Name for who has the hash.
func (c Common) NameOf(hash uint32) float64 { return c.bits(names, hash) }

// Platform tells whether a platform declares the name; one in three hundred others
// passes for one. What that is worth is package score's to say.
func (c Common) Platform(hash uint32) bool {
	for _, f := range c {
		if f != nil && f.isAPI(hash) {
			return true
		}
	}
	return false
}

func (c Common) bits(t int, h uint32) float64 {
	cost := math.Inf(1)
	for _, f := range c {
		if f == nil {
			continue
		}
		if l := f.table(t).get(h); l != 0 {
			cost = min(cost, f.cost[l])
		}
	}
	return cost
}

// price fills in the cost of each level: minus the logarithm of its share of
// the units.
func (f *Family) price() {
	f.cost = make([]float64, levels)
	all := math.Log2(float64(max(f.Units, 1)))
	for l, have := range logs() {
		f.cost[l] = math.Max(0, all-have)
	}
}

// Run returns the cost in bits of a run that so many units of the largest have.
func (c Common) Run(units int) float64 {
	all := 1
	for _, f := range c {
		if f != nil {
			all = max(all, f.All)
		}
	}
	return math.Max(0, math.Log2(float64(all))-math.Log2(float64(units)))
}

const levels = 256

// level packs a number of units into a byte: eight steps to a doubling.
func level(n float64) uint8 { return uint8(math.Min(255, math.Round(8*math.Log2(n+1)))) }

func units(level uint8) float64 { return math.Exp2(float64(level)/8) - 1 }

// logs are the logarithms of the units of each level.
var logs = sync.OnceValue(func() (out [levels]float64) {
	for l := range out {
		out[l] = math.Log2(units(uint8(l)))
	}
	return out
})

func ngramHash(kinds []uint32) uint32 {
	h := uint64(len(kinds))
	for _, k := range kinds {
		h = (h ^ uint64(k)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return uint32(h >> 32)
}

// NameHash is the hash of an identifier's or literal's text, here and in the sets
// of names of documents (package store).
func NameHash(name []byte) uint32 {
	h := uint64(0xCBF29CE484222325)
	for _, b := range name {
		h = (h ^ uint64(b)) * 0x100000001B3
	}
	h *= 0x9E3779B97F4A7C15
	return uint32(h >> 32)
}

// Quoted returns the hashes of a string as it is in double and in single quotes; the second is 0 of what is in neither. Tools
// that format code put all strings of a text into the same quotes.
func Quoted(text []byte) (double, single uint32) {
	n := len(text)
	if n < 3 || text[0] != '"' && text[0] != '\'' || text[n-1] != text[0] {
		return NameHash(text), 0
	}
	var room [maxFixed]byte
	other := append(room[:0], text...)
	other[0] ^= '"' ^ '\''
	other[n-1] = other[0]
	if text[0] == '"' {
		return NameHash(text), NameHash(other)
	}
	return NameHash(other), NameHash(text)
}

// SameString tells whether two strings differ in no more than their quotes.
func SameString(a, b []byte) bool {
	n := len(a)
	return n == len(b) && n > 1 && isQuote(a[0]) && isQuote(b[0]) && a[n-1] == a[0] && b[n-1] == b[0] && bytes.Equal(a[1:n-1], b[1:n-1])
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

const sketchBits = 256

// estimates reads a number of units off the number of bits that they set in a sketch,
// bit u%256 for unit u, by linear counting (Whang, Vander-Zanden and Taylor 1990): up to
// 500 units it is within a tenth.
var estimates = func() (e [sketchBits + 1]float64) {
	for n := range e {
		e[n] = -sketchBits * math.Log1p(-float64(min(n, sketchBits-1))/sketchBits)
	}
	return e
}()

// Builder counts. Not safe for concurrent use. The order of the documents does
// not matter.
type Builder struct {
	families map[string]*counts
	kinds    []uint32
}

type counts struct {
	all   []uint32 // some several times
	units map[uint32]bool
	pairs [3][]uint64 // a hash, and in the lowest byte the bit of its sketch; some several times
	taken *Counts     // the pairs, if they were counted before
	docs  uint32      // so many were counted
	met   [3][8192]sighting
}

// sighting is a hash that was counted for a document, the first or a later one. A document
// repeats most of its n-grams and names; what was met shortly before need not be noted again.
type sighting struct{ hash, doc uint32 }

func (b *Builder) of(family string) *counts {
	if b.families == nil {
		b.families = make(map[string]*counts)
	}
	c := b.families[family]
	if c == nil {
		c = &counts{units: make(map[uint32]bool)}
		b.families[family] = c
	}
	return c
}

// Unit says that the baseline has a unit, sampled or not.
func (b *Builder) Unit(family string, unit uint32) {
	c := b.of(family)
	c.all = append(c.all, unit)
}

// Expect makes room for documents of so many tokens in all.
func (b *Builder) Expect(family string, tokens int) {
	c := b.of(family)
	for i := range c.pairs {
		c.pairs[i] = slices.Grow(c.pairs[i], tokens*expected[i]/100)
	}
}

// expected is how many n-grams and names are counted in a hundred tokens, as measured of C and Python; more grow.
var expected = [3]int{30, 50, 20}

// Add counts one document as part of a unit. Its names count for the unit named, into which whoever calls it folds
// the directories of a package.
func (b *Builder) Add(family string, unit, named uint32, toks []lang.Token, text []byte) {
	c := b.of(family)
	c.units[unit] = true
	c.docs++
	b.kinds = slices.Grow(b.kinds[:0], len(toks))[:len(toks)]
	kinds := b.kinds
	for i, t := range toks {
		kinds[i] = t.Kind
		if t.Class != lang.Keyword && t.End-t.Start <= maxNameLen {
			c.count(names, NameHash(text[t.Start:t.End]), named)
		}
		if i+1 >= ShortNGram {
			c.count(shortNGrams, ngramHash(kinds[i+1-ShortNGram:i+1]), unit)
		}
		if i+1 >= LongNGram {
			c.count(longNGrams, ngramHash(kinds[i+1-LongNGram:i+1]), unit)
		}
	}
}

func (c *counts) count(t int, h uint32, unit uint32) {
	now, last := sighting{h, c.docs}, &c.met[t][h%uint32(len(c.met[t]))]
	if *last == now {
		return
	}
	*last = now
	c.pairs[t] = append(c.pairs[t], uint64(h)<<8|uint64(unit)%sketchBits)
}

// rare is the number of units up to which something is not common: a copy and
// two copies of it must not make an idiom.
const rare = 3

// Model returns what was counted, the rare left out.
func (b *Builder) Model() *Model {
	m := &Model{families: make(map[string]*Family)}
	var room []uint64
	for name, c := range b.families {
		slices.Sort(c.all) // faster than a map of them
		c.all = slices.Compact(c.all)
		f := &Family{Units: len(c.units), All: len(c.all)}
		for i := range c.pairs {
			if c.taken != nil {
				f.tables[i] = common(c.taken.pairs[i])
				continue
			}
			c.pairs[i], room = ordered(c.pairs[i], room)
			f.tables[i] = common(c.pairs[i])
		}
		f.price()
		m.families[name] = f
	}
	return m
}

// Keep takes the tables of a family from an earlier model: its sample is the same.
func (m *Model) Keep(old *Model, family string) {
	all := m.families[family].All
	m.Carry(old, family)
	m.families[family].All = all
}

// Carry takes a family from an earlier model as it was.
func (m *Model) Carry(old *Model, family string) {
	was := old.families[family]
	is := &Family{Units: was.Units, All: was.All, packed: was.packed}
	if is.packed == nil {
		is.tables = was.tables
	}
	is.price()
	m.families[family] = is
}

// Fill takes the families of another model that were counted in more units.
func (m *Model) Fill(other *Model) {
	for name, f := range other.families {
		if mine := m.families[name]; mine == nil || mine.Units < f.Units {
			m.families[name] = f
		}
	}
}

// Has tells whether the model knows of a family.
func (m *Model) Has(family string) bool { return m.families[family] != nil }

// ordered sorts pairs by their five bytes, the lowest first, as there are millions:
// comparing them took half of the time of a small change. It returns room as well, to be
// used again.
func ordered(pairs, room []uint64) (sorted, rest []uint64) {
	room = slices.Grow(room[:0], len(pairs))[:len(pairs)]
	for shift := 0; shift < 40; shift += 8 {
		var at [256]int
		for _, p := range pairs {
			at[p>>shift&255]++
		}
		sum := 0
		for i, n := range at {
			at[i] = sum
			sum += n
		}
		for _, p := range pairs {
			i := p >> shift & 255
			room[at[i]] = p
			at[i]++
		}
		pairs, room = room, pairs
	}
	return pairs, room
}

// common returns what more than rare units have, by hash, of pairs in order.
func common(pairs []uint64) table {
	var t table
	for len(pairs) > 0 {
		h := uint32(pairs[0] >> 8)
		n, last := 0, ^uint64(0)
		for len(pairs) > 0 && uint32(pairs[0]>>8) == h {
			if pairs[0] != last {
				n++
			}
			last, pairs = pairs[0], pairs[1:]
		}
		if estimates[n] > rare+0.5 {
			t.hashes, t.levels = append(t.hashes, h), append(t.levels, uint16(level(estimates[n])))
		}
	}
	return t
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Marshal returns the model in its file format.
func (m *Model) Marshal() []byte {
	b := []byte(magic)
	b = binary.AppendUvarint(b, uint64(len(m.families)))
	var order []string
	for name := range m.families {
		order = append(order, name)
	}
	slices.Sort(order)
	for _, name := range order {
		f := m.families[name]
		b = binary.AppendUvarint(b, uint64(len(name)))
		b = append(b, name...)
		b = binary.AppendUvarint(b, uint64(f.Units))
		b = binary.AppendUvarint(b, uint64(f.All))
		tables := f.packed
		if tables == nil {
			for _, t := range f.tables {
				tables = t.append(tables)
			}
		}
		b = binary.AppendUvarint(b, uint64(len(tables)))
		b = append(b, tables...)
	}
	return sealed(b)
}

// sealed appends the checksum of all before it.
func sealed(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func (t table) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(t.hashes)))
	last := uint32(0)
	for i, h := range t.hashes {
		b = binary.AppendUvarint(b, uint64(h-last))
		b = append(b, byte(t.levels[i]))
		last = h
	}
	return b
}

var errCorrupt = errors.New("corrupt model")

// Unmarshal reads what Marshal wrote, and keeps b. Tables are decoded when a family is
// asked; Check tells whether they can be.
func Unmarshal(b []byte) (*Model, error) {
	if bytes.HasPrefix(b, []byte(magic1)) {
		body, err := opened(b, magic1, "model")
		if err != nil {
			return nil, err
		}
		return unmarshal(body, func(r *reader, f *Family) {
			for i := range f.tables {
				f.tables[i] = r.table()
			}
		})
	}
	body, err := opened(b, magic, "model")
	if err != nil {
		return nil, err
	}
	return unmarshal(body, packed)
}

// packed takes the tables of a family as they lie.
func packed(r *reader, f *Family) { f.packed = r.take(r.number()) }

// unmarshal reads the families of a model whose tables are read by tables.
func unmarshal(body []byte, tables func(*reader, *Family)) (*Model, error) {
	r := reader{b: body}
	m := &Model{families: make(map[string]*Family)}
	last := ""
	for n := r.number(); n > 0 && !r.bad; n-- {
		name := string(r.take(r.number()))
		if len(m.families) > 0 && name <= last {
			return nil, fmt.Errorf("%w: family %q after %q", errCorrupt, name, last)
		}
		last = name
		f := &Family{Units: int(min(r.number(), math.MaxInt32)), All: int(min(r.number(), math.MaxInt32))}
		tables(&r, f)
		f.price()
		m.families[name] = f
	}
	if r.bad || len(r.b) > 0 {
		return nil, fmt.Errorf("%w: truncated, out of order or too long", errCorrupt)
	}
	return m, nil
}

// Check decodes the tables of all families. A family with tables that are none knows
// nothing: no program writes such a file.
func (m *Model) Check() error {
	for _, name := range slices.Sorted(maps.Keys(m.families)) {
		f := m.families[name]
		if f.open(); f.broken {
			return fmt.Errorf("%w: tables of %q", errCorrupt, name)
		}
	}
	return nil
}

// opened is what lies between the magic of a format and the checksum behind it.
func opened(b []byte, magic, what string) ([]byte, error) {
	if len(b) < len(magic)+4 || string(b[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: no %s of this version", errCorrupt, what)
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, fmt.Errorf("%w: checksum differs", errCorrupt)
	}
	return body[len(magic):], nil
}

// reader takes numbers off a slice; its first failure sticks.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.b, r.bad = nil, true
		return nil
	}
	t := r.b[:n]
	r.b = r.b[n:]
	return t
}

func (r *reader) table() table {
	n := r.number()
	if n > uint64(len(r.b))/2 {
		r.bad = true
		return table{}
	}
	t := table{hashes: make([]uint32, 0, n), levels: make([]uint16, 0, n)}
	h := uint64(0)
	for i := range n {
		d, l := r.number(), r.take(1)
		if h += d; r.bad || d > math.MaxUint32 || h > math.MaxUint32 || i > 0 && d == 0 || l[0] == 0 {
			r.bad = true
			return table{}
		}
		t.hashes, t.levels = append(t.hashes, uint32(h)), append(t.levels, uint16(l[0]))
	}
	return t
}
