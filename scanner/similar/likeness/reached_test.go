package likeness

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

func program(t testing.TB, name, src string) Program {
	t.Helper()
	return NewProgram([]File{file(t, name, src)})
}

func file(t testing.TB, name, src string) File {
	t.Helper()
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	l := lang.Detect(name, []byte(src)).Language
	s, err := tz.Tokenize(l, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return File{Language: l, Text: []byte(src), Tokens: s.Tokens}
}

// TestUnreached names the functions that are left out of programs.
func TestUnreached(t *testing.T) {
	for name, c := range map[string]struct{ files, out []string }{
		"calls":       {[]string{"int a() { return 1; } int b() { return a(); } int c() { return c(); } int main() { return b(); }"}, []string{"c"}},
		"no main":     {[]string{"int a() { return 1; } int b() { return a(); }"}, nil},
		"prototype":   {[]string{"int a(); int a() { return 1; } int main() { return 0; }"}, nil},
		"other file":  {[]string{"int main() { return a(); }", "int a() { return 1; } int b() { return 2; }"}, []string{"b"}},
		"two in turn": {[]string{"int a() { return b(); } int b() { return a(); } int main() { return 0; }"}, []string{"a"}}, // each is mentioned by one that is not reached
		"pointer":     {[]string{"int a() { return 1; } int main() { sort(v, a); }"}, nil},
	} {
		var files []File
		for i, src := range c.files {
			files = append(files, file(t, fmt.Sprintf("f%d.c", i), src))
		}
		masks, got := unreached(files), map[string]bool{}
		for f, m := range masks {
			for i, out := range m {
				if out && i+1 < len(m) && files[f].word(i+1) == "(" {
					got[files[f].word(i)] = true
				}
			}
		}
		for _, fn := range c.out {
			if !got[fn] {
				t.Errorf("%s: %s is taken for reached", name, fn)
			}
		}
		if c.out == nil && masks != nil {
			t.Errorf("%s: %v are left out", name, got)
		}
	}
	java := file(t, "A.java", `class A { public static void main(String[] a) { new T(3).f(); } }
class T implements Comparable<T> { T(int n) { } void f() { } @Override public int size() { return 1; } public int compareTo(T o) { return 0; } void g() { } }`)
	if masks := unreached([]File{java}); masks == nil {
		t.Error("g is taken for reached")
	} else {
		for i, out := range masks[0] {
			if w := java.word(i); out && (w == "size" || w == "compareTo" || w == "T" || w == "f") {
				t.Errorf("%s is left out", w)
			}
		}
	}
}

// TestUnreachedClasses names the words that are left out of programs because nothing that is reached names their class or a method of it.
func TestUnreachedClasses(t *testing.T) {
	main := "class A { public static void main(String[] args) { Q q = new Q(); q.put(1); } }\n"
	for name, c := range map[string]struct {
		file, src string
		in, out   []string
	}{
		"unused":         {"A.java", main + "class Q { void put(int i) { } } class Pair implements Comparable<Pair> { int x1; Pair(int a) { } public int compareTo(Pair o) { return x1; } public String toString() { return s1; } }", []string{"put"}, []string{"Pair", "x1", "compareTo", "toString", "s1"}},
		"same method":    {"A.java", main + "class Q { void put(int i) { toString(); } } class R { void put(int i) { r1(); } } class S { public String toString() { return s1; } }", []string{"R", "r1"}, []string{"S", "s1"}},
		"used by class":  {"A.java", main + "class Q { R r; void put(int i) { r.go(); } } class R { public int hashCode() { return h1; } void go() { g1(); } }", []string{"R", "h1", "g1"}, nil},
		"base class":     {"A.java", main + "class Q extends R { } class R { void put(int i) { r1(); } }", []string{"R", "r1"}, nil},
		"class in class": {"A.java", "class A { class Q { class R { int r1; } void put(int i) { q1(); } } public static void main(String[] args) { new Q().put(1); } }", []string{"q1"}, []string{"R", "r1"}},
		"names itself":   {"A.java", main + "class Q { void put(int i) { } } class R { R next; R() { new R(); } }", nil, []string{"R", "next"}},
		"annotated":      {"A.java", main + "class Q { void put(int i) { } } @Controller class R { @Get int go() { return g1; } } class T { @Test void check() { c1(); } }", []string{"R", "g1", "T", "c1"}, nil},
		"template":       {"a.cpp", "template <class T> struct Q { void put(T i) { p1(); } }; struct R { bool operator<(const R& o) const { return r1; } }; int main() { Q<int> q; q.put(1); }", []string{"p1"}, []string{"r1"}},
		"typedef":        {"a.c", "typedef struct node { int n1; } Node; struct other { int o1; } list[9]; struct spare { int s1; }; struct node f(int a) { return f1; } int main() { Node n; list[0] = f(n); }", []string{"n1", "o1", "f1"}, []string{"s1"}},
		"python":         {"a.py", "class Q:\n    def __init__(self):\n        self.q1 = 1\n\nclass R:\n    def __init__(self):\n        self.r1 = 2\n\n    @property\n    def put(self):\n        return 3\n\ndef main():\n    print(Q())\n", []string{"q1"}, []string{"R", "r1"}},
	} {
		f := file(t, c.file, c.src)
		masks := unreached([]File{f})
		left, gone := map[string]bool{}, map[string]bool{}
		for i := range f.Tokens {
			if masks != nil && masks[0][i] {
				gone[f.word(i)] = true
			} else {
				left[f.word(i)] = true
			}
		}
		for _, w := range c.in {
			if !left[w] {
				t.Errorf("%s: %s is left out", name, w)
			}
		}
		for _, w := range c.out {
			if !gone[w] {
				t.Errorf("%s: %s is taken for reached", name, w)
			}
		}
	}
}

// TestNestedClasses: many classes in each other, of which each names the next, take no time.
func TestNestedClasses(t *testing.T) {
	const n = 20_000
	var b strings.Builder
	b.WriteString("class A { public static void main(String[] args) { new C0(); } }\n")
	for i := range n {
		fmt.Fprintf(&b, "class C%d { C%d c;\n", i, i+1)
	}
	b.WriteString("int last; " + strings.Repeat("}", n) + " class D { int out; }")
	f := file(t, "A.java", b.String())
	masks := unreached([]File{f})
	for i := range f.Tokens {
		if w := f.word(i); w == "last" && masks[0][i] || w == "out" && !masks[0][i] {
			t.Errorf("%s is on the wrong side", w)
		}
	}
}

const solution = `static int solve(int n, int[] v) { int best = 0; for (int i = 0; i < n; i++) { int j = i; while (j < n && v[j] > 7 * i) { j += 2; } best = Math.max(best, j - i); if (best > 4096) { return best - 13; } } return best; }
public static void main(String[] args) { int n = read(); int[] v = new int[n]; for (int i = 0; i < n; i++) { v[i] = read() ^ 31; } System.out.println("best: " + solve(n, v)); }
static int read() { return System.in.read() - 48; }`

// template is functions of a person's own that no program of the person calls.
func template(person int) string {
	r := rand.New(rand.NewPCG(uint64(person), 3))
	forms := []string{"while (a > %d) { a = a / %d; }", "if (s.length() > %d) { s = s + \"%d\"; }", "for (int i = %d; i < a; i++) { a += i * %d; }", "do { a = a ^ %d; } while (a != %d);",
		"switch ((int) a) { case %d: return %d; default: break; }", "try { s = s.substring(%d); } catch (Error e) { throw new Error(\"%d\"); }", "a = a == %d ? a - 1 : a * %d;", "s = String.valueOf(s.charAt(%d) + %d);"}
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "static long t%d(long a, String s) { ", i)
		for range 6 {
			fmt.Fprintf(&b, forms[r.IntN(len(forms))]+" ", r.IntN(9999), r.IntN(9999))
		}
		b.WriteString("return a; }\n")
	}
	return b.String()
}

// A copy in another template stays a copy: functions that are never called are not part of the solution.
func TestTemplatesHideLittle(t *testing.T) {
	set := []Program{
		program(t, "A.java", "class A { "+solution+template(1)+" }"),
		program(t, "B.java", "class B { "+strings.ReplaceAll(solution, "best", "top")+template(2)+" }"),
	}
	for i := range 6 {
		set = append(set, program(t, "C.java", fmt.Sprintf(`class C { public static void main(String[] args) { String s = next(); int k%d = s.indexOf("%d"); do { s = s.substring(k%d); System.out.print(s.charAt(%d)); } while (s.length() > %d); switch (k%d) { case 1: f(); break; default: throw new Error("%d"); } } %s }`, i, i, i, i, i, i, i, template(3+i))))
	}
	s := NewSet(set)
	if whole := alike(s.weighed, 0, 1).Whole; whole > 0.5 {
		t.Fatalf("in whole they are %.2f alike: the templates are too short for this test", whole)
	}
	if copied, other := similarity(s, 0, 1), similarity(s, 0, 2); copied < 0.8 || other > copied-0.4 {
		t.Errorf("copy %.2f, other program %.2f", copied, other)
	}
	if short := program(t, "A.java", "class A { public static void main(String[] args) { f(1); } static void f(int i) { } static void g(int i) { } }"); short.Reached != nil {
		t.Error("a main of a few words leaves the rest of the program out")
	}
}

// A template that two programs carry along, and neither reaches, makes them little more alike. Code that one of them reaches does:
// in a copy a call may be gone.
func TestTemplatesOfBothCountLittle(t *testing.T) {
	own := func(i int) string {
		return fmt.Sprintf(`public static void main(String[] args) { String s = next(); int k%d = s.indexOf("%d"); do { s = s.substring(k%d); System.out.print(s.charAt(%d)); } while (s.length() > %d); switch (k%d) { case 1: print(%d); break; default: throw new Error("%d"); } for (char c : s.toCharArray()) { if (c == '%d') { s = s + c; } else { s = c + s; } } System.out.println(s + "%d" + s); }`, i, i, i, i, i, i, i, i, i, i)
	}
	set := []Program{
		program(t, "A.java", "class A { "+solution+template(1)+" }"),
		program(t, "B.java", "class B { "+own(1)+template(1)+" }"),
		program(t, "C.java", "class C { "+own(2)+template(2)+" }"),
		program(t, "D.java", "class D { "+strings.Replace(own(2), "next()", "next(); "+callsOf(template(2)), 1)+template(2)+" }"),
	}
	for i := range 6 {
		set = append(set, program(t, "E.java", "class E { "+own(9+i)+template(9+i)+" }"))
	}
	s := NewSet(set)
	if whole, got := alike(s.weighed, 0, 1).Whole, similarity(s, 0, 1); whole < 0.5 || got > whole/2 {
		t.Errorf("a template that neither reaches makes two programs %.2f alike; in whole they are %.2f alike", got, whole)
	}
	if s.reached[3] != &s.units[3] {
		t.Fatal("not all of the last program is reached")
	}
	if whole, got := alike(s.weighed, 2, 3).Whole, similarity(s, 2, 3); got < whole {
		t.Errorf("a copy with a call less is %.2f alike, not %.2f", got, whole)
	}
}

// callsOf calls the functions that a source declares.
func callsOf(src string) (out string) {
	for _, m := range regexp.MustCompile(`static long (\w+)`).FindAllStringSubmatch(src, -1) {
		out += m[1] + "(1, s); "
	}
	return out
}

// TestUsual: code that all programs of a set share makes no two of them alike. Copies stay copies, even if most of the set is one copy.
func TestUsual(t *testing.T) {
	expect := func(set []Program) *Set {
		s, usual := NewSet(set), make([]Usual, len(set))
		for i := range usual {
			usual[i] = s.Usual(i, s.Both)
		}
		s.Expect(usual)
		return s
	}
	var class []Program
	for i := range 9 {
		class = append(class, program(t, "A.java", fmt.Sprintf("%s class X%d { int f() { return g(%d); } }", original, i, i)))
	}
	class = append(class, class[0])
	before, s := similarity(NewSet(class), 1, 2), expect(class)
	if got := similarity(s, 1, 2); got > before-0.15 {
		t.Errorf("all are alike by %.2f, and two of them still by %.2f", before, got)
	}
	if same := similarity(s, 0, 9); same < 0.999 {
		t.Errorf("equal programs: %.3f", same)
	}
	copies := []Program{program(t, "B.java", other)}
	for range 12 {
		copies = append(copies, program(t, "A.java", original))
	}
	if same := similarity(expect(append(copies, program(t, "B.java", disguised))), 1, 2); same < 0.4 { // they are short
		t.Errorf("copies that are most of a set: %.3f", same)
	}
	if u := NewSet(copies[:minUnits-1]).Usual(0, nil); u.whole.like != nil {
		t.Errorf("of %d programs %v is usual", minUnits-1, u)
	}
}

// TestUsualOfPair: code that all were given is usual. Code of a group of copies is not, for the pairs of the group, even if the group
// is two thirds of the set.
func TestUsualOfPair(t *testing.T) {
	for _, c := range []struct {
		n, copies int
		given     float64
	}{{60, 0, 0.5}, {60, 30, 0.5}, {60, 40, 0.1}, {20, 8, 0.1}} {
		s := &Set{weighed: &weighed{units: make([]unit, c.n)}}
		usual := make([]Usual, c.n)
		for i := range usual {
			usual[i] = s.Usual(i, func(i, j int) Both {
				if i < c.copies && j < c.copies {
					return Both{0.9, 0.9, 0}
				}
				return Both{c.given, c.given, 0}
			})
		}
		s.Expect(usual)
		if got := s.expected(&s.usual[0].whole, &s.usual[1].whole); got != c.given {
			t.Errorf("%d copies of %d programs: %v is usual, not %v", c.copies, c.n, got, c.given)
		}
	}
	if got := (&row{like: []float64{1, 0.5, 0.5}, order: []int32{1, 2}}).against(&row{like: []float64{0.5, 1, 1}}, usualPart); got != 0 {
		t.Errorf("all others are the second program: %v", got)
	}
}

// TestOrderBelowUsual: pairs that are less alike than usual keep their order.
func TestOrderBelowUsual(t *testing.T) {
	less, more, above := beyond(0.1, 0.5, belowUsual), beyond(0.3, 0.5, belowUsual), beyond(0.6, 0.5, belowUsual)
	if less <= 0 || less >= more || more >= above || beyond(0.3, 0.5, 0) != 0 {
		t.Errorf("%v, %v, %v", less, more, above)
	}
}

// TestUsualIsCheap: programs are compared with few marks, the same for all, and never with themselves.
func TestUsualIsCheap(t *testing.T) {
	for n, want := range map[int]int{minUnits: minUnits, usualMarks + 1: usualMarks, manyUnits: usualMarks, manyUnits + 1: fewMarks} {
		s, asked := &Set{weighed: &weighed{units: make([]unit, n)}}, make(map[int]bool)
		for _, i := range []int{0, n - 1} {
			s.Usual(i, func(i, j int) Both {
				if asked[j] = true; j == i {
					t.Errorf("%d programs: %d is compared with itself", n, i)
				}
				return Both{}
			})
		}
		if len(asked) != want {
			t.Errorf("of %d programs %d are compared, not %d", n, len(asked), want)
		}
	}
}
