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
// # Format, version 3
//
//	"GPMODEL3"
//	uvarint number of families, then for each, by name:
//	  uvarint length, name; uvarint units sampled, units in all
//	  three tables (n-grams of 4 tokens, n-grams of 7, names), see table
//	CRC32C of all before it
//
// Versions 1 and 2, which are still read, have for each entry the distance of its hash to the one before, as a uvarint, and its level.
// They had to be decoded before anything could be asked, which took longer than a scan of ten files. Version 2 has the bytes of the
// tables of a family before them.
package model

import (
	"math"
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
	Units  int // sampled: what the tables were counted in
	All    int // in the baseline
	tables [3]table
	cost   []float64 // bits by level
	api    []filter  // names of platforms, see api.go
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
	var met [96]bucket
	for len(kinds) >= n {
		some := min(len(kinds)-n+1, len(hashes))
		out := len(dst)
		for i := range some {
			hashes[i] = ngramHash(kinds[i : i+n])
			dst = append(dst, math.Inf(1))
		}
		for _, f := range c {
			if f == nil || f.tables[t].len() == 0 {
				continue
			}
			table := &f.tables[t]
			for i, h := range hashes[:some] {
				met[i] = table.bucket(h)
			}
			for i, h := range hashes[:some] {
				if l := table.in(met[i], h); l != 0 {
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
		if l := f.tables[t].get(h); l != 0 {
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
	m.families[family] = &Family{Units: was.Units, All: was.All, tables: was.tables, cost: was.cost}
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
