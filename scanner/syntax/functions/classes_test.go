package functions

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// TestClasses lists the classes of texts with their last tokens.
func TestClasses(t *testing.T) {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	for _, c := range []struct{ language, text, want string }{
		{"java", "public class A<T extends B> extends C implements D<T> { int x; static class E { } enum F { G } }", "A:} E:}"},
		{"java", "record P(int x, int y) implements Q { } interface R { void f(); }", "P:} R:}"},
		{"java", "class A { Class<?> c = A.class; String s() { return \"class B { }\"; } }", "A:}"},
		{"c", "struct a { int x; }; struct b *f(int x) { return 0; } struct b g(int x) { return y; } struct c v = { 1 }; struct d;", "a:}"},
		{"c", "typedef struct a { int x; } A; struct b { int x; } c, *d[9];", "a,A:} b,c,d:}"},
		{"cpp", "template <class T, typename U> class A : public B<T> { public: struct C { }; friend class D; }; enum class E { F };", "A:} C:}"},
		{"csharp", "public class A<T> : B where T : class, new() { public int C => 1; }", "A:}"},
		{"kotlin", "class A(val x: Int = 1) : B(x) { }\nclass C(val y: Int)\nfun f() { }\n", "A:}"},
		{"typescript", "class A { f(b: B) { return `${b.c} }`; } }\ninterface C { d: string }\n", "A:} C:}"},
		{"python", "@dataclass\nclass A(B):\n    x: int\n    class C:\n        y = 1\n\n    def f(self):\n        return 2\nz = 3\n", "A:2 C:1"},
		{"java", "class A { int x;", "A:;"},
	} {
		l := lang.ByName(c.language)
		if l == nil {
			t.Fatalf("no language %q", c.language)
		}
		s, err := tz.Tokenize(l, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		word := func(i int) string { return c.text[s.Tokens[i].Start:s.Tokens[i].End] }
		var got []string
		for _, class := range Classes(l, []byte(c.text), s.Tokens) {
			var names []string
			for _, n := range class.Names {
				names = append(names, word(n))
			}
			got = append(got, strings.Join(names, ",")+":"+word(class.To-1))
		}
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%s %q: %v, want %v", c.language, c.text, got, want)
		}
	}
}
