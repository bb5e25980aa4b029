package score

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// The lengths of n-grams by which a match is found to repeat itself.
const (
	three = 3
	six   = 6
)

// ngramSet holds the n-grams of a match so far, by their 64-bit hashes. It is a hash table with open addressing, at most half
// full. Call reset before the first use.
type ngramSet struct {
	slots []uint64
	used  int
}

// startNgrams is how many n-grams have room from the beginning. Beyond them the table grows: a match of millions of tokens may have
// few different n-grams.
const startNgrams = 1 << 13

func (s *ngramSet) reset(ngrams int) {
	size := 64
	for size < 2*min(ngrams, startNgrams) {
		size *= 2
	}
	// zeroed writes before the table is read, because a fresh page that is read first is mapped twice
	s.slots, s.used = zeroed(s.slots, size), 0
}

func (s *ngramSet) grow() {
	old := s.slots
	s.slots, s.used = make([]uint64, 2*len(old)), 0
	for _, h := range old {
		if h != 0 {
			s.add(h)
		}
	}
}

// add adds a hash and reports whether it was there.
func (s *ngramSet) add(h uint64) bool {
	if 2*s.used >= len(s.slots) {
		s.grow()
	}
	h |= 1 // 0 is free
	mask := uint64(len(s.slots) - 1)
	for at := h >> 20 & mask; ; at = (at + 1) & mask {
		switch s.slots[at] {
		case h:
			return true
		case 0:
			s.slots[at] = h
			s.used++
			return false
		}
	}
}

// repeated returns how many tokens, up to the last one of a run, occurred before in the match: 0, 3 or 6.
func (s *ngramSet) repeated(run []lang.Token) int {
	before := 0
	h, next := uint64(0), 0
	for n := 1; n <= len(run) && next < len(lengths); n++ {
		h = (h ^ uint64(run[len(run)-n].Kind)) * mix
		h ^= h >> 29
		if n == lengths[next] {
			if s.add(h + uint64(n)<<1) {
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
