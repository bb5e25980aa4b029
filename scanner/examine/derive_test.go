package examine

import (
	"testing"

	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// TestDense: comments that agree make a match certain, but leave as much to be found around it as there was.
func TestDense(t *testing.T) {
	for _, c := range []struct {
		name           string
		bits, comments float64
		tokens         uint32
		want           int
	}{
		{"certain by its code", beyondDoubt, 0, denseRun, 1},
		{"certain by a comment", beyondDoubt, 40, denseRun, 0},
		{"certain, and a comment", beyondDoubt + 40, 40, denseRun, 1},
		{"short", beyondDoubt, 0, denseRun - 1, 0},
	} {
		one := candidate{ev: score.Evidence{Bits: c.bits, Terms: score.Terms{Comments: c.comments}}}
		one.best.Runs = []match.Run{{Len: c.tokens}}
		if got := dense([]candidate{one}); len(got) != c.want {
			t.Errorf("%s: %v, want %d stretches", c.name, got, c.want)
		}
	}
}
