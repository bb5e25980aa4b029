package lookup

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

// TestSortPrints: hashes with equal upper bits, and equal hashes, are in order too.
func TestSortPrints(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 400 {
		var h Hits
		for range r.IntN(60) {
			h.prints = append(h.prints, fingerprint.Fingerprint{Hash: uint64(r.IntN(4))<<60 | uint64(r.IntN(3)), Pos: r.Uint32N(50)})
		}
		want := slices.Clone(h.prints)
		slices.SortFunc(want, func(a, b fingerprint.Fingerprint) int {
			return cmp.Or(cmp.Compare(a.Hash, b.Hash), cmp.Compare(a.Pos, b.Pos))
		})
		if h.sortPrints(); !slices.Equal(h.prints, want) {
			t.Fatalf("round %d: %v, want %v", n, h.prints, want)
		}
	}
}
