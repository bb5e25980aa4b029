package match

import (
	"cmp"
	"slices"
)

// Stretch is where a run through seeds that lie close together on one diagonal
// can be, at most: half-open target tokens.
type Stretch struct {
	From, To int
	diagonal int64
}

// Tokens is the length of the longest run the stretch can hold.
func (s Stretch) Tokens() int { return s.To - s.From }

// Stretches bounds from the seeds with one document alone what can be matched,
// so that documents which cannot amount to a finding need not be loaded.
//
// A shared run has a seed in each of its windows of w k-grams. So a run whose
// first and last seeds are given, and no two neighbours further apart than w,
// extends at most w-1 tokens before the first and w-1 beyond the k-gram of the
// last: one k-gram further there would be a window without a seed. Capped
// posting lists are the exception, and they are in the ledger.
func Stretches(seeds []Seed, k, w int) []Stretch {
	slices.SortFunc(seeds, func(a, b Seed) int {
		return cmp.Or(cmp.Compare(diagonal(a), diagonal(b)), cmp.Compare(a.Target, b.Target))
	})
	var out []Stretch
	for i := 0; i < len(seeds); {
		j := i + 1
		for j < len(seeds) && diagonal(seeds[j]) == diagonal(seeds[i]) && seeds[j].Target-seeds[j-1].Target <= uint32(w) {
			j++
		}
		out = append(out, Stretch{max(0, int(seeds[i].Target)-(w-1)), int(seeds[j-1].Target) + k + w - 1, diagonal(seeds[i])})
		i = j
	}
	return out
}

// manyStretches is where weighing them one against the other costs more than
// loading the document.
const manyStretches = 1024

// Groups calls fn for each set of stretches that gaps may bridge to one match:
// from one on, all within reach, as far as they are longer than nothing new.
// It returns the first true of fn, and true when there are too many to tell.
func Groups(ss []Stretch, p Params, fn func(group []Stretch) bool) bool {
	if len(ss) > manyStretches {
		return true
	}
	slices.SortFunc(ss, func(a, b Stretch) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.diagonal, b.diagonal))
	})
	var group []Stretch
	for i, a := range ss {
		group = append(group[:0], a)
		to := a.To
		for _, b := range ss[i+1:] {
			if b.From > to+p.MaxGap {
				break
			}
			if d := b.diagonal - a.diagonal; max(d, -d) <= int64(p.MaxGap) {
				group = append(group, b)
				to = max(to, b.To)
			}
		}
		if fn(group) {
			return true
		}
	}
	return false
}
