package parameterized

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// textOf reads one token a letter: small letters are names.
func textOf(s string) Text {
	t := Text{Fixed: make([]uint64, len(s)), Names: make([]int32, len(s))}
	seen := map[byte]int32{}
	for i := range len(s) {
		t.Fixed[i], t.Names[i] = uint64(s[i]), None
		if s[i] >= 'a' && s[i] <= 'z' {
			n, ok := seen[s[i]]
			if !ok {
				n = int32(len(seen))
				seen[s[i]] = n
			}
			t.Fixed[i], t.Names[i] = 0, n
		}
	}
	return t
}

// plain finds the maximal p-matches by the definition: every diagonal, every pair of
// ends, a bijection made anew for each.
func plain(a, b string, least int) (out []Match) {
	for i := range len(a) {
		for j := range len(b) {
			n := reach(a[i:], b[j:])
			if n >= least && (i == 0 || j == 0 || reach(a[i-1:], b[j-1:]) < n+1) {
				out = append(out, Match{i, j, n})
			}
		}
	}
	return out
}

// reach is how many leading tokens p-match.
func reach(a, b string) int {
	isName := func(c byte) bool { return c >= 'a' && c <= 'z' }
	to, from := map[byte]byte{}, map[byte]byte{}
	for n := range min(len(a), len(b)) {
		x, y := a[n], b[n]
		if isName(x) != isName(y) || !isName(x) && x != y {
			return n
		}
		if !isName(x) {
			continue
		}
		if w, ok := to[x]; ok && w != y {
			return n
		}
		if w, ok := from[y]; ok && w != x {
			return n
		}
		to[x], from[y] = y, x
	}
	return min(len(a), len(b))
}

func TestMatchesAreThoseOfTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func() string {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteByte("abcabcdXYX("[r.IntN(11)])
		}
		return b.String()
	}
	met := 0
	for range 3000 {
		a, b, least := random(), random(), 1+r.IntN(6)
		got, whole := Matches(textOf(a), textOf(b), least)
		if want := plain(a, b, least); !slices.Equal(got, want) {
			t.Fatalf("%q, %q, least %d: %v, want %v", a, b, least, got, want)
		}
		if !whole {
			t.Fatalf("%q, %q: not whole", a, b)
		}
		met += len(got)
	}
	if met < 3000 {
		t.Errorf("only %d matches in all: the texts are too unlike to test anything", met)
	}
}

// The example of Baker's paper: y and z are swapped on the other side.
func ExampleMatches() {
	a, b := textOf("x=y*y+z;"), textOf("x=z*z+y;")
	ms, _ := Matches(a, b, 8)
	fmt.Println(ms)
	ms, _ = Matches(a, textOf("x=z*y+y;"), 4) // z meets y, then itself
	fmt.Println(ms)
	// Output:
	// [{0 0 8}]
	// [{0 0 4}]
}

func TestOverlappingMatchesOfOneDiagonalAreBothFound(t *testing.T) {
	// a is x first and y later
	got, _ := Matches(textOf("a(B)C(a)D"), textOf("x(B)C(y)D"), 6)
	if want := []Match{{0, 0, 6}, {1, 1, 8}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestRepetitionIsBoundedAndSaid(t *testing.T) {
	s := strings.Repeat("f(a);", 4000)
	ms, whole := Matches(textOf(s), textOf(s), 20)
	if whole {
		t.Error("the work of four thousand equal lines counts as done")
	}
	for _, m := range ms {
		if reach(s[m.A:], s[m.B:]) < m.Len {
			t.Errorf("%v is no match", m)
		}
	}
}

func TestEmptyAndShortTexts(t *testing.T) {
	for _, c := range [][2]string{{"", ""}, {"", "a"}, {"ab", "abc"}} {
		if ms, whole := Matches(textOf(c[0]), textOf(c[1]), 3); len(ms) > 0 || !whole {
			t.Errorf("%q: %v, %v", c, ms, whole)
		}
	}
}

// BenchmarkMatches takes two texts of a megabyte of tokens that share half of their
// lines, renamed.
func BenchmarkMatches(b *testing.B) {
	for _, n := range []int{1 << 16, 1 << 18, 1 << 20} {
		x, y := related(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, whole := Matches(x, y, 31); !whole {
					b.Fatal("not whole")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*n), "ns/token")
		})
	}
}

func related(n int) (a, b Text) {
	r := rand.New(rand.NewPCG(3, 4))
	for len(a.Names) < n {
		shared := r.IntN(2) == 0
		for range 60 {
			f, m := uint64(r.IntN(30)), int32(r.IntN(200))
			a.Fixed, b.Fixed = append(a.Fixed, f), append(b.Fixed, f)
			if r.IntN(2) == 0 {
				a.Names, b.Names = append(a.Names, None), append(b.Names, None)
			} else {
				a.Names, b.Names = append(a.Names, m), append(b.Names, 199-m)
			}
			if !shared {
				b.Fixed[len(b.Fixed)-1] = uint64(r.IntN(30))
			}
		}
	}
	return a, b
}
