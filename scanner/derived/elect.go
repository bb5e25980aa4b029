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

// Elect returns the place on which most distinct names agree, and their bits.
func Elect(votes []Vote) (best match.Seed, bits float64) {
	slices.SortFunc(votes, func(a, b Vote) int {
		return cmp.Or(cmp.Compare(a.diagonal(), b.diagonal()), cmp.Compare(a.Target, b.Target))
	})
	var names []uint32
	for i, v := range votes {
		sum := 0.0
		names = names[:0]
		for _, w := range votes[i:] {
			if w.diagonal() > v.diagonal()+near {
				break
			}
			if !slices.Contains(names, w.Name) {
				names, sum = append(names, w.Name), sum+w.Bits
			}
		}
		if sum > bits {
			best, bits = v.Seed, sum
		}
	}
	return best, bits
}
