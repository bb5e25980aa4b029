package derived

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/match"
)

// Vote is a name of the target at a place where the origin has it too.
type Vote struct {
	match.Seed
	Name uint32
	Bits float64
}

func (v Vote) diagonal() int64 { return int64(v.Origin) - int64(v.Target) }

// near is by how many tokens diagonals may differ that are one place.
const near = 64

// Elect returns a place in the middle of those on which most distinct names agree, and their bits. An alignment strays as far
// from it to either side, so it reaches all of them.
func Elect(votes []Vote) (best match.Seed, bits float64) {
	slices.SortFunc(votes, func(a, b Vote) int {
		return cmp.Or(cmp.Compare(a.diagonal(), b.diagonal()), cmp.Compare(a.Target, b.Target))
	})
	var names []uint32
	var won []Vote
	for i, v := range votes {
		sum, end := 0.0, i
		names = names[:0]
		for ; end < len(votes) && votes[end].diagonal() <= v.diagonal()+near; end++ {
			if w := votes[end]; !slices.Contains(names, w.Name) {
				names, sum = append(names, w.Name), sum+w.Bits
			}
		}
		if sum > bits {
			won, bits = votes[i:end], sum
		}
	}
	return middle(won), bits
}

// middle is the vote with half of the bits on either side.
func middle(votes []Vote) (s match.Seed) {
	all, sum := 0.0, 0.0
	for _, v := range votes {
		all += v.Bits
	}
	for _, v := range votes {
		if sum += v.Bits; 2*sum >= all {
			return v.Seed
		}
	}
	return s
}
