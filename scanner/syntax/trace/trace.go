// Package trace recognises a region of code in other contents: in the next version of its file, in older ones, in the file
// it was moved from. A region has two descriptions:
//
//	Trace      tokens of a region → hashes of its properties; compared with those of the next version (trace.go)
//	Signature  runs that a region shares with its origin → their short runs of tokens (signature.go)
//	Set        signatures, a text → the share of each signature that the text has; words.go tells from the names alone which texts can
//	           have a share
//
// The package does no I/O.
package trace

import (
	"hash/fnv"
	"math"
	"math/bits"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// GramLength is the length of a run of tokens that counts as the same when it occurs elsewhere, names and literals included:
// about a line.
const GramLength = 8

// Most is the least share of a region's matched tokens that another content must have, to count as having the region.
const Most = 0.6

// Half is the share at which the history of a region begins.
const Half = 0.5

// Part is the share at which another content has part of a region, so that it does not count as a content without the region. A
// package that had part of it may be the source, and may have changed the rest later.
const Part = 1.0 / 3

// Trace identifies a region from one version of a file to the next. It holds hashes of different properties of its tokens.
type Trace struct {
	Content []uint64 // kinds, names and literals; the first of the whole region, the others without some lines at its ends
	Literal uint64   // kinds and literals
	Shape   uint64   // kinds
	Layout  uint64   // the text, with white space and comments
	Sample  []uint64 // the smallest hashes of short runs of tokens, with names and literals; sorted
}

// sampleSize is how many runs of a region are kept to compare it with others: a quarter of most regions, all of small ones.
const sampleSize = 64

// sampleOf returns the smallest hashes of runs of GramLength tokens. The samples of two regions with common runs have common hashes.
func sampleOf(each []uint64) []uint64 {
	var out []uint64
	eachGram(each, func(_ int, h uint64) { out = append(out, h*HashMultiplier^h>>31) })
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.Clip(out[:min(len(out), sampleSize)])
}

// Alike reports whether most runs of the smaller of two regions are also in the other, by their samples.
func (t *Trace) Alike(o *Trace) bool {
	if len(t.Sample) == 0 || len(o.Sample) == 0 {
		return false
	}
	until := min(t.most(), o.most())
	a, b, both := 0, 0, 0
	for _, h := range t.Sample {
		if h <= until {
			a++
			if _, ok := slices.BinarySearch(o.Sample, h); ok {
				both++
			}
		}
	}
	for _, h := range o.Sample {
		if h <= until {
			b++
		}
	}
	return both > 0 && float64(both) >= Most*float64(min(a, b))
}

// most returns the largest hash up to which the sample is complete.
func (t *Trace) most() uint64 {
	if len(t.Sample) < sampleSize {
		return math.MaxUint64
	}
	return t.Sample[len(t.Sample)-1]
}

// HashMultiplier is the multiplier of the polynomial hash of token hashes. It is odd, so that no bit of an earlier token is lost.
const HashMultiplier = 0x9E3779B97F4A7C15

// Of returns the trace of the tokens of a region. starts and ends are the offsets at which its first lines begin and its last
// lines end. The region's own beginning and end come first.
func Of(text []byte, toks []lang.Token, starts, ends []int) Trace {
	sums, powers := make([]uint64, len(toks)+1), make([]uint64, len(toks)+1)
	powers[0] = 1
	var tr Trace
	for i, t := range toks {
		word := text[t.Start:t.End]
		kind := bits.RotateLeft64(uint64(t.Kind)+1, 17) * HashMultiplier
		literal, content := kind, kind
		if t.Class == lang.String || t.Class == lang.Number {
			literal ^= HashBytes(word)
			content = literal
		}
		if t.Class == lang.Identifier {
			content ^= HashBytes(word)
		}
		tr.Shape, tr.Literal = tr.Shape*HashMultiplier+kind, tr.Literal*HashMultiplier+literal
		sums[i+1], powers[i+1] = sums[i]*HashMultiplier+content, powers[i]*HashMultiplier
	}
	for _, i := range starts {
		for _, j := range ends {
			if i < j {
				tr.Content = append(tr.Content, sums[j]-sums[i]*powers[j-i])
			}
		}
	}
	tr.Layout = HashBytes(text[toks[0].Start:toks[len(toks)-1].End])
	tr.Sample = sampleOf(Contents(nil, text, toks))
	return tr
}

// HashBytes returns a hash of a text.
func HashBytes(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}
