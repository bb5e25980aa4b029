package text

import (
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// TestNeeds: an alignment needs fewer bits, except in languages where programs extend frameworks in similar ways.
func TestNeeds(t *testing.T) {
	aligned := score.Evidence{Aligned: true, Order: 30, Terms: score.Terms{Names: 20}}
	for language, want := range map[string]float64{"go": 50, "cpp": 50, "typescript": 50, "kotlin": 50, "php": 50, "rust": 50, "ruby": 70, "csharp": 70, "swift": 70} {
		q := Target{Rules: &Rules{Derived: score.StandingDerived()}, Stream: Stream{Language: lang.ByName(language)}}
		if got := q.Needs(aligned, 70); got != want {
			t.Errorf("%s: an alignment needs %v bits, want %v", language, got, want)
		}
		if got := q.Needs(score.Evidence{}, 70); got != 70 {
			t.Errorf("%s: a match needs %v bits, want 70", language, got)
		}
	}
}
