package score

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// TestCountedNames: parameters that count on are written out by everybody in the same way, in whatever order, so from the third on they are
// evidence like names that a platform declares, and from the eleventh on none.
func TestCountedNames(t *testing.T) {
	bits := func(names ...string) float64 {
		text := fmt.Sprintf("package p\n\nfunc f(%s int) { call(%s) }\n", strings.Join(names, " int, "), strings.Join(names, ", "))
		side := golang(t, text)
		return EvidenceOf(side, side, only(t, side, side), newCosts(DefaultWeights(), side, nil, nil, isName)).Names
	}
	words := []string{"Argon", "Argot", "Argue", "Argus", "Argyl", "Argil", "Argal", "Argan", "Argen", "Argin", "Argum", "Argid", "Argek"}
	w := DefaultWeights()
	for _, c := range []struct {
		counted []int
		less    float64
	}{
		{[]int{10, 11, 12, 13, 14, 15, 16, 17}, 6 * (w.RareName - w.Platform)},
		{[]int{10, 12, 14, 16, 11, 13, 15, 17}, 6 * (w.RareName - w.Platform)},
		{[]int{10, 13, 16, 19, 22, 25, 28, 31}, 0},
		{[]int{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22}, 8*(w.RareName-w.Platform) + 3*w.RareName},
	} {
		var names []string
		for _, n := range c.counted {
			names = append(names, fmt.Sprintf("Arg%d", n))
		}
		if got, want := bits(names...), bits(words[:len(names)]...)-c.less; got < want-0.001 || got > want+0.001 {
			t.Errorf("%v: %.1f bits, want %.1f", c.counted, got, want)
		}
	}
}

// TestManyCounted: a list of many names that count on carries no more than one of few.
func TestManyCounted(t *testing.T) {
	bits := func(n int) float64 {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("Arg%d", 10+i))
		}
		side := golang(t, fmt.Sprintf("package p\n\nfunc f() { call(%s) }\n", strings.Join(names, ", ")))
		whole := match.Match{Runs: []match.Run{{Len: uint32(len(side.Tokens))}}}
		return EvidenceOf(side, side, whole, newCosts(DefaultWeights(), side, nil, nil, isName)).Names
	}
	for _, n := range []int{100, 129, 2000} {
		if few, many := bits(13), bits(n); many != few {
			t.Errorf("%d names: %.1f bits, 13 have %.1f", n, many, few)
		}
	}
}
