package similar

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/algorithms/suffix"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// Maximal holds all runs of equal tokens that two units share and that no token on
// either side extends, however frequent they are. Names count as equal; a run ends where base
// code begins.
type Maximal struct {
	Matches []Shared `json:"matches"` // longest first
	SharedA int      `json:"sharedA"` // tokens of A in a run
	SharedB int      `json:"sharedB"`
	Whole   bool     `json:"whole"` // false: too repetitive, shorter runs are left out
}

// Shared is one maximal run.
type Shared struct {
	A      Stretch `json:"a"`
	B      Stretch `json:"b"`
	Tokens int     `json:"tokens"`
}

// maximal finds the maximal runs of the first two units.
func (g *gather) maximal(l *collection.Loader) (*Maximal, error) {
	of, err := g.sides(l)
	if err != nil {
		return nil, err
	}
	ms, whole := suffix.Matches(of[0].Fixed, of[1].Fixed, g.o.Scan.MinTokens)
	out := &Maximal{Matches: []Shared{}, Whole: whole}
	var on [2][]match.Interval
	for _, m := range ms {
		out.Matches = append(out.Matches, Shared{of[0].stretch(m.A, m.Len), of[1].stretch(m.B, m.Len), m.Len})
		on[0] = append(on[0], match.Interval{From: m.A, To: m.A + m.Len})
		on[1] = append(on[1], match.Interval{From: m.B, To: m.B + m.Len})
	}
	slices.SortStableFunc(out.Matches, func(x, y Shared) int { return cmp.Compare(y.Tokens, x.Tokens) })
	out.SharedA, out.SharedB = match.Length(match.Union(on[0])), match.Length(match.Union(on[1]))
	return out, nil
}
