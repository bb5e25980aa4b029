package score_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/score"
)

// The more bits a finding has above the needed ones, the more findings like it are true copies.
func ExampleLikelihood_Score() {
	w, l := score.DefaultWeights(), score.DefaultLikelihood()
	needed := w.Needed(score.Enough, 50_000_000, 2000)
	for _, bits := range []float64{60, 80, 150, 400} {
		fmt.Printf("%.2f\n", l.Score(score.Traits{Above: bits - needed, Order: 0.5, Unchanged: 0.9}))
	}
	// Output:
	// 0.01
	// 0.49
	// 0.82
	// 0.98
}
