package derived

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// reader returns a function that reads the tokens of a text in Go.
func reader(t *testing.T) func(string) []lang.Token {
	z := lang.NewTokenizer(lang.Limits{})
	t.Cleanup(z.Close)
	return func(text string) []lang.Token {
		t.Helper()
		s, err := z.Tokenize(lang.ByName("go"), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(s.Tokens)
	}
}

// TestElectGrams: among overloads that have the same names, the position is in the one with most of the code.
func TestElectGrams(t *testing.T) {
	read := reader(t)
	var overloads strings.Builder
	overloads.WriteString("package weir\n\n")
	for i := range 8 {
		fmt.Fprintf(&overloads, "func (g *Gate%d) lift(n int) {\n\tg.drop(%d)\n\tg.rack = %d + n\n\tg.depth--\n}\n\n", i, i, i)
	}
	const was = "func (w *Weir) lift(n int) error {\n\tfor i := 0; i < n; i++ {\n\t\tif err := w.drop(i); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n\tw.rack = n\n\tw.depth += n * w.wall\n\treturn nil\n}\n"
	is := strings.NewReplacer("i := 0; i < n; i++", "i := range n", "w.drop(i)", "w.drop(i, 1)", "w.rack = n", "w.rack = n + 1").Replace(was)
	known, target := overloads.String()+was+overloads.String()[len("package weir\n"):], "package host\n\n"+is
	origin, text := read(known), read(target)
	at, n := electGrams(text, []byte(target), origin, []byte(known))
	if line := strings.Count(known[:origin[at.Origin].Start], "\n"); n < leastGrams || line < 50 || line > 60 {
		t.Errorf("%d stretches agree at line %d, want some in lines 51 to 60", n, line+1)
	}
	if _, n := electGrams(text, []byte(target), read("package names\n\nvar lift, drop, rack, depth, wall int\n"), []byte("package names\n\nvar lift, drop, rack, depth, wall int\n")); n >= leastGrams {
		t.Errorf("%d stretches agree with a list of the names", n)
	}
}

// TestElectGramsOnce: a stretch that recurs every few tokens counts once for a position.
func TestElectGramsOnce(t *testing.T) {
	read := reader(t)
	const was = "func lift(n int) error {\n\tw.drop(n, 1)\n\track.turn(7, n)\n\tif wall.low() {\n\t\treturn errDry\n\t}\n\treturn nil\n}\n"
	repeated := "package weir\n\nfunc all(n int) {\n" + strings.Repeat("\tw.drop(n, 1)\n", 40) + "}\n\n"
	between := "var beds = []int{" + strings.Repeat("2, 3, 4, ", 20) + "}\n\n"
	known, target := repeated+between+was, "package host\n\n"+strings.NewReplacer("lift(n int)", "raise(n, m int)", "7, n", "7, m", "errDry", "errLow").Replace(was)
	origin, text := read(known), read(target)
	at, n := electGrams(text, []byte(target), origin, []byte(known))
	if line := strings.Count(known[:origin[at.Origin].Start], "\n"); line < 47 {
		t.Errorf("%d stretches agree at line %d, want some behind line 47", n, line+1)
	}
	call := "package a\n\nvar a = w.drop(n, 1)\n"
	if at, n := electGrams(read(call), []byte(call), origin, []byte(known)); n >= leastGrams {
		t.Errorf("one call agrees %d times, at %d", n, at.Origin)
	}
}
