package likeness

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// weighOutlines weighs programs of which all is reached.
func weighOutlines(os []*Outline) *weighed {
	var ps []Program
	for _, o := range os {
		ps = append(ps, Program{Whole: o})
	}
	return weigh(ps)
}

// similarity returns the number by which pairs are ranked.
func similarity(s *Set, i, j int) float64 { return s.Beyond(i, j, s.Both(i, j)) }

func alike(s *weighed, i, j int) likeness { return s.compare(&s.units[i], &s.units[j]) }

func outline(t testing.TB, name, src string) *Outline {
	t.Helper()
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	s, err := tz.Tokenize(lang.Detect(name, []byte(src)).Language, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	o := new(Outline)
	o.Add([]byte(src), s.Tokens, nil)
	return o
}

const original = `class A { static int sum(int[] v) { int s = 0; for (int i = 0; i < v.length; i++) { s += v[i]; } print("sum", s); return s; }
static int largest(int[] v) { int m = v[0]; for (int i = 1; i < v.length; i++) { if (v[i] > m) { m = v[i]; } } print("largest", m); return m; } }`

const disguised = `class B { private static final long top(long[] list) { long best = list[0]; int k = 1; while (k < list.length) { if (list[k] > best) { best = list[k]; } k = k + 1; } print("largest", best); return best; }
static int total(int[] list) { int all = 0; for (int k = 0; (k < list.length); k++) { all = (list[k] + all); } print("sum", all); return all; } }`

const other = `class C { void run(String name) { try { open(name); while (more()) { if (skip(name)) continue; print("line 12"); } } catch (Error e) { throw new Failed("no such file", e); } } }`

func TestDisguisedIsAliker(t *testing.T) {
	s := weighOutlines([]*Outline{outline(t, "A.java", original), outline(t, "B.java", disguised), outline(t, "C.java", other), outline(t, "A.java", original)})
	same, copied, strange := alike(s, 0, 3), alike(s, 0, 1), alike(s, 0, 2)
	if same.Whole < 0.999 || same.Structure < 0.999 || same.Values < 0.999 {
		t.Errorf("equal programs: %+v", same)
	}
	if copied.Whole < strange.Whole+0.2 || copied.Structure < 0.3 {
		t.Errorf("copy %+v, other program %+v", copied, strange)
	}
	if back := alike(s, 1, 0); back.Structure != copied.Structure || back.Whole != copied.Whole {
		t.Errorf("%+v one way, %+v the other", copied, back)
	}
}

func TestWhatManyHaveCountsLess(t *testing.T) {
	with := func(own string) *Outline { return outline(t, "A.java", original+own) }
	var few, many []*Outline
	for i := range 8 {
		o := outline(t, "A.java", fmt.Sprintf("%s class X%d { int f() { return %d; } }", other, i, i))
		few, many = append(few, o), append(many, with(fmt.Sprintf("class X%d { int f() { return %d; } }", i, i)))
	}
	a, b := with("class Y { void g() { h(1, 2); } }"), with("class Z { int g = 33; }")
	rare := alike(weighOutlines(append(few, a, b)), 8, 9).Whole
	common := alike(weighOutlines(append(many, a, b)), 8, 9).Whole
	if common >= rare {
		t.Errorf("shared code of all: %.3f, of two: %.3f", common, rare)
	}
}

// TestImportsCount compares a program with itself under its own imports and under others.
func TestImportsCount(t *testing.T) {
	var set []*Outline
	for _, imports := range []string{"import a.Heap; import a.Queue;", "import a.Heap; import a.Queue;", "import b.Stack; import b.Tree;"} {
		set = append(set, outline(t, "A.java", imports+original))
	}
	for i := range 5 {
		set = append(set, outline(t, "B.java", fmt.Sprintf("import c.X%d; %s", i, other)))
	}
	s := weighOutlines(set)
	if same, others := alike(s, 0, 1).Whole, alike(s, 0, 2).Whole; same < 0.9 || others > same-0.1 {
		t.Errorf("with its own imports %.3f, with others %.3f", same, others)
	}
}

// TestRunsStayInFiles: an end of a file is in no run. It is no token either, so two programs of as many tokens are not alike for that.
func TestRunsStayInFiles(t *testing.T) {
	var at []int32
	for _, g := range gramsOf([]uint32{7, 8, endOfFile, 9, 7, 8, endOfFile, 7, endOfFile}, 2) {
		at = append(at, g.at)
	}
	if slices.Sort(at); !slices.Equal(at, []int32{0, 3, 4}) {
		t.Errorf("runs of two begin at %v", at)
	}
	a, b := outline(t, "A.java", "class A { int f = 1; }"), outline(t, "A.java", "class A { int f = 1; }")
	b.Add([]byte("class B {}"), nil, nil)
	if !slices.Equal(a.single, b.single) {
		t.Errorf("with a file more that is empty: %v, not %v", b.single, a.single)
	}
}

// TestSeparatorsAreNotSingle: braces and parentheses that add no meaning are left out of single tokens.
func TestSeparatorsAreNotSingle(t *testing.T) {
	a, b := outline(t, "A.java", "class A { int f(int a) { if (a > 0) return a; return 1; } }"), outline(t, "A.java", "class A { int f(int a) { if ((a > 0)) { return (a); } return 1; } }")
	if !slices.Equal(a.single, b.single) {
		t.Errorf("%v and %v", a.single, b.single)
	}
}

// TestShortProgramsNeedMore: of two pairs that have three quarters in common, the one of longer programs is more alike.
func TestShortProgramsNeedMore(t *testing.T) {
	pair := func(size int) float64 {
		var os []*Outline
		for i := range uint32(6) {
			o := new(Outline)
			for k := range uint32(size) {
				if own := 1 + k + 1000*(i+1); k%4 == 0 || i > 1 {
					o.single = append(o.single, own)
				} else {
					o.single = append(o.single, 1+k)
				}
			}
			os = append(os, o)
		}
		return alike(weighOutlines(os), 0, 1).Whole
	}
	if short, long := pair(12), pair(120); short > long-0.02 || long > 0.75 {
		t.Errorf("programs of 12 tokens are %.3f alike, of 120 tokens %.3f", short, long)
	}
}

// TestStatementsAreRead compares statements under rewriting: another order within them, other
// brackets or another layout do not change what is read of them.
func TestStatementsAreRead(t *testing.T) {
	of := func(name, src string) []uint64 {
		out := outline(t, name, src).statements
		slices.Sort(out)
		return out
	}
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"A.java", `class A { void f() { int s = 1 + x; if (s < 9) g(s); } }`, `class A { void f() { long s = (x + 1); if (9 > (s)) g(s); } }`, true},
		{"A.java", `class A { void f() { a = 1; b = 2; } }`, "class A { void f() {\n\n b = 2;\n a\n = 1;\n } }", true},
		{"A.java", `class A { void f() { a = 1; b = 2; } }`, `class A { void f() { a = 1; b = 3; } }`, false},
		{"A.java", `class A { void f() { a = 1; b = 2; } }`, `class A { void f() { a = 2 + b; } }`, false},
		{"a.js", "function f() {\n  g(`x ${a.b} y`, 1);\n  h();\n}\n", "function f() {\n  h();\n  g(1, `x ${a.b} y`);\n}\n", true},
		{"a.kt", "fun f() {\n  g(\"x ${a.b} y\", 1)\n  h()\n}\n", "fun f() {\n  h()\n  g(1, \"x ${a.b} y\")\n}\n", true},
		{"a.py", "a = f(1,\n  2)\nb = 3\n", "b = 3\na = f(1, 2)\n", true},
		{"a.py", "a = 1\nb = 2\n", "a = 1, b = 2\n", false},
		{"a.go", "package a\nfunc f() {\n\tg(func() {\n\t\tx = 1\n\t\ty = 2\n\t})\n}\n", "package a\nfunc f() {\n\tg(func() {\n\t\ty = 2\n\t\tx = 1\n\t})\n}\n", true},
	} {
		if got := slices.Equal(of(c.name, c.a), of(c.name, c.b)); got != c.same {
			t.Errorf("%q and %q: same is %v", c.a, c.b, got)
		}
	}
}

// A copy with other input and output around it still shares long stretches of code. They count in addition to the single
// statements.
func TestStretchesOfCodeCount(t *testing.T) {
	body := func(n int, io string) string {
		out := "class A { public static void main(String[] args) { "
		for i := range 12 {
			out += fmt.Sprintf("%s for (int i%d = %d; i%d < n; i%d++) { if (v[i%d] %% %d == w[i%d - 1]) { v[i%d] = w[i%d] + v[n - i%d]; } else { w[i%d]--; } } ", fmt.Sprintf(io, i), i, n*i, i, i, i, n+i, i, i, i, i, i)
		}
		return out + "} }"
	}
	set := []*Outline{outline(t, "A.java", body(2, "x%d = in.nextInt();")), outline(t, "B.java", body(2, "String s%d = r.readLine(); p(s);")), outline(t, "C.java", other)}
	for i := range 5 {
		set = append(set, outline(t, "D.java", fmt.Sprintf("class D%d { void d%d() { if (x%d) { y(\"%d\"); } } }", i, i, i, i)))
	}
	s := weighOutlines(set)
	if c := s.units[0].code.shared(&s.units[1].code); c < 0.6 {
		t.Errorf("stretches of a copy: %.2f", c)
	}
	if c := s.units[0].code.shared(&s.units[2].code); c > 0.1 {
		t.Errorf("stretches of another program: %.2f", c)
	}
}

// TestTilesAreDisjoint compares random structures: a covered word is in one tile, a tile
// has one partner, and both sides have as many covered words.
func TestTilesAreDisjoint(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var os [2]*Outline
		for i := range os {
			os[i] = new(Outline)
			for range r.IntN(400) {
				os[i].structure = append(os[i].structure, uint32(1+r.IntN(2)))
			}
		}
		s := weighOutlines(os[:])
		tiles := new(tiling)
		tiles.tile(&s.units[0].structure, &s.units[1].structure)
		n, m := bytes.Count(tiles.inA, []byte{1}), bytes.Count(tiles.inB, []byte{1})
		if n != m {
			t.Fatalf("%d words covered on one side, %d on the other", n, m)
		}
		if l := alike(s, 0, 1); l.Whole < 0 || l.Whole > 1 {
			t.Fatalf("%+v", l)
		}
	}
}

func TestRepetitiveCode(t *testing.T) {
	long := &Outline{structure: slices.Repeat([]uint32{1}, 200_000), values: slices.Repeat([]uint32{1}, 200_000)}
	s := weighOutlines([]*Outline{long, long, new(Outline)})
	if l := alike(s, 0, 1); l.Whole < 0.999 {
		t.Errorf("%+v", l)
	}
	if l := alike(s, 0, 2); l.Whole != 0 {
		t.Errorf("nothing: %+v", l)
	}
	if l := alike(s, 2, 2); l.Whole != 0 {
		t.Errorf("nothing with itself: %+v", l)
	}
}

// A copy stays a copy if other code surrounds it. Two programs of equal length with as much in
// common would not be alike.
func TestCodeAroundACopyHidesLittle(t *testing.T) {
	rest := ""
	for i := range 12 {
		rest += fmt.Sprintf("class R%d { int f%d(int a, String b) { while (a > %d) { a = g%d(b, a * %d); } return a; } }\n", i, i, 7*i, i, i+2)
	}
	units := []*Outline{outline(t, "A.java", original), outline(t, "B.java", original+rest), outline(t, "C.java", other)}
	for i := range 4 {
		units = append(units, outline(t, "D.java", fmt.Sprintf("class D%d { void d%d() { if (x%d) { y(\"%d\"); } } }", i, i, i, i)))
	}
	s := weighOutlines(units)
	padded, strange := alike(s, 0, 1), alike(s, 0, 2)
	if padded.Whole < 0.42 || strange.Whole > 0.2 {
		t.Errorf("copy among other code %+v, other program %+v", padded, strange)
	}
	if back := alike(s, 1, 0); back != padded {
		t.Errorf("%+v one way, %+v the other", padded, back)
	}
}

func TestPart(t *testing.T) {
	for _, c := range []struct{ shared, a, b, want float64 }{
		{0, 0, 0, 0}, {0, 5, 0, 0}, {6, 6, 6, 1}, {3, 6, 6, 0.5}, {6, 6, 6 * 2.718281828459045, 1 / 1.5}, {7, 6, 6, 1},
	} {
		if got := part(c.shared, c.a, c.b); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("part(%v, %v, %v) = %v, want %v", c.shared, c.a, c.b, got, c.want)
		}
	}
}
