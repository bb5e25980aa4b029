package sketch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

// pair makes two sets of n hashes of which shared are in both.
func pair(r *rand.Rand, n, shared int) (a, b []uint64) {
	for i := range n {
		x := r.Uint64()
		a = append(a, x)
		if i >= shared {
			x = r.Uint64()
		}
		b = append(b, x)
	}
	return a, b
}

// The estimates are unbiased and as exact as the theory says: their deviation from
// the true value is that of a sample of the sketch's size.
func TestEstimatesAreUnbiased(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, s, m, rounds = 2000, 100, 20, 400
	for _, shared := range []int{100, 1000, 1900} {
		var sumR, sumSq, sumC float64
		trueR, trueC := float64(shared)/float64(2*n-shared), float64(shared)/n
		for i := range rounds {
			o := Keyed(fingerprint.NewKey([]byte{byte(i), byte(i >> 8)}))
			ha, hb := pair(r, n, shared)
			a, b := o.Set(nil, ha), o.Set(nil, hb)
			est := Resemblance(Min(a, s), Min(b, s), s)
			sumR, sumSq = sumR+est, sumSq+(est-trueR)*(est-trueR)
			sumC += Containment(Mod(nil, a, m), Mod(nil, b, m))
		}
		sigma := math.Sqrt(trueR * (1 - trueR) / s)
		if d := math.Abs(sumR/rounds - trueR); d > 4*sigma/math.Sqrt(rounds) {
			t.Errorf("resemblance %.3f: the mean of %d estimates is off by %.4f", trueR, rounds, d)
		}
		if got := math.Sqrt(sumSq / rounds); got > 1.2*sigma || got < 0.8*sigma {
			t.Errorf("resemblance %.3f: deviation %.4f, of a sample %.4f", trueR, got, sigma)
		}
		if d := math.Abs(sumC/rounds - trueC); d > 4*math.Sqrt(trueC*(1-trueC)/(n/m))/math.Sqrt(rounds) {
			t.Errorf("containment %.3f: the mean of %d estimates is off by %.4f", trueC, rounds, d)
		}
	}
}

func TestWholeSetsGiveExactValues(t *testing.T) {
	a, b := []uint64{1, 2, 3, 4}, []uint64{3, 4, 5}
	if got := Resemblance(a, b, 10); got != 0.4 {
		t.Errorf("resemblance %v, want 0.4", got)
	}
	if got := Containment(a, b); got != 0.5 {
		t.Errorf("containment %v, want 0.5", got)
	}
	if Resemblance(nil, nil, 10) != 1 || Containment(nil, b) != 1 || Containment(a, nil) != 0 {
		t.Error("empty sets")
	}
}

func keyed(secret string) Order { return Keyed(fingerprint.NewKey([]byte(secret))) }

func TestAKeyDecidesWhatIsSampled(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	hashes, _ := pair(r, 1000, 0)
	place := func(o Order) []uint64 { // the hashes that come first
		at := slices.Clone(hashes)
		o.put(at)
		by := make(map[uint64]uint64)
		for i, x := range at {
			by[x] = hashes[i]
		}
		slices.Sort(at)
		var out []uint64
		for _, x := range at[:50] {
			out = append(out, by[x])
		}
		slices.Sort(out)
		return out
	}
	one, again, two := place(keyed("one")), place(keyed("one")), place(keyed("two"))
	if !slices.Equal(one, again) {
		t.Error("one key samples differently twice")
	}
	if both, _ := count(one, two, 100); both > 15 {
		t.Errorf("two keys sample %d of 50 alike", both)
	}
}

// linked is single linkage by comparing all pairs.
func linked(sketches [][]uint64, s int, least float64) [][]int {
	all := NewDisjointSets(len(sketches))
	for i := range sketches {
		for j := range i {
			if len(sketches[i]) > 0 && len(sketches[j]) > 0 && Resemblance(sketches[i], sketches[j], s) >= least {
				all.Join(i, j)
			}
		}
	}
	return all.Groups()
}

// families makes documents by editing others, as a tree of forks; what an edit writes
// is one of so many elements.
func families(r *rand.Rand, n, size, s int, names uint64) [][]uint64 {
	var sets, out [][]uint64
	for range n {
		var set []uint64
		if len(sets) == 0 || r.IntN(4) == 0 {
			set, _ = pair(r, 1+r.IntN(size), 0)
		} else {
			set = slices.Clone(sets[r.IntN(len(sets))])
			for range r.IntN(len(set) + 1) {
				set[r.IntN(len(set))] = r.Uint64N(names)
			}
		}
		sets = append(sets, set)
		out = append(out, Min(Public().Set(nil, set), s))
	}
	return out
}

func TestClustersAreThoseOfAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	met := 0
	for _, least := range []float64{0.05, 0.3, 0.5, 0.8, 1} {
		for range 20 {
			sketches := families(r, 80, 60, 32, 3000)
			got, want := Clusters(sketches, 32, least), linked(sketches, 32, least)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("least %v:\n%v\nwant\n%v", least, got, want)
			}
			met += len(got)
		}
	}
	if met < 100 {
		t.Errorf("only %d clusters: the documents are too unlike to test anything", met)
	}
}

func TestDocumentsWithoutKGramsAreInNoCluster(t *testing.T) {
	if got := Clusters([][]uint64{{}, {1, 2}, {}, {1, 2}}, 8, 0.5); len(got) != 1 || !slices.Equal(got[0], []int{1, 3}) {
		t.Errorf("%v", got)
	}
	if got := Clusters(nil, 8, 0.5); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func ExampleResemblance() {
	o := Public()
	a := o.Set(nil, []uint64{1, 2, 3, 4})
	b := o.Set(nil, []uint64{2, 3, 4, 5})
	fmt.Println(Resemblance(Min(a, 64), Min(b, 64), 64))
	// Output: 0.6
}

func BenchmarkClusters(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		sketches := families(rand.New(rand.NewPCG(11, 12)), n, 600, 128, 1<<40)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Clusters(sketches, 128, 0.5)
			}
		})
	}
}
