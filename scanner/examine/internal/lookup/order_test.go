package lookup

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
)

// TestOrdered: proposals are in the order of their counts and keys, also if these do not fit into one number.
func TestOrdered(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 300 {
		h := Hits{number: make([][]uint32, 300)}
		for i := range r.IntN(80) {
			p := Proposal{Key: Key{r.IntN(3), baseline.DocID(i)}, Count: 1 + r.IntN(6)}
			if n%3 == 1 && r.IntN(20) == 0 {
				p.Key.Baseline = 255 + r.IntN(2)
			}
			if n%3 == 2 && r.IntN(20) == 0 {
				p.Count = 1<<24 - 1 + r.IntN(2)
			}
			h.docs = append(h.docs, p)
			h.number[p.Key.Baseline] = append(h.number[p.Key.Baseline], make([]uint32, i+1-len(h.number[p.Key.Baseline]))...)
			h.number[p.Key.Baseline][i] = uint32(len(h.docs))
		}
		want := slices.DeleteFunc(slices.Clone(h.docs), func(p Proposal) bool { return p.Count < 3 })
		slices.SortFunc(want, func(a, b Proposal) int { return cmp.Or(cmp.Compare(b.Count, a.Count), a.Key.Compare(b.Key)) })
		same := func(a, b Proposal) bool { return a.Key == b.Key && a.Count == b.Count }
		if got := h.ordered(3); !slices.EqualFunc(got, want, same) {
			t.Fatalf("round %d: %v, want %v", n, got, want)
		}
	}
}

// TestCountUnits: each sampling unit counts once, in short lists and in long ones.
func TestCountUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	var h Hits
	for n := range 500 {
		h.units = h.units[:0]
		for range r.IntN(300) {
			h.units = append(h.units, uint32(r.IntN(1+n)))
		}
		list := slices.Clone(h.units)
		slices.Sort(list)
		if got, want := h.countUnits(), len(slices.Compact(list)); got != want {
			t.Fatalf("%d of %d units are distinct, want %d", got, len(list), want)
		}
	}
}
