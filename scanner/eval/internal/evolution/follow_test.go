package evolution

import (
	"math/rand/v2"
	"testing"
)

// TestCommon compares the bit-parallel length with the textbook's.
func TestCommon(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() []uint64 {
		out := make([]uint64, r.IntN(300))
		for i := range out {
			out[i] = r.Uint64N(12)
		}
		return out
	}
	for range 200 {
		a, b := draw(), draw()
		if got, want := common(a, b), textbook(a, b); got != want {
			t.Fatalf("common(%v, %v) = %d, want %d", a, b, got, want)
		}
	}
}

func textbook(a, b []uint64) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
