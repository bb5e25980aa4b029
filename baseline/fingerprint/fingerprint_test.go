package fingerprint

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestDefinition pins literal values. If it fails, every existing baseline has become unreadable. Never adjust them;
// raise SchemeVersion and add values.
func TestDefinition(t *testing.T) {
	for _, c := range []struct {
		family string
		kind   uint32
		want   uint64
	}{
		{"", 0, 0x8932c885a3fe960e},
		{"go", 0, 0xdcca7970e5c80c93},
		{"go", 1, 0xbe9338ab133be563},
		{"go", 0xFFFFFFFF, 0xf553a2a512d06277},
		{"js", 0x811C9DC5, 0xb921756067e534ab},
	} {
		if got := TokenValue(c.family, c.kind); got != c.want {
			t.Errorf("TokenValue(%q, %#x) = %#016x, want %#016x", c.family, c.kind, got, c.want)
		}
	}
	values := []uint64{1, 2, 3, 4, 1 << 63}
	for _, c := range []struct {
		k    int
		want []uint64
	}{
		{1, []uint64{0x5692161d100b05e5, 0xdbd238973a2b148a, 0x1e535eede31428f0, 0xb7a4712c74562914, 0x25c26ea579cea98a}},
		{3, []uint64{0xc2f4a1f87c36d616, 0x05e14568595c159d, 0x32ab0d35ebd03062}},
		{5, []uint64{0x689b3f6fb0683eab}},
	} {
		if got := KGrams(nil, values, c.k); !slices.Equal(got, c.want) {
			t.Errorf("KGrams(%d, k=%d) = %#016x, want %#016x", values, c.k, got, c.want)
		}
	}
	if got, want := Pair(FamilySalt("go"), 7, 3), uint64(0xd508358fdb2a9850); got != want {
		t.Errorf("Pair(7, 3) = %#016x, want %#016x", got, want)
	}
}

func TestKGramsFollowTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		values := randomValues(rng, rng.IntN(80), 1+rng.IntN(5))
		k := 1 + rng.IntN(40)
		var want []uint64
		for i := 0; i+k <= len(values); i++ {
			var sum uint64
			for j, v := range values[i : i+k] {
				term := v
				for range k - 1 - j {
					term *= multiplier
				}
				sum += term
			}
			want = append(want, mix(sum))
		}
		if got := KGrams(nil, values, k); !slices.Equal(got, want) {
			t.Fatalf("KGrams(%d, k=%d) = %x, want %x", values, k, got, want)
		}
		if got := KGrams(values[:0], values, k); !slices.Equal(got, want) {
			t.Fatalf("in place of the values, k=%d: %x, want %x", k, got, want)
		}
	}
}

func TestKGramsEdges(t *testing.T) {
	before := []uint64{7}
	for _, c := range []struct{ n, k, want int }{
		{0, 1, 0}, {3, 4, 0}, {4, 4, 1}, {5, 4, 2}, {5, 0, 0}, {5, -1, 0},
	} {
		got := KGrams(before, make([]uint64, c.n), c.k)
		if len(got) != 1+c.want || got[0] != 7 {
			t.Errorf("%d values, k=%d: %d k-grams after dst, want %d", c.n, c.k, len(got)-1, c.want)
		}
	}
}

// A two-token alphabet is as uneven as a stream can be. The distinct k-grams must still spread evenly over the top bits
// and the low bits.
func TestHashBitsAreUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	values := make([]uint64, 1<<18)
	for i := range values {
		values[i] = TokenValue("go", uint32(rng.IntN(2)))
	}
	grams := KGrams(nil, values, 24)
	slices.Sort(grams)
	grams = slices.Compact(grams)
	for _, shift := range []int{56, 28, 0} {
		var count [256]float64
		for _, h := range grams {
			count[h>>shift&255]++
		}
		expected := float64(len(grams)) / 256
		var chi float64
		for _, c := range count {
			chi += (c - expected) * (c - expected) / expected
		}
		if chi > 350 { // 255 degrees of freedom: mean 255, one in 30,000 is above 350
			t.Errorf("bits %d to %d: chi square %.0f", shift, shift+7, chi)
		}
	}
}

func TestFamiliesNeverShareKGrams(t *testing.T) {
	seen := map[uint64]string{}
	for _, family := range []string{"go", "js", "c", "words", ""} {
		for kind := range uint32(1000) {
			v := TokenValue(family, kind)
			if other, dup := seen[v]; dup {
				t.Fatalf("kind %d of %q has the value of one of %q", kind, family, other)
			}
			seen[v] = family
		}
	}
}

func TestParams(t *testing.T) {
	p := Params{K: 20, W: 16}
	if p.T() != 35 {
		t.Errorf("T() = %d, want 35", p.T())
	}
	if got, want := p.String(), "winnow1-k20-w16"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	for _, c := range []struct {
		p    Params
		fact string
	}{
		{Params{1, 1}, ""},
		{Params{MaxK, MaxW}, ""},
		{Params{0, 1}, "k 0 is not in 1..512"},
		{Params{-1, 1}, "k -1"},
		{Params{MaxK + 1, 1}, "k 513"},
		{Params{1, 0}, "w 0 is not in 1..1024"},
		{Params{1, MaxW + 1}, "w 1025"},
	} {
		err := c.p.Validate()
		if (err != nil) != (c.fact != "") || err != nil && !strings.Contains(err.Error(), c.fact) {
			t.Errorf("%+v: Validate() = %v, want %q", c.p, err, c.fact)
		}
	}
}

func randomValues(rng *rand.Rand, n, alphabet int) []uint64 {
	values := make([]uint64, n)
	for i := range values {
		values[i] = Value(0, uint32(rng.IntN(alphabet)))
	}
	return values
}

func BenchmarkKGrams(b *testing.B) {
	values := randomValues(rand.New(rand.NewPCG(1, 1)), 100_000, 80)
	dst := make([]uint64, 0, len(values))
	b.SetBytes(int64(len(values))) // so MB/s reads as million tokens a second
	b.ReportAllocs()
	for b.Loop() {
		dst = KGrams(dst[:0], values, 20)
	}
}
