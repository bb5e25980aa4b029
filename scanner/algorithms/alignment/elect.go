package alignment

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// Vote is a pair of positions of the same name, in the target and the origin.
type Vote struct {
	match.Seed
	Name uint32
	Bits float64
}

func (v Vote) diagonal() int64 { return int64(v.Origin) - int64(v.Target) }

// near is the largest difference between diagonals of one place.
const near = 64

// Elect returns the middle of the place on which most distinct names agree, and their bits. An alignment strays equally far to
// either side of it, so it reaches all of them.
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

// middle returns the vote that has half of the bits on either side.
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
