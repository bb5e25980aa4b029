package hashes

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Set is a set of hashes: a hash table with open addressing, at most half full. Call Reset before the first use.
type Set struct {
	slots []uint64
	used  int
}

// room is the largest number of hashes for which Reset makes room. A set with more of them grows.
const room = 1 << 13

// placing decides in which slot a set keeps a hash. It differs in each run of the program, so that nobody can make a file whose
// hashes all lie in one place. No result depends on it.
var placing = rand.Uint64() | 1

// Reset empties a set and makes room for about the given number of hashes.
func (s *Set) Reset(hashes int) {
	size := 64
	for size < 2*min(hashes, room) {
		size *= 2
	}
	if cap(s.slots) > 4*room { // a large table of before
		s.slots = nil
	}
	s.slots, s.used = slices.Grow(s.slots[:0], size)[:size], 0
	clear(s.slots) // written before it is read, because a fresh page that is read first is mapped twice
}

func (s *Set) grow() {
	old := s.slots
	s.slots, s.used = make([]uint64, 2*len(old)), 0
	for _, h := range old {
		if h != 0 {
			s.Add(h)
		}
	}
}

// Add adds a hash, whose lowest bit does not count, and reports whether it is new.
func (s *Set) Add(h uint64) bool {
	if 2*s.used >= len(s.slots) {
		s.grow()
	}
	h |= 1 // 0 is free
	mask := uint64(len(s.slots) - 1)
	for at := h * placing >> bits.LeadingZeros64(mask); ; at = (at + 1) & mask {
		switch s.slots[at] {
		case h:
			return false
		case 0:
			s.slots[at] = h
			s.used++
			return true
		}
	}
}

// Next returns the hash of a sequence that goes on with x.
func Next(h, x uint64) uint64 {
	h = (h ^ x) * mix
	return h ^ h>>29
}

// mix is an odd number with well distributed bits.
const mix = 0x9E3779B97F4A7C15
