package examine

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/match"
)

// fold makes one of two regions that mostly lie in each other: that with the better
// evidence stays, the occurrences of the other become its origins, or have part of it.
// What would be left of the other has to be too short for a finding.
func (w *Worker) fold(cs []candidate) []candidate {
	order := make([]int, len(cs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cs[b].ev.Bits, cs[a].ev.Bits) })
	gone := make([]bool, len(cs))
	for i, a := range order {
		for _, b := range order[:i] {
			if !gone[b] && w.isPartOf(cs[a].best.Match, cs[b].best.Match) {
				cs[b].occurrences = append(cs[b].occurrences, cs[a].occurrences...)
				gone[a] = true
				break
			}
		}
	}
	var out []candidate
	for i, c := range cs {
		if !gone[i] {
			out = append(out, c)
		}
	}
	return out
}

// isPartOf tells whether most of the shorter of two matches is shared, and what a
// has beyond b is too short for a finding.
func (w *Worker) isPartOf(a, b match.Match) bool {
	if from, to := b.Target(); a.Runs[len(a.Runs)-1].Target < from || a.Runs[0].Target >= to {
		return false
	}
	both := shared(a.Runs, b.Runs)
	return 2*both > min(a.Tokens(), b.Tokens()) && a.Tokens()-both < w.e.o.MinTokens
}
