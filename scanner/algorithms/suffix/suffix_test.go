package suffix

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// byDefinition compares everything with everything.
func byDefinition(a, b []uint64, least int) (out []Match) {
	for i := range a {
		for j := range b {
			if i > 0 && j > 0 && a[i-1] == b[j-1] {
				continue
			}
			n := 0
			for i+n < len(a) && j+n < len(b) && a[i+n] == b[j+n] {
				n++
			}
			if n >= least {
				out = append(out, Match{i, j, n})
			}
		}
	}
	return out
}

func draw(r *rand.Rand, n, alphabet int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(r.IntN(alphabet)) << 40
	}
	return out
}

func TestMatchesAreThoseOfTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	met := 0
	for range 4000 {
		alphabet := 1 + r.IntN(6)
		a, b := draw(r, r.IntN(40), alphabet), draw(r, r.IntN(40), alphabet)
		if r.IntN(2) == 0 && len(a) > 4 { // a copy in it
			i := r.IntN(len(a) - 3)
			b = slices.Insert(b, r.IntN(len(b)+1), a[i:i+r.IntN(len(a)-i)]...)
		}
		least := 1 + r.IntN(6)
		got, whole := Matches(a, b, least)
		want := byDefinition(a, b, least)
		if !whole {
			if len(want) <= perToken*(len(a)+len(b)+1) {
				t.Fatalf("%v %v: stopped before %d matches", a, b, len(want))
			}
			continue
		}
		if !slices.Equal(got, want) {
			t.Fatalf("least %d\na %v\nb %v\ngot  %v\nwant %v", least, a, b, got, want)
		}
		met += len(got)
	}
	if met < 10_000 {
		t.Errorf("only %d matches: nothing was tested", met)
	}
}

// One line repeated has a match for each pair of positions; the bound stops it, and what
// it returns is true.
func TestRepetitionIsBounded(t *testing.T) {
	line := []uint64{1, 2, 3, 4, 5, 6, 7, 8}
	a, b := slices.Repeat(line, 3000), append([]uint64{9}, slices.Repeat(line, 3000)...)
	ms, whole := Matches(a, b, 4)
	if whole && len(ms) < 2000 || len(ms) > perToken*(len(a)+len(b)+1) {
		t.Errorf("%d matches, whole %v", len(ms), whole)
	}
	for _, m := range ms[:min(len(ms), 2000)] {
		if !slices.Equal(a[m.A:m.A+m.Len], b[m.B:m.B+m.Len]) || m.A > 0 && m.B > 0 && a[m.A-1] == b[m.B-1] {
			t.Fatalf("%v is no maximal match", m)
		}
	}
	same := slices.Repeat([]uint64{7}, 20_000)
	if _, whole := Matches(same, same, 10); whole {
		t.Log("one token repeated is told wholly")
	}
}

func TestSuffixesAreInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for range 2000 {
		most := 1 + r.IntN(5)
		text := make([]int32, 1+r.IntN(60))
		for i := range text {
			text[i] = int32(r.IntN(most))
		}
		got := suffixes(text, int32(most))
		want := make([]int32, len(text))
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortFunc(want, func(a, b int32) int { return slices.Compare(text[a:], text[b:]) })
		if !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", text, got, want)
		}
	}
}

func TestNothingInCommon(t *testing.T) {
	for _, c := range [][2][]uint64{{nil, nil}, {{1}, nil}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2}, {1}}} {
		if ms, whole := Matches(c[0], c[1], 2); len(ms) != 0 || !whole {
			t.Errorf("%v: %v, %v", c, ms, whole)
		}
	}
}

func ExampleMatches() {
	ms, _ := Matches([]uint64{1, 2, 3, 9, 4, 5, 6}, []uint64{4, 5, 6, 8, 1, 2, 3}, 3)
	fmt.Println(ms)
	// Output: [{0 4 3} {4 0 3}]
}

func BenchmarkMatches(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		x := draw(r, n, 80)
		y := slices.Concat(draw(r, n/2, 80), x[:n/2])
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(2 * n))
			for b.Loop() {
				Matches(x, y, 31)
			}
		})
	}
}
