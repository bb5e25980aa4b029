// Package trace recognises a region of code in other contents: in the next version of its file, in older ones, in the file
// it was moved from.
package trace

import (
	"hash/fnv"
	"math"
	"math/bits"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Gram is the length of a run of tokens that counts as the same when it occurs elsewhere, names and literals included:
// about a line.
const Gram = 8

// Most is the share of what a region has in common with its origin that another
// content must have, to have the region.
const Most = 0.6

// Part is the share from which on another content has part of a region: it cannot be said
// to lack it. A package that had part of it may be where it comes from, and have changed the
// rest later.
const Part = 1.0 / 3

// Trace is what a region is known by from one version of a file to the next:
// hashes of its tokens, by what of them is looked at.
type Trace struct {
	Content []uint64 // kinds, names and literals; the first of all of it, the others without some lines at its ends
	Literal uint64   // kinds and literals
	Shape   uint64   // kinds
	Layout  uint64   // the text, with blanks and comments
	Sample  []uint64 // the smallest hashes of short runs of tokens, names and literals included; sorted
}

// sampleSize is how many runs of a region are kept to compare it with others: of
// most regions a quarter, of small ones all.
const sampleSize = 64

// sampleOf picks the smallest hashes of runs of Gram tokens: those of two
// regions are samples of the same runs.
func sampleOf(each []uint64) []uint64 {
	var out []uint64
	EachGram(each, func(_ int, h uint64) { out = append(out, h*Mix^h>>31) })
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.Clip(out[:min(len(out), sampleSize)])
}

// Alike tells whether most of the runs of the smaller of two regions are the other's
// too, as far as their samples tell.
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

// most is the largest hash of which the sample tells: of all of them where the
// sample is everything.
func (t *Trace) most() uint64 {
	if len(t.Sample) < sampleSize {
		return math.MaxUint64
	}
	return t.Sample[len(t.Sample)-1]
}

// Mix is the multiplier of the polynomial hash of token hashes: odd, so that no
// bit of an earlier token is lost.
const Mix = 0x9E3779B97F4A7C15

// Of hashes the tokens of a region. starts and ends are the offsets among them at which its
// first lines begin and its last lines end, the region's own ends first.
func Of(text []byte, toks []lang.Token, starts, ends []int) Trace {
	sums, powers := make([]uint64, len(toks)+1), make([]uint64, len(toks)+1)
	powers[0] = 1
	var tr Trace
	for i, t := range toks {
		word := text[t.Start:t.End]
		kind := bits.RotateLeft64(uint64(t.Kind)+1, 17) * Mix
		literal, content := kind, kind
		if t.Class == lang.String || t.Class == lang.Number {
			literal ^= HashBytes(word)
			content = literal
		}
		if t.Class == lang.Identifier {
			content ^= HashBytes(word)
		}
		tr.Shape, tr.Literal = tr.Shape*Mix+kind, tr.Literal*Mix+literal
		sums[i+1], powers[i+1] = sums[i]*Mix+content, powers[i]*Mix
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

// HashBytes hashes a text.
func HashBytes(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}
