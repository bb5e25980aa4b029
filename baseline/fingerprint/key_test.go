package fingerprint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The order is part of the format of keyed baselines: never adjust these values.
func TestKeyedDefinition(t *testing.T) {
	k := NewKey([]byte("0123456789abcdef"))
	got := []uint64{0, 1, 1 << 63}
	k.Order(got)
	want := []uint64{0x0bf1b9d39c342866, 0xb9306ab76e3328e3, 0x8d12567d283b442a} // openssl gives the same
	if !slices.Equal(got, want) {
		t.Errorf("order %#016x, want %#016x", got, want)
	}
	if want := "0e7a81070a4b1bb5"; k.Check() != want {
		t.Errorf("check %q, want %q", k.Check(), want)
	}
}

func TestNoKeyChangesNothing(t *testing.T) {
	var k Key
	got := []uint64{3, 1, 2}
	k.Order(got)
	if !k.IsZero() || k.Check() != "" || !slices.Equal(got, []uint64{3, 1, 2}) {
		t.Errorf("zero key: %v, %q, %v", k.IsZero(), k.Check(), got)
	}
}

// The guarantee holds under any key: every shared run of t tokens matches on its own diagonal, even in repetitive
// streams with many ties.
func TestGuaranteeHoldsUnderKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for round := range 300 {
		k := NewKey(fmt.Appendf(nil, "secret of round %d", round))
		p := Params{1 + r.IntN(6), 1 + r.IntN(8)}
		alphabet := 1 + r.IntN(6)
		run := randomValues(r, p.T(), alphabet)
		before, after := r.IntN(30), r.IntN(30)
		a := slices.Concat(randomValues(r, before, alphabet), run, randomValues(r, 20, alphabet))
		b := slices.Concat(randomValues(r, after, alphabet), run, randomValues(r, 20, alphabet))
		x, y := KGrams(nil, a, p.K), KGrams(nil, b, p.K)
		k.Order(x)
		k.Order(y)
		met := false
		for _, f := range WinnowRobust(nil, x, p.W) {
			for _, g := range WinnowTies(nil, y, p.W) {
				at := int(f.Pos) - before
				met = met || f.Hash == g.Hash && at >= 0 && at < p.W && int(g.Pos)-after == at
			}
		}
		if !met {
			t.Fatalf("%v: a shared run of %d tokens is not met", p, p.T())
		}
	}
}

// The selections of two keys overlap no more than by chance.
func TestKeysSelectDifferently(t *testing.T) {
	values := randomValues(rand.New(rand.NewPCG(23, 24)), 20_000, 80)
	selected := func(k Key) map[uint32]bool {
		grams := KGrams(nil, values, 20)
		k.Order(grams)
		out := make(map[uint32]bool)
		for _, f := range WinnowRobust(nil, grams, 12) {
			out[f.Pos] = true
		}
		return out
	}
	keys := []Key{{}, NewKey([]byte("one")), NewKey([]byte("two"))}
	for i, k := range keys {
		for _, l := range keys[:i] {
			a, b := selected(k), selected(l)
			both := 0
			for p := range a {
				if b[p] {
					both++
				}
			}
			// one in 6.5 positions is selected, so chance shares one in 6.5 of them
			if share := float64(both) / float64(len(a)); share < 0.10 || share > 0.21 {
				t.Errorf("two orders share %.2f of their selection", share)
			}
		}
	}
}

func BenchmarkOrder(b *testing.B) {
	hashes := randomValues(rand.New(rand.NewPCG(1, 1)), 100_000, 1<<30)
	k := NewKey([]byte("secret"))
	b.SetBytes(int64(len(hashes)))
	b.ReportAllocs()
	for b.Loop() {
		k.Order(hashes)
	}
}
