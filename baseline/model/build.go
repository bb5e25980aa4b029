package model

import (
	"iter"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

const sketchBits = 256

// estimates returns the number of units for the number of bits that they set in a sketch, where unit u sets bit u%256.
// It uses linear counting (Whang, Vander-Zanden and Taylor 1990). Up to 500 units the error is within a tenth.
var estimates = func() (e [sketchBits + 1]float64) {
	for n := range e {
		e[n] = -sketchBits * math.Log1p(-float64(min(n, sketchBits-1))/sketchBits)
	}
	return e
}()

// Builder counts n-grams and names. Not safe for concurrent use. The order of the documents does not matter.
type Builder struct {
	families map[string]*counts
	kinds    []uint32
}

type counts struct {
	all   []uint32 // may contain repetitions
	units map[uint32]bool
	pairs [3][]uint64 // a hash, and in the lowest byte the bit of its sketch; may contain repetitions
	taken *Counts     // replaces pairs if they were counted before
	docs  uint32      // number of documents counted
	met   [3][8192]sighting
}

// sighting is a hash and the last document that it was counted for. A document repeats most of its n-grams and names; a
// recent repetition need not be recorded.
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

// Unit records that the baseline has a unit, sampled or not.
func (b *Builder) Unit(family string, unit uint32) {
	c := b.of(family)
	c.all = append(c.all, unit)
}

// Expect reserves memory for documents with this number of tokens in total.
func (b *Builder) Expect(family string, tokens int) {
	c := b.of(family)
	for i := range c.pairs {
		c.pairs[i] = slices.Grow(c.pairs[i], tokens*expected[i]/100)
	}
}

// expected is how many n-grams and names are counted in a hundred tokens, as measured for C and Python. More are
// allowed.
var expected = [3]int{30, 50, 20}

// Add counts one document as part of a unit. Its names are counted for the unit named, into which the caller folds the
// directories of a package.
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

// rare is the number of units up to which an n-gram or name is not common: a copy and two copies of it must not make an
// idiom.
const rare = 3

// Units lists the units that [Builder.Unit] recorded for each family, ascending. Call it after Model.
func (b *Builder) Units() map[string][]uint32 {
	out := make(map[string][]uint32, len(b.families))
	for name, c := range b.families {
		out[name] = c.all
	}
	return out
}

// Model returns the counts, without rare entries.
func (b *Builder) Model() *Model {
	m := &Model{families: make(map[string]*Family)}
	var room []uint64
	for name, c := range b.families {
		slices.Sort(c.all) // faster than a map of them
		c.all = slices.Compact(c.all)
		f := &Family{Units: len(c.units), All: len(c.all)}
		for i := range c.pairs {
			if c.taken != nil {
				f.tables[i] = common(c.taken.tables[i].each())
				continue
			}
			c.pairs[i], room = ordered(c.pairs[i], room)
			f.tables[i] = common(slices.Values(c.pairs[i]))
		}
		f.price()
		m.families[name] = f
	}
	return m
}

// ordered sorts pairs by their five bytes, lowest first. It is a radix sort, because there are millions: comparing them
// took half of the time of a small change. Five passes need no comparison; a sort by the first bits (scanner/algorithms/hashes) takes
// twice as long. It also returns room for reuse.
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

// common returns the entries, by hash, that more than rare units have. pairs ascend.
func common(pairs iter.Seq[uint64]) table {
	var es []entry
	n, last := 0, uint64(0)
	end := func() {
		if estimates[n] > rare+0.5 {
			es = append(es, entry{uint32(last >> 8), level(estimates[n])})
		}
	}
	for p := range pairs {
		switch {
		case n > 0 && p == last:
			continue
		case n > 0 && p>>8 == last>>8:
			n++
		default:
			end()
			n = 1
		}
		last = p
	}
	end()
	return pack(es)
}
