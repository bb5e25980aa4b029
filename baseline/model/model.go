// Package model records how frequent the n-grams and names of a language are in a baseline. A Builder counts the token streams and
// texts of a sample of documents and makes a Model. Package score uses it to compute how much information a matched run carries: ten
// lines of error handling carry less than ten lines of an inflate loop.
//
//	model.go       Model: the frequency of an n-gram or a name in a family
//	build.go       Builder: documents → Model; counts.go: counts that are kept between builds
//	format.go      the file; table.go, index.go: its tables, and a faster look-up in them
//	fixed.go       names and values that standards fix; ciphers.go: numbers of ciphers
//	hash.go        hashes of n-grams and names
//	prior.go       the models that come with the program, from packages outside of any baseline
//	api.go         names that platforms declare; platforms.go: which platforms a text uses
//
// Frequency is counted in sampling units, not in occurrences. A unit is a directory of a package, all versions together. Otherwise
// fifty versions of a rare algorithm would make it common, and one file of tables would count for a whole language. For a name, a
// package counts as three directories at most.
//
// # Format, version 3
//
//	"GPMODEL3"
//	uvarint number of families, then for each, by name:
//	  uvarint length, name; uvarint units sampled, units in all
//	  three tables (n-grams of 4 tokens, n-grams of 7, names), see table
//	CRC32C of all before it
//
// Versions 1 and 2 can still be read. For each entry they have the distance of its hash from the one before, as a uvarint, and its
// level. They had to be decoded before the first look-up, which took longer than a scan of ten files. Version 2 has the size in bytes
// of a family's tables before them.
package model

import (
	"math"
	"slices"
	"sync"
)

// Lengths of the n-grams counted. Short ones catch operators and calls. Long ones catch whole idioms, such as an error that is checked
// and returned.
const (
	ShortNGram = 4
	LongNGram  = 7
)

// maxNameLen, in bytes, excludes data in string literals from the names.
const maxNameLen = 64

// Model has the frequencies of all families of a baseline. The zero Model knows nothing. Safe for concurrent use.
type Model struct{ families map[string]*Family }

// Family is the model of the languages whose streams may match each other.
type Family struct {
	Units   int // sampled units, in which the tables were counted
	All     int // units in the baseline
	tables  [3]table
	indexes [2]lateIndex // of the tables of n-grams
	cost    []float64    // bits by level
	api     []filter     // names of platforms, see api.go
}

const (
	shortNGrams = iota
	longNGrams
	names
)

// Of returns the model of a family, or nil. A nil Family knows nothing.
func (m *Model) Of(family string) *Family {
	if m == nil {
		return nil
	}
	return m.families[family]
}

// Frequencies combines the models of several baselines: an n-gram or name is common if any of them says so.
type Frequencies []*Family

// NGram returns the cost in bits of an n-gram of these kinds: the more units have it, the lower. It is +Inf for a rare n-gram.
// len(kinds) must be ShortNGram or LongNGram.
func (c Frequencies) NGram(kinds []uint32) float64 {
	t := shortNGrams
	if len(kinds) == LongNGram {
		t = longNGrams
	}
	return c.bits(t, ngramHash(kinds))
}

// NGrams appends the NGram cost of each n-gram of length n in kinds.
func (c Frequencies) NGrams(dst []float64, kinds []uint32, n int) []float64 {
	t := shortNGrams
	if n == LongNGram {
		t = longNGrams
	}
	var hashes [mostHashes]uint32
	for len(kinds) >= n {
		some := min(len(kinds)-n+1, len(hashes))
		out := len(dst)
		for i := range some {
			hashes[i] = ngramHash(kinds[i : i+n])
			dst = append(dst, math.Inf(1))
		}
		for _, f := range c {
			if f != nil && f.tables[t].len() > 0 {
				f.lower(dst[out:], hashes[:some], t)
			}
		}
		kinds = kinds[some:]
	}
	return dst
}

// mostHashes is how many n-grams are looked up together.
const mostHashes = 96

// lower lowers the costs of n-grams to those in the family. Entries of a table are scattered in memory. So it first finds the buckets
// of all n-grams, and the processor waits for all of them at once.
func (f *Family) lower(costs []float64, hashes []uint32, t int) {
	table := &f.tables[t]
	if index := f.indexes[t].of(table, len(hashes)); index != nil {
		for i, h := range hashes {
			if l := index.get(h); l != 0 {
				costs[i] = min(costs[i], f.cost[l])
			}
		}
		return
	}
	var met [mostHashes]bucket
	for i, h := range hashes {
		met[i] = table.bucket(h)
	}
	for i, h := range hashes {
		if l := table.in(met[i], h); l != 0 {
			costs[i] = min(costs[i], f.cost[l])
		}
	}
}

// Name returns the cost in bits of an identifier or a literal, +Inf for a rare one.
func (c Frequencies) Name(name []byte) float64 { return c.NameOf(NameHash(name)) }

// NameOf is Name for callers that have the hash.
func (c Frequencies) NameOf(hash uint32) float64 { return c.bits(names, hash) }

// Platform reports whether a platform declares the name. One in three hundred other names passes too. Package score decides what a
// platform name is worth.
func (c Frequencies) Platform(hash uint32) bool {
	for _, f := range c {
		if f != nil && f.isAPI(hash) {
			return true
		}
	}
	return false
}

func (c Frequencies) bits(t int, h uint32) float64 {
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

// price computes the cost of each level: minus the logarithm of its share of the units.
func (f *Family) price() {
	f.cost = make([]float64, levels)
	all := math.Log2(float64(max(f.Units, 1)))
	for l, have := range logs() {
		f.cost[l] = math.Max(0, all-have)
	}
}

// Run returns the cost in bits of a run. units is how many sampling units of the largest baseline have the run.
func (c Frequencies) Run(units int) float64 {
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

// logs has the logarithm of the units of each level.
var logs = sync.OnceValue(func() (out [levels]float64) {
	for l := range out {
		out[l] = math.Log2(units(uint8(l)))
	}
	return out
})

// Keep copies the tables of a family from an earlier model whose sample is the same.
func (m *Model) Keep(old *Model, family string) {
	all := m.families[family].All
	m.Carry(old, family)
	m.families[family].All = all
}

// Carry copies a family from an earlier model unchanged.
func (m *Model) Carry(old *Model, family string) {
	was := old.families[family]
	m.families[family] = &Family{Units: was.Units, All: was.All, tables: was.tables, cost: was.cost}
}

// Fill copies the families of another model that are missing here or were counted in more units there, except those named.
func (m *Model) Fill(other *Model, except ...string) {
	for name, f := range other.families {
		if mine := m.families[name]; mine == nil || mine.Units < f.Units && !slices.Contains(except, name) {
			m.families[name] = f
		}
	}
}

// Has reports whether the model has a family.
func (m *Model) Has(family string) bool { return m.families[family] != nil }
