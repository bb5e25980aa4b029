package words

import (
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestRelationOfDoubtful: where most findings like it were false, a heading says perhaps, whatever the dates say.
func TestRelationOfDoubtful(t *testing.T) {
	for _, c := range []struct {
		direction string
		score     float64
		want      string
	}{
		{finding.DirectionFrom, 0.49, "perhaps copied from"}, {finding.DirectionFrom, 0.5, "copied from"}, {finding.DirectionFrom, 0, "copied from"},
		{finding.DirectionTo, 0.1, "perhaps also in"}, {finding.DirectionUnknown, 0.34, "perhaps shared with"}, {finding.DirectionUnknown, 0.9, "shared with"},
	} {
		if got, _ := Relation(&finding.Finding{Direction: c.direction, Score: c.score}); got != c.want {
			t.Errorf("%s, %g: %q, want %q", c.direction, c.score, got, c.want)
		}
	}
}
