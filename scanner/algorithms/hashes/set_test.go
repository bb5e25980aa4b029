package hashes

import (
	"math/rand/v2"
	"testing"
)

// TestSetPlaces: hashes that have many bits in common do not lie in one place, which would make each look-up take as long as the table.
func TestSetPlaces(t *testing.T) {
	const n = 1 << 16
	r := rand.New(rand.NewPCG(1, 1))
	var s Set
	s.Reset(1)
	for range n {
		h := r.Uint64() &^ (1<<40 - 1<<20)
		if s.Add(h); s.Add(h) {
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

// TestSetTakesLittleMemory: a set that was made for many hashes has room for those that come. A table that grew is not kept.
func TestSetTakesLittleMemory(t *testing.T) {
	const n = 1 << 20
	var s Set
	s.Reset(2 * n)
	for i := range n {
		if s.Add(uint64(i&1)<<1) != (i < 2) {
			t.Fatalf("hash %d of two", i)
		}
	}
	if len(s.slots) > 4*room {
		t.Errorf("%d slots for two different hashes", len(s.slots))
	}
	s.Reset(2 * n)
	for i := range n {
		if !s.Add(Next(0, uint64(i))) {
			t.Fatalf("hash %d was met before", i)
		}
	}
	if s.used != n || len(s.slots) < 2*n {
		t.Errorf("%d hashes in %d slots", s.used, len(s.slots))
	}
	if s.Reset(1); cap(s.slots) > 4*room {
		t.Errorf("a table of %d slots is kept", cap(s.slots))
	}
}
