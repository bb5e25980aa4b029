package segment

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn returns n postings; their fingerprints have only the bits of mask.
func drawn(n int, mask uint64) []Placed {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	ps := make([]Placed, n)
	for i := range ps {
		ps[i] = Placed{rng.Uint64() & mask, rng.Uint64() >> 30}
	}
	return ps
}

func byComparison(a, b Placed) int {
	return cmp.Or(cmp.Compare(a.Fingerprint, b.Fingerprint), cmp.Compare(a.Position, b.Position))
}

// TestSort: postings are in order whether their fingerprints are spread, all equal, or differ in a few bits only.
func TestSort(t *testing.T) {
	for _, n := range []int{0, 1, 2, 63, 64, 65, 1000, 100_000} {
		for _, mask := range []uint64{^uint64(0), 0, 0xff, 0xff << 56, 0x0101010101010101, ^uint64(1<<20 - 1)} {
			got := drawn(n, mask)
			want := slices.Clone(got)
			slices.SortFunc(want, byComparison)
			Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%d postings with the bits %x are not in order", n, mask)
			}
		}
	}
}

// TestLists: a list is cut to the most positions and still counts all.
func TestLists(t *testing.T) {
	var got []string
	err := Lists([]Placed{{1, 5}, {1, 6}, {1, 9}, {4, 2}}, 2, func(l List) error {
		got = append(got, fmt.Sprint(l))
		return nil
	})
	if want := []string{"{1 3 [5 6]}", "{4 1 [2]}"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v and %v, want %v", got, err, want)
	}
}

// BenchmarkSort sorts postings as a build does, beside a sort by comparison.
func BenchmarkSort(b *testing.B) {
	all := drawn(2_000_000, ^uint64(1<<20-1))
	ps := make([]Placed, len(all))
	for name, sort := range map[string]func([]Placed){"radix": Sort, "comparison": func(ps []Placed) { slices.SortFunc(ps, byComparison) }} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				copy(ps, all)
				sort(ps)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(all)), "ns/posting")
		})
	}
}
