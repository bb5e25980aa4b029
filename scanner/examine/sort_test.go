package examine

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

// Hashes that agree in their upper bits, or altogether, are in order too.
func TestSortPrints(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 400 {
		var q query
		for range r.IntN(60) {
			q.prints = append(q.prints, fingerprint.Fingerprint{Hash: uint64(r.IntN(4))<<60 | uint64(r.IntN(3)), Pos: r.Uint32N(50)})
		}
		want := slices.Clone(q.prints)
		slices.SortFunc(want, func(a, b fingerprint.Fingerprint) int {
			return cmp.Or(cmp.Compare(a.Hash, b.Hash), cmp.Compare(a.Pos, b.Pos))
		})
		if q.sortPrints(); !slices.Equal(q.prints, want) {
			t.Fatalf("round %d: %v, want %v", n, q.prints, want)
		}
	}
}
