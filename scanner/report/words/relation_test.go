package words

import (
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestRelationOfDoubtful: where most findings like it were false, a heading says perhaps, whatever the dates say. Dates make no
// copy of code that the target says is from another place.
func TestRelationOfDoubtful(t *testing.T) {
	elsewhere := finding.Finding{Direction: finding.DirectionFrom, Verdict: finding.AttributedElsewhere, Score: 0.9}
	if got, _ := Relation(&elsewhere); got != "shared with" {
		t.Errorf("the target says that the code is from another place: %q", got)
	}
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
