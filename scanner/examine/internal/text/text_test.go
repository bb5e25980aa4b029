package text

import (
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// TestDiscount: an alignment needs fewer bits, except in languages where programs extend frameworks in similar ways.
func TestDiscount(t *testing.T) {
	aligned := score.Evidence{Derived: true, Order: 30, Terms: score.Terms{Names: 20}}
	for language, want := range map[string]float64{"go": 20, "cpp": 20, "typescript": 20, "kotlin": 20, "php": 20, "rust": 20, "scala": 20, "swift": 20, "csharp": 10, "ruby": 0} {
		q := Examined{Rules: &Rules{Derived: score.DefaultDerived()}, Stream: Stream{Language: lang.ByName(language)}}
		if got := q.Discount(aligned); got != want {
			t.Errorf("%s: an alignment needs %v bits fewer, want %v", language, got, want)
		}
		if got := q.Discount(score.Evidence{Order: 30}); got != 0 {
			t.Errorf("%s: a match needs %v bits fewer, want 0", language, got)
		}
	}
}
