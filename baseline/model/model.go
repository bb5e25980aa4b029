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
	"math"
	"math/bits"
	"slices"
	"sync"
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
