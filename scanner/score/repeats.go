package score

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/hashes"
)

// The lengths of n-grams by which a match is found to repeat itself.
const (
	three = 3
	six   = 6
)

// ngramSet holds the n-grams of a match so far, by their hashes.
type ngramSet struct{ hashes.Set }

// repeated returns how many tokens, up to the last one of a run, occurred before in the match: 0, 3 or 6.
func (s *ngramSet) repeated(run []lang.Token) int {
	before := 0
	h, next := uint64(0), 0
	for n := 1; n <= len(run) && next < len(lengths); n++ {
		h = hashes.Next(h, uint64(run[len(run)-n].Kind))
		if n == lengths[next] {
			if !s.Add(h + uint64(n)<<1) {
				before = n
			}
			next++
		}
	}
	return before
}

var lengths = [...]int{three, six}

// zeroed returns n zeroes, in the memory of s if it is large enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// mix is an odd number with well distributed bits.
const mix = 0x9E3779B97F4A7C15
