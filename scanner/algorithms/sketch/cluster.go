package sketch

import (
	"cmp"
	"math"
	"slices"
)

// Clusters groups documents. Each document of a group resembles another one of it by least or more, as estimated from
// their sketches by Min of size s (single linkage). It returns the groups of two and more as ascending positions in
// sketches, largest group first, then by first position. Empty sketches are in no group. least must be above 0.
//
// Two sketches can resemble each other by least only if one has least of the other's elements. So they share one of
// their rarest: of n elements, one of the n - least·n + 1 that the fewest documents have (prefix filtering; Bayardo, Ma
// and Srikant, "Scaling up all pairs similarity search", 2007). Only documents that share such an element are compared,
// and only if they are not yet in one group. The time is near-linear in the size of the sketches, unless many documents
// share rare elements but do not resemble each other.
func Clusters(sketches [][]uint64, s int, least float64) [][]int {
	all := NewDisjointSets(len(sketches))
	order := distinct(sketches, all)
	frequency := frequencies(sketches, order)
	having := make(map[uint64][]int) // documents so far, by their rare elements
	compared := make([]int, len(sketches))
	var rare []uint64
	for n, a := range order {
		rare = rarest(rare, sketches[a], frequency, least)
		for _, x := range rare {
			for _, b := range having[x] {
				if compared[b] == n+1 || all.Find(a) == all.Find(b) {
					continue
				}
				compared[b] = n + 1
				if Resemblance(sketches[a], sketches[b], s) >= least {
					all.Join(a, b)
				}
			}
			having[x] = append(having[x], a)
		}
	}
	return all.Groups()
}

// distinct joins documents of equal sketches and returns the first of each, ordered by sketch. It omits empty sketches.
func distinct(sketches [][]uint64, all DisjointSets) []int {
	var order []int
	for i, k := range sketches {
		if len(k) > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(slices.Compare(sketches[a], sketches[b]), cmp.Compare(a, b))
	})
	return slices.CompactFunc(order, func(a, b int) bool {
		equal := slices.Equal(sketches[a], sketches[b])
		if equal {
			all.Join(a, b)
		}
		return equal
	})
}

// frequencies counts the documents that have each element.
func frequencies(sketches [][]uint64, order []int) map[uint64]int {
	out := make(map[uint64]int)
	for _, i := range order {
		for _, x := range sketches[i] {
			out[x]++
		}
	}
	return out
}

// rarest returns, in the memory of dst, the elements by which a sketch has to be compared, without those that no other
// sketch has.
func rarest(dst, sketch []uint64, frequency map[uint64]int, least float64) []uint64 {
	dst = append(dst[:0], sketch...)
	slices.SortFunc(dst, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(frequency[a], frequency[b]), cmp.Compare(a, b))
	})
	dst = dst[:prefix(len(dst), least)]
	alone := 0
	for alone < len(dst) && frequency[dst[alone]] == 1 {
		alone++
	}
	return dst[alone:]
}

// prefix returns how many of the n rarest elements of a sketch have to be compared.
func prefix(n int, least float64) int {
	needed := int(math.Ceil(least*float64(n) - 1e-9)) // a product like 0.3*10 is slightly above the whole number
	return min(n, n-needed+1)
}

// DisjointSets are disjoint sets of 0 to n-1, each with its smallest element as root.
type DisjointSets []int

// NewDisjointSets makes n sets of one element each.
func NewDisjointSets(n int) DisjointSets {
	s := make(DisjointSets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// Find returns the root of the set of an element.
func (s DisjointSets) Find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Join unites the sets of two elements.
func (s DisjointSets) Join(a, b int) {
	a, b = s.Find(a), s.Find(b)
	s[max(a, b)] = min(a, b)
}

// Groups lists the sets of two and more, each ascending: largest first, then by first element.
func (s DisjointSets) Groups() [][]int {
	n := make(map[int]int) // by root: how many more elements its set has
	for i := range s {
		if root := s.Find(i); root != i {
			n[root]++
		}
	}
	of := make(map[int][]int, len(n))
	for i := range s {
		root := s.Find(i)
		if more := n[root]; more > 0 {
			if of[root] == nil {
				of[root] = make([]int, 0, 1+more)
			}
			of[root] = append(of[root], i)
		}
	}
	out := make([][]int, 0, len(of))
	for _, g := range of {
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b []int) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0])) })
	return out
}
