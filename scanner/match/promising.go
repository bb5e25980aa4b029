package match

import (
	"cmp"
	"slices"
)

// Promising tells from the seeds with one document alone whether they can
// amount to a match of least tokens, so that the others need not be loaded.
//
// A shared run has a seed in each of its windows of w k-grams. So a stretch of
// one diagonal whose consecutive seeds lie at most w apart, from the first
// seed to the last, cannot be part of a longer run than their distance plus
// 2(w-1)+k tokens: one k-gram further on either side there would be a window
// without a seed. The bounds of stretches near each other are added, as gaps
// may be bridged between them. An exact run of least tokens is never missed;
// capped posting lists are the exception, and they are in the ledger.
func Promising(seeds []Seed, k, w, least int, p Params) bool {
	slices.SortFunc(seeds, func(a, b Seed) int {
		return cmp.Or(cmp.Compare(diagonal(a), diagonal(b)), cmp.Compare(a.Target, b.Target))
	})
	var near []stretch
	for i := 0; i < len(seeds); {
		j := i + 1
		for j < len(seeds) && diagonal(seeds[j]) == diagonal(seeds[i]) && seeds[j].Target-seeds[j-1].Target <= uint32(w) {
			j++
		}
		bound := int(seeds[j-1].Target-seeds[i].Target) + 2*(w-1) + k
		if bound >= least {
			return true
		}
		near = append(near, stretch{int64(seeds[i].Target), diagonal(seeds[i]), bound})
		i = j
	}
	return adds(near, least, p)
}

// manyStretches is where weighing them one against the other costs more than
// loading the document.
const manyStretches = 1024

type stretch struct {
	target, diagonal int64
	bound            int
}

// adds tells whether two stretches within reach of each other come to least
// tokens: as each is bound by more than half of any sensible least, two do.
func adds(near []stretch, least int, p Params) bool {
	if len(near) > manyStretches {
		return true
	}
	slices.SortFunc(near, func(a, b stretch) int { return cmp.Compare(a.target, b.target) })
	for i, a := range near {
		sum := a.bound
		for _, b := range near[i+1:] {
			if b.target-a.target > int64(least+p.MaxGap) {
				break
			}
			if d := b.diagonal - a.diagonal; max(d, -d) <= int64(p.MaxGap) && b.target > a.target {
				if sum += b.bound; sum >= least {
					return true
				}
			}
		}
	}
	return false
}
