package match

import (
	"slices"
	"sync"
)

// space holds the buffers of Arrange and Runs.
type space struct {
	prev, weight, order []int32
	used                []bool
	stops               []stop
	keys                []uint64
}

var spaces = sync.Pool{New: func() any { return new(space) }}

// zeroed returns n zeroes, in the memory of s if it is large enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// stop is a run on a route.
type stop struct {
	run    Run
	agree  int32 // names and values that are equal on both sides
	weight int32 // of the best route that ends here
	prev   int32 // the stop before it, or -1
	jump   bool
}
