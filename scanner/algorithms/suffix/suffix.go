// Package suffix finds all maximal matches of two token sequences with a suffix array. It returns pairs of equal stretches that no
// token on either side extends.
//
// An index finds a pair among millions of documents by few fingerprints, and leaves out what is too frequent. For exactly two
// sequences everything can be compared, as the authors of winnowing suggest for a contested pair. Neither length nor frequency nor
// order excludes a match here: each maximal match of least tokens is listed once.
//
// The suffixes of both sequences are sorted in linear time (sort.go). The common prefixes of neighbours follow in linear time
// (Kasai and others, 2001). Then the intervals of equal prefixes are visited from the longest to the shortest (Gusfield,
// "Algorithms on strings, trees, and sequences", 7.12.3): a pair from two parts of an interval has exactly its prefix in common,
// and is maximal if the tokens before differ. That takes linear time, and constant time for each match.
package suffix

import (
	"cmp"
	"slices"
)

// Match says that Len tokens from A on equal Len tokens from B on, and that the tokens before and after differ.
type Match struct{ A, B, Len int }

const (
	// maxTokens bounds the memory: 40 bytes for each token of both sequences.
	maxTokens = 1 << 23
	// perToken bounds the matches. A text of one repeated line has as many as the product of both lengths.
	perToken = 16
)

// Matches returns all maximal matches of at least least tokens, ascending by A, then B. whole is false if a bound stopped it; the
// matches returned are then still correct, and include the longest. It panics if least is below 1.
func Matches(a, b []uint64, least int) (ms []Match, whole bool) {
	if least < 1 {
		panic("suffix: matches of less than one token")
	}
	if len(a) < least || len(b) < least {
		return nil, true
	}
	if len(a) > maxTokens || len(b) > maxTokens-len(a)-1 {
		return nil, false
	}
	s := newSweep(a, b, least)
	whole = s.walk()
	slices.SortFunc(s.out, func(x, y Match) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return s.out, whole
}

// ranks numbers the values of both sequences by size, from 1 on. A 0 separates them.
func ranks(a, b []uint64) (text []int32, most int32) {
	values := slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
	number := make(map[uint64]int32, len(values))
	for i, v := range values {
		number[v] = int32(i) + 1
	}
	text = make([]int32, 0, len(a)+1+len(b))
	for _, v := range a {
		text = append(text, number[v])
	}
	text = append(text, 0)
	for _, v := range b {
		text = append(text, number[v])
	}
	return text, int32(len(values))
}

// prefixes returns how many tokens each suffix shares with its predecessor in order.
func prefixes(text, order []int32) []int32 {
	out, rank := make([]int32, len(text)), make([]int32, len(text))
	for at, i := range order {
		rank[i] = int32(at)
	}
	n := 0
	for i := range text {
		if rank[i] == 0 {
			n = 0
			continue
		}
		j := int(order[rank[i]-1])
		for i+n < len(text) && j+n < len(text) && text[i+n] == text[j+n] {
			n++
		}
		out[rank[i]] = int32(n)
		n = max(n-1, 0)
	}
	return out
}
