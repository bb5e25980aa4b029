package hashes_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/algorithms/hashes"
)

type item struct {
	hash uint64
	at   int
}

func hashOf(x item) uint64 { return x.hash }

// The order is that of the hashes, then the one that the items had, however the hashes are spread and whatever was sorted before.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s hashes.Sorter[item]
	for n := range 400 {
		for _, hash := range []func() uint64{r.Uint64, func() uint64 { return uint64(r.IntN(3)) }, func() uint64 { return r.Uint64() >> 50 }, func() uint64 { return 1<<63 | uint64(r.IntN(9)) }} {
			xs := make([]item, n)
			for i := range xs {
				xs[i] = item{hash(), i}
			}
			want := slices.SortedStableFunc(slices.Values(xs), func(a, b item) int { return cmp.Compare(a.hash, b.hash) })
			if s.Sort(xs, hashOf); !slices.Equal(xs, want) {
				t.Fatalf("%d items: %v", n, xs)
			}
		}
	}
}

func ExampleSorter_Sort() {
	words := []string{"third", "first", "second", "also first"}
	hash := map[string]uint64{"first": 1 << 60, "also first": 1 << 60, "second": 2 << 60, "third": 3 << 60}
	var s hashes.Sorter[string]
	s.Sort(words, func(w string) uint64 { return hash[w] })
	fmt.Println(words)
	// Output: [first also first second third]
}

// BenchmarkSort sorts as many items as a file has, and as a collection has, beside a sort by comparison.
func BenchmarkSort(b *testing.B) {
	for _, n := range []int{100, 500, 3_000, 30_000} {
		r := rand.New(rand.NewPCG(1, 2))
		xs, work := make([]item, n), make([]item, n)
		for i := range xs {
			if xs[i] = (item{r.Uint64(), i}); i%5 == 4 {
				xs[i].hash = xs[r.IntN(i)].hash
			}
		}
		b.Run(fmt.Sprint("hashes/", n), func(b *testing.B) {
			var s hashes.Sorter[item]
			for b.Loop() {
				copy(work, xs)
				s.Sort(work, hashOf)
			}
		})
		b.Run(fmt.Sprint("comparing/", n), func(b *testing.B) {
			for b.Loop() {
				copy(work, xs)
				slices.SortFunc(work, func(x, y item) int { return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.at, y.at)) })
			}
		})
	}
}
