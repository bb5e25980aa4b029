package score_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/score"
)

// More bits make a match less likely to be an accident.
func ExampleWeights_Score() {
	w := score.Standing()
	for _, bits := range []float64{20, 60, 100} {
		fmt.Printf("%.2f\n", w.Score(bits, 2000, 50_000))
	}
	// Output:
	// 0.00
	// 0.99
	// 1.00
}
