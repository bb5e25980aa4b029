package similar

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// function makes code that no other number makes.
func function(n int) string {
	r := rand.New(rand.NewPCG(uint64(n), 77))
	signs := []string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&^"}
	var b strings.Builder
	fmt.Fprintf(&b, "func f%d(a, b []int) int {\n\tx := %d\n", n, n)
	for range 12 {
		b.WriteString("\tx = x")
		for range 6 {
			b.WriteString(" " + signs[r.IntN(len(signs))] + " " + []string{"a[0]", "x", "(b[x])"}[r.IntN(3)])
		}
		b.WriteString("\n")
	}
	return b.String() + "\treturn x\n}\n\n"
}

// Manber's sets, against all subsets of the units: which functions each has is drawn.
func TestCommonSetsAreTheMaximalOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	met := 0
	for round := range 12 {
		const units, functions = 6, 5
		has := make([][]bool, units)
		var parts []Part
		for u := range units {
			has[u] = make([]bool, functions)
			text := "package p\n\n"
			for f := range functions {
				if has[u][f] = r.IntN(5) > 1; has[u][f] {
					text += function(1000*round + f)
				}
			}
			text += function(1000*round + 100 + u) // its own
			parts = append(parts, folder(fmt.Sprint("u", u), map[string]string{"x.go": text}))
		}
		o := options(1)
		o.Common = 100
		got := compared(t, o, parts...).Common
		var sets []string
		for _, c := range got {
			sets = append(sets, strings.Join(c.Units, " "))
			if c.Tokens < 100 || len(c.Code) == 0 {
				t.Errorf("%+v", c)
			}
		}
		slices.Sort(sets)
		if want := bySubsets(has); !slices.Equal(sets, want) {
			t.Errorf("round %d: %v\ngot  %q\nwant %q", round, has, sets, want)
		}
		met += len(got)
	}
	if met < 20 {
		t.Errorf("only %d sets", met)
	}
}

// bySubsets tries all sets of three units and more: each function has more than 100 tokens.
func bySubsets(has [][]bool) (out []string) {
	shares := func(set int) bool {
		for f := range has[0] {
			all := true
			for u := range has {
				all = all && (set>>u&1 == 0 || has[u][f])
			}
			if all {
				return true
			}
		}
		return false
	}
	size := func(set int) (n int) {
		for ; set > 0; set &= set - 1 {
			n++
		}
		return n
	}
	for set := range 1 << len(has) {
		if size(set) < 3 || !shares(set) {
			continue
		}
		larger := false
		for u := range has {
			larger = larger || set>>u&1 == 0 && shares(set|1<<u)
		}
		if larger {
			continue
		}
		var names []string
		for u := range has {
			if set>>u&1 == 1 {
				names = append(names, fmt.Sprint("u", u))
			}
		}
		out = append(out, strings.Join(names, " "))
	}
	slices.Sort(out)
	return out
}
