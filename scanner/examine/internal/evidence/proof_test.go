package evidence

import (
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
)

// TestWith: the runs of another match are inserted between a match's own; runs that would cross them on either side are lost.
func TestWith(t *testing.T) {
	doc := new(documents.Document)
	one := func(runs ...match.Run) Proof { return Of(doc, match.Match{Runs: runs}) }
	base := one(match.Run{Target: 100, Origin: 200, Len: 40}, match.Run{Target: 200, Origin: 300, Len: 40})
	for _, c := range []struct {
		name string
		add  match.Run
		want []match.Run
		lost int
	}{
		{"in a gap", match.Run{Target: 150, Origin: 250, Len: 30}, []match.Run{{Target: 100, Origin: 200, Len: 40}, {Target: 150, Origin: 250, Len: 30}, {Target: 200, Origin: 300, Len: 40}}, 0},
		{"right behind a run", match.Run{Target: 140, Origin: 240, Len: 30}, []match.Run{{Target: 100, Origin: 200, Len: 70}, {Target: 200, Origin: 300, Len: 40}}, 0},
		{"behind in the origin, before in the target", match.Run{Target: 150, Origin: 400, Len: 30}, base.Runs, 30},
		{"partly had already", match.Run{Target: 120, Origin: 220, Len: 40}, []match.Run{{Target: 100, Origin: 200, Len: 60}, {Target: 200, Origin: 300, Len: 40}}, 0},
	} {
		both, lost := base.With(one(c.add), 8)
		if !slices.Equal(both.Runs, c.want) || lost != c.lost {
			t.Errorf("%s: %v, %d tokens lost; want %v, %d", c.name, both.Runs, lost, c.want, c.lost)
		}
		if from, to := both.Target(); both.From != from || both.To != to {
			t.Errorf("%s: spans %d to %d, its runs %d to %d", c.name, both.From, both.To, from, to)
		}
	}
}
