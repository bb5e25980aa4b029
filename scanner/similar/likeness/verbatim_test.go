package likeness

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// setOf makes a set of programs in Java, of which all is reached.
func setOf(t *testing.T, srcs ...string) *Set {
	t.Helper()
	var ps []Program
	for _, s := range srcs {
		ps = append(ps, Program{Whole: outline(t, "A.java", s)})
	}
	s := NewSet(ps)
	usual := make([]Usual, len(ps))
	for i := range ps {
		usual[i] = s.Usual(i, s.Both)
	}
	s.Expect(usual)
	return s
}

// A copy that keeps its names, with other imports, comments and braces, ranks above a program that differs in names only.
func TestWordForWordCountsMost(t *testing.T) {
	renamed := strings.NewReplacer("sum", "total", " s ", " all ", "s;", "all;", "(int[] v)", "(int[] list)", "v[", "list[", "v.", "list.", " m ", " top ").Replace(original)
	copied := "import a.Heap; import a.Queue; /* mine */ " + strings.ReplaceAll(strings.ReplaceAll(original, "{ s += v[i]; }", "s += v[i];"), "class A", "class Mine")
	srcs := []string{original, copied, renamed}
	for i := range 6 {
		srcs = append(srcs, fmt.Sprintf("class D%d { void d%d() { if (x%d) { y(\"%d\"); } } }", i, i, i, i))
	}
	s := setOf(t, srcs...)
	if c, r := similarity(s, 0, 1), similarity(s, 0, 2); c < 0.8 || c <= r {
		t.Errorf("a copy word for word %.3f, with other names %.3f", c, r)
	}
	if b := s.Both(0, 2); b.verbatim != 0 {
		t.Errorf("other names are alike word for word: %.3f", b.verbatim)
	}
	if b := s.Both(0, 0); b.verbatim != 1 {
		t.Errorf("with itself: %.3f", b.verbatim)
	}
}

// Code that everybody was given makes nobody alike word for word.
func TestGivenCodeIsUsualWordForWord(t *testing.T) {
	given := ""
	for i := range 20 {
		given += fmt.Sprintf("int g%d(int a) { while (a > %d) { a = h%d(a * %d); } return a; } ", i, i, i, i+2)
	}
	var srcs []string
	for i := range 8 {
		srcs = append(srcs, fmt.Sprintf("class A { %s void own%d() { if (x%d < %d) { y%d(\"%d\"); } } }", given, i, i, i, i, i))
	}
	s := setOf(t, append(srcs, srcs[0])...)
	if b := s.Both(0, 1); b.verbatim == 0 {
		t.Fatal("the programs differ too much for this test")
	}
	without := s.Both(0, 1)
	without.verbatim = 0
	if l, w := similarity(s, 0, 1), s.Beyond(0, 1, without); l > w+0.02 {
		t.Errorf("two programs around given code: %.3f, where other readings make %.3f", l, w)
	}
	if l := similarity(s, 0, 8); l < 0.999 {
		t.Errorf("equal programs: %.3f", l)
	}
}

// The files of a copy may come in another order, and a word that one of them has more says nothing about the others.
func TestFilesWordForWord(t *testing.T) {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	of := func(srcs ...string) verbatim {
		o := new(Outline)
		for _, src := range srcs {
			s, err := z.Tokenize(lang.ByName("java"), []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			o.Add([]byte(src), s.Tokens, nil)
		}
		return newVerbatim(o.named)
	}
	var srcs []string
	for i := range 10 {
		srcs = append(srcs, fmt.Sprintf("class C%d { int g%d(int a) { while (a > %d) { a = h%d(a * %d); } return a; } }", i, i, i, i, i+2))
	}
	moved := append(slices.Clone(srcs[5:]), srcs[:5]...)
	if n := of(srcs...).near(of(moved...)); n != 1 {
		t.Errorf("files in another order: %.3f", n)
	}
	one := append([]string{"final " + srcs[0]}, srcs[1:]...)
	if n := of(srcs...).near(of(one...)); n < 0.95 {
		t.Errorf("one word more: %.3f", n)
	}
}
