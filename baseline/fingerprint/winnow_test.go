package fingerprint

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

type algorithm struct {
	name string
	run  func(dst []Fingerprint, grams []uint64, w int) []Fingerprint
	ref  func(grams []uint64, w int) []Fingerprint
}

var algorithms = []algorithm{
	{"plain", Winnow, refWinnow},
	{"robust", WinnowRobust, refRobust},
	{"ties", WinnowTies, refTies},
}

// windows calls fn with the bounds of each window, by the definition.
func windows(n, w int, fn func(start, end int)) {
	if w < 1 || n < 1 {
		return
	}
	w = min(w, n)
	for start := 0; start+w <= n; start++ {
		fn(start, start+w)
	}
}

func rightmostMinimum(grams []uint64, start, end int) int {
	best := start
	for i := start; i < end; i++ {
		if grams[i] <= grams[best] {
			best = i
		}
	}
	return best
}

func collect(grams []uint64, selected map[int]bool) []Fingerprint {
	var out []Fingerprint
	for i, h := range grams {
		if selected[i] {
			out = append(out, Fingerprint{h, uint32(i)})
		}
	}
	return out
}

func refWinnow(grams []uint64, w int) []Fingerprint {
	selected := map[int]bool{}
	windows(len(grams), w, func(start, end int) {
		selected[rightmostMinimum(grams, start, end)] = true
	})
	return collect(grams, selected)
}

func refRobust(grams []uint64, w int) []Fingerprint {
	selected, left := map[int]bool{}, -1
	windows(len(grams), w, func(start, end int) {
		if left < start || grams[left] != slices.Min(grams[start:end]) {
			left = rightmostMinimum(grams, start, end)
		}
		selected[left] = true
	})
	return collect(grams, selected)
}

func refTies(grams []uint64, w int) []Fingerprint {
	selected := map[int]bool{}
	windows(len(grams), w, func(start, end int) {
		for i := start; i < end; i++ {
			if grams[i] == slices.Min(grams[start:end]) {
				selected[i] = true
			}
		}
	})
	return collect(grams, selected)
}

// The paper's figure 2: "A do run run run, a do run run", 5-grams, w = 4.
func TestPaperFigure2(t *testing.T) {
	grams := []uint64{77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98}
	want := []Fingerprint{{17, 3}, {17, 6}, {8, 8}, {39, 11}, {17, 15}}
	for _, a := range algorithms {
		if got := a.run(nil, grams, 4); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", a.name, got, want)
		}
	}
}

func TestSelectionByHand(t *testing.T) {
	type fps = []Fingerprint
	for _, c := range []struct {
		grams               []uint64
		w                   int
		plain, robust, ties fps
	}{
		{nil, 3, nil, nil, nil},
		{[]uint64{5, 4}, 0, nil, nil, nil},
		{[]uint64{5, 4}, -1, nil, nil, nil},
		{[]uint64{5}, 3, fps{{5, 0}}, fps{{5, 0}}, fps{{5, 0}}},
		{[]uint64{5, 5}, 3, fps{{5, 1}}, fps{{5, 1}}, fps{{5, 0}, {5, 1}}},
		{[]uint64{5, 6}, 3, fps{{5, 0}}, fps{{5, 0}}, fps{{5, 0}}},
		{[]uint64{2, 1}, 1, fps{{2, 0}, {1, 1}}, fps{{2, 0}, {1, 1}}, fps{{2, 0}, {1, 1}}},
		// The window to the left has its minimum at position 1, so robust winnowing keeps it.
		{[]uint64{9, 1, 9, 1}, 3, fps{{1, 1}, {1, 3}}, fps{{1, 1}}, fps{{1, 1}, {1, 3}}},
		{[]uint64{4, 4, 4, 4, 4}, 2, fps{{4, 1}, {4, 2}, {4, 3}, {4, 4}}, fps{{4, 1}, {4, 3}},
			fps{{4, 0}, {4, 1}, {4, 2}, {4, 3}, {4, 4}}},
	} {
		for i, want := range []fps{c.plain, c.robust, c.ties} {
			if got := algorithms[i].run(nil, c.grams, c.w); !slices.Equal(got, want) {
				t.Errorf("%s(%v, w=%d) = %v, want %v", algorithms[i].name, c.grams, c.w, got, want)
			}
		}
	}
}

func TestAgainstTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		grams := randomValues(rng, rng.IntN(70), 1+rng.IntN(20))
		check(t, grams, 1+rng.IntN(24))
	}
	check(t, randomValues(rng, MaxW+100, 40), MaxW+5)
}

// fuzzed bounds an input. A few k-grams show all effects of windows, and the references take the product of their
// number and w.
const fuzzed = 48

func FuzzWinnow(f *testing.F) {
	f.Add([]byte("aabab"), uint8(2))
	f.Add([]byte{3, 2, 1, 0, 0, 1, 2, 3}, uint8(4))
	f.Add([]byte{1}, uint8(9))
	f.Fuzz(func(t *testing.T, data []byte, w uint8) {
		grams := make([]uint64, min(len(data), fuzzed))
		for i := range grams {
			grams[i] = uint64(data[i])
		}
		check(t, grams, int(w)%(fuzzed+2))
	})
}

// FuzzGuarantee puts a run of t tokens or more into two streams. The index keeps a k-gram within it that the query asks
// for at the same position of the run.
func FuzzGuarantee(f *testing.F) {
	f.Add([]byte("shared run of tokens"), []byte("xx"), []byte("yyyy"), []byte("abc"), uint8(5), uint8(4))
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaa"), []byte("aaaaaaa"), []byte("a"), []byte(""), uint8(3), uint8(6))
	f.Add([]byte("ababababababababab"), []byte("ba"), []byte("ab"), []byte("b"), uint8(1), uint8(9))
	f.Fuzz(func(t *testing.T, shared, before, behind, other []byte, k, w uint8) {
		p := Params{K: 1 + int(k)%8, W: 1 + int(w)%10}
		if len(shared) < p.T() || len(shared)+len(before)+len(behind)+len(other) > 3*fuzzed {
			return
		}
		index := KGrams(nil, values(before, shared, other), p.K)
		query := KGrams(nil, values(other, shared, behind), p.K)
		kept := map[Fingerprint]bool{}
		for _, f := range WinnowRobust(nil, index, p.W) {
			kept[f] = true
		}
		for _, f := range WinnowTies(nil, query, p.W) {
			at := int(f.Pos) - len(other) // in the run
			if at < 0 || at+p.K > len(shared) {
				continue
			}
			if kept[Fingerprint{f.Hash, uint32(len(before) + at)}] {
				return
			}
		}
		t.Fatalf("k=%d w=%d: no hit in %q between %q and %q, %q and %q", p.K, p.W, shared, before, other, other, behind)
	})
}

func values(parts ...[]byte) []uint64 {
	var out []uint64
	for _, part := range parts {
		for _, b := range part {
			out = append(out, TokenValue("go", uint32(b)))
		}
	}
	return out
}

// check compares all three algorithms with their references and invariants.
func check(t *testing.T, grams []uint64, w int) {
	t.Helper()
	var got [3][]Fingerprint
	for i, a := range algorithms {
		got[i] = a.run(nil, grams, w)
		if want := a.ref(grams, w); !slices.Equal(got[i], want) {
			t.Fatalf("%s(%d, w=%d) = %v, want %v", a.name, grams, w, got[i], want)
		}
		windows(len(grams), w, func(start, end int) {
			if !slices.ContainsFunc(got[i], func(f Fingerprint) bool {
				return int(f.Pos) >= start && int(f.Pos) < end && f.Hash == slices.Min(grams[start:end])
			}) {
				t.Fatalf("%s(%d, w=%d): nothing minimal selected in [%d, %d)", a.name, grams, w, start, end)
			}
		})
	}
	if ties, robust := WinnowBoth(nil, nil, grams, w); !slices.Equal(ties, positions(got[2])) || !slices.Equal(robust, positions(got[1])) {
		t.Fatalf("both(%d, w=%d) = %v and %v, want %v and %v", grams, w, ties, robust, got[2], got[1])
	}
	if len(got[1]) > len(got[0]) {
		t.Fatalf("robust(%d, w=%d) selects %d, plain %d", grams, w, len(got[1]), len(got[0]))
	}
}

func TestDensityOnRandomHashes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	grams := make([]uint64, 1_000_000)
	for i := range grams {
		grams[i] = rng.Uint64()
	}
	for _, w := range []int{1, 2, 16, 17, 64} {
		want := 2 / float64(w+1)
		for _, a := range algorithms {
			got := float64(len(a.run(nil, grams, w))) / float64(len(grams))
			if math.Abs(got/want-1) > 0.02 {
				t.Errorf("%s, w=%d: density %.5f, want %.5f", a.name, w, got, want)
			}
		}
	}
}

func TestDensityOnConstantHashes(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 1000} {
		grams := make([]uint64, n)
		if got := len(WinnowRobust(nil, grams, 16)); got > n/16+1 {
			t.Errorf("robust selects %d of %d equal hashes", got, n)
		}
	}
}

// TestSharedRunMeetsOnTheDiagonal tests the package comment's claim: the streams share exactly t tokens and no others,
// if possible.
func TestSharedRunMeetsOnTheDiagonal(t *testing.T) {
	for _, alphabet := range []int{1, 2, 3, 50, 1 << 30} {
		t.Run(fmt.Sprint(alphabet), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, uint64(alphabet)))
			for range 1000 {
				p := Params{K: 1 + rng.IntN(8), W: 1 + rng.IntN(12)}
				run := randomValues(rng, p.T(), alphabet)
				around := func() ([]uint64, int) {
					before := randomValues(rng, rng.IntN(40), alphabet)
					after := randomValues(rng, rng.IntN(40), alphabet)
					return slices.Concat(before, run, after), len(before)
				}
				indexed, a := around()
				queried, b := around()
				checkDiagonal(t, p, indexed, a, queried, b)
			}
		})
	}
}

func checkDiagonal(t *testing.T, p Params, indexed []uint64, a int, queried []uint64, b int) {
	t.Helper()
	query := WinnowTies(nil, KGrams(nil, queried, p.K), p.W)
	grams := KGrams(nil, indexed, p.K)
	for _, index := range [][]Fingerprint{WinnowRobust(nil, grams, p.W), Winnow(nil, grams, p.W)} {
		met := slices.ContainsFunc(index, func(f Fingerprint) bool {
			x := int(f.Pos) - a
			return x >= 0 && x < p.W && slices.Contains(query, Fingerprint{f.Hash, uint32(b + x)})
		})
		if !met {
			t.Fatalf("%+v: run at %d of %d and at %d of %d is missed", p, a, indexed, b, queried)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	grams := randomValues(rand.New(rand.NewPCG(1, 9)), 5000, 50)
	dst := make([]Fingerprint, 0, len(grams))
	room := make([]uint64, 0, len(grams))
	for _, a := range algorithms {
		if n := testing.AllocsPerRun(10, func() { a.run(dst, grams, MaxW); a.run(dst, grams, 16) }); n != 0 {
			t.Errorf("%s: %v allocations", a.name, n)
		}
	}
	if n := testing.AllocsPerRun(10, func() { KGrams(room, grams, 20) }); n != 0 {
		t.Errorf("KGrams: %v allocations", n)
	}
}

func TestAppendsToDst(t *testing.T) {
	before := []Fingerprint{{1, 2}}
	for _, a := range algorithms {
		got := a.run(before, []uint64{8}, 4)
		if want := []Fingerprint{{1, 2}, {8, 0}}; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", a.name, got, want)
		}
	}
}

// go test -run - -bench . ./baseline/fingerprint
func BenchmarkWinnow(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	random := make([]uint64, 100_000)
	rising := make([]uint64, len(random))
	for i := range random {
		random[i], rising[i] = rng.Uint64(), uint64(i)
	}
	dst := make([]Fingerprint, 0, len(random))
	for _, a := range algorithms {
		for i, grams := range [][]uint64{random, rising} {
			b.Run(a.name+"/"+[]string{"random", "rising"}[i], func(b *testing.B) {
				b.SetBytes(int64(len(grams))) // so MB/s reads as million k-grams a second
				b.ReportAllocs()
				for b.Loop() {
					dst = a.run(dst[:0], grams, 17)
				}
			})
		}
	}
}

func positions(fs []Fingerprint) (at []uint32) {
	for _, f := range fs {
		at = append(at, f.Pos)
	}
	return at
}
