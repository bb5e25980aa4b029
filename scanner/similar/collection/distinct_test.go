package collection

import (
	"math/rand/v2"
	"testing"
)

// TestHashSet: hashes that have many bits in common do not lie in one place, which would make each look-up take as long as the table.
func TestHashSet(t *testing.T) {
	const n = 1 << 16
	r := rand.New(rand.NewPCG(1, 1))
	var s hashSet
	s.reset()
	for range n {
		h := r.Uint64() &^ (1<<40 - 1<<20)
		if s.add(h); s.add(h) {
			t.Fatalf("%x is new twice", h)
		}
	}
	longest, run := 0, 0
	for _, h := range s.slots {
		if run++; h == 0 {
			run = 0
		}
		longest = max(longest, run)
	}
	if s.used < n-n/1000 || longest > n/32 {
		t.Errorf("%d hashes, of which %d lie side by side", s.used, longest)
	}
}
