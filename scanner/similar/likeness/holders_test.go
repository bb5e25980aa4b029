package likeness

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHolders: the table counts as a map does, of spread hashes, of small numbers, and of hash 0.
func TestHolders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var h holders
	want := make(map[uint64]int32)
	if h.count(7) != 0 {
		t.Error("an empty table has a hash")
	}
	for i := range 40_000 {
		hash := r.Uint64() >> (r.IntN(64))
		if i%5 == 0 {
			hash = uint64(r.IntN(50))
		}
		h.add(hash)
		want[hash]++
	}
	for hash, n := range want {
		if got := h.count(hash); got != n {
			t.Fatalf("%d programs have %x, want %d", got, hash, n)
		}
		if want[hash+1] == 0 && h.count(hash+1) != 0 {
			t.Fatalf("somebody has %x", hash+1)
		}
	}
}

// TestByHash: the order is that of hash and position, however the hashes are spread.
func TestByHash(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 400 {
		for _, hash := range []func() uint64{r.Uint64, func() uint64 { return uint64(r.IntN(3)) }, func() uint64 { return r.Uint64() >> 50 }, func() uint64 { return 1<<63 | uint64(r.IntN(9)) }} {
			gs := make([]gram, n)
			for i := range gs {
				gs[i] = gram{hash(), int32(i)}
			}
			want := slices.Clone(gs)
			slices.SortFunc(want, func(a, b gram) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.at, b.at)) })
			if byHash(gs); !slices.Equal(gs, want) {
				t.Fatalf("%d runs: %v", n, gs)
			}
		}
	}
}
