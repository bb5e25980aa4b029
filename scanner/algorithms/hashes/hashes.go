// Package hashes sorts items by a hash that each of them has, and keeps sets of hashes. When items are sorted, the first bits of the
// hashes put nearly every item in its place.
package hashes

import (
	"cmp"
	"math/bits"
	"slices"
)

// Sorter sorts by hash. It keeps its buffers from one call to the next. Not safe for concurrent use.
type Sorter[T any] struct {
	from []T
	ends []int32
}

// few items are sorted by comparing them alone.
const few = 32

// Sort sorts items by their hashes. Items with equal hashes keep their order. Hashes that are not spread evenly only cost time.
func (s *Sorter[T]) Sort(items []T, hash func(T) uint64) {
	if len(items) <= few {
		compare(items, hash)
		return
	}
	width := bits.Len(uint(len(items))) // fingerprints are the least of a window, so some buckets get more than others
	ends := slices.Grow(s.ends[:0], 1<<width)[:1<<width]
	clear(ends)
	for _, x := range items {
		ends[hash(x)>>(64-width)]++
	}
	sum := int32(0)
	for i, n := range ends {
		ends[i], sum = sum, sum+n
	}
	s.from, s.ends = append(s.from[:0], items...), ends
	for _, x := range s.from {
		i := hash(x) >> (64 - width)
		items[ends[i]] = x
		ends[i]++
	}
	begin := int32(0)
	for _, end := range ends {
		compare(items[begin:end], hash)
		begin = end
	}
}

// compare sorts a few items, or many of which most have equal hashes.
func compare[T any](items []T, hash func(T) uint64) {
	if len(items) > few {
		slices.SortStableFunc(items, func(a, b T) int { return cmp.Compare(hash(a), hash(b)) })
		return
	}
	for i := 1; i < len(items); i++ {
		x, at := items[i], i
		for h := hash(x); at > 0 && hash(items[at-1]) > h; at-- {
			items[at] = items[at-1]
		}
		items[at] = x
	}
}
