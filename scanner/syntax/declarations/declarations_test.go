package declarations_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/declarations"
)

func names(language, text string) []string {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	l := lang.ByName(language)
	toks, err := z.Tokenize(l, []byte(text))
	if err != nil {
		panic(err)
	}
	return slices.Sorted(maps.Keys(declarations.Find(l, []byte(text), toks.Tokens)))
}

func Example() {
	fmt.Println(names("c", "static int area(shape *s)\n{\n\treturn shape_width(s) * s->height;\n}\n"))
	// Output:
	// [area s]
}

// TestIn: what a text declares is told from what it uses. Names in capitals are used only.
func TestIn(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"c", "#define ONE TWO\nenum e { red, green = 2 };\nstruct s { int x; SIZE y; };\nstatic char *f(FOO *a, int b) { unsigned long z = 3; LIST q, *r; return G(a, LAST)->NEXT; }\ntypedef struct p { int k; } t;", "a b e f green k ONE p q r red s t x y z"},
		{"c", "int old(a, b)\n\tFOO a, b;\n{ USED(a); }", "a b old"},
		{"go", "func (s *T) f(a, b INT) (err ERROR) { x, y := G(1), 2; for i := range Z.W {}; var q U; s.V = 3 }\ntype t struct {\n\tfield *X\n\tother []Y\n}", "a b err f field i other q s t x y"},
		{"rust", "fn f<T>(a: &T, mut b: INT) -> INT { let x = G(1); let SOME(y) = Z; FOO!(Q); }\nstruct s { k: INT }", "a b f k s SOME x y"},
		{"rust", "struct a<T> where T: B { c: D }\nenum e { F { g: H } }\nfn i() { let j = A { K: L, M: N { O: 1 } }; j.P = Q; R = 2 }\nstatic k: L = M { N: 1 };", "F T a c e g i j k"},
		{"rust", "impl<'a, T: FROM<U>> ITERATOR for a<'a, T> { type ITEM = B; const MOST: C = 1; fn next<C>(&mut self, ARG: D) -> E where C: F { let b = G; fn c(d: H) {} } }\nimpl a { fn e(&self, f: I) { for g in J { K } } }", "'a T a b c d e f g"},
		{"rust", "extern \"C\" { fn FOREIGN(ARG: INT) -> INT; }\nextern \"C\" fn a(b: INT) { unsafe { FOREIGN(b) } }", "a b"},
		{"c", "static struct USED *a(struct OTHER b) { enum KIND c = ONE | TWO; f(X | Y); return (struct T *) b; }\nstruct d { int e; };", "a b c d e"},
		{"objc", "@implementation a\n- (void)b:(int)c with:(NSString *)d {\n[self REMOVE:d]; e = [[TRACKING ALLOC] INIT:[self BOUNDS] OPTIONS:ONE | TWO OWNER:self];\n}\n+ (int)f {\n}\n@end", "b c d f with"},
		{"scala", "object a { b := 1; val c = f(ITERATIONS = 5, TIME = g); D = 1; case class e(h: I = J) }", "a c e h"},
		{"kotlin", "fun a(b: INT = 1) { val c = D(E = b, F = G); H = c }", "a b c"},
		{"python", "def f(a, b=1):\n    x = G(1)\n    self.y = H.I\n    for i in Z:\n        pass\nclass c(D): pass\n", "a b c f i x y"},
		{"java", "class a extends B { private Map<STRING, X> m = new Y(Q); a(int k) {} public X run(FOO f) { for (BAR b : C) { b.CALL(); } return D; } }", "a b f k m run"},
		{"javascript", "function f(a, {b, c}) { const {d, e} = G; let h = (i, j) => K; this.l = M(N); class o {} }", "a b c d e f h i j l o"},
		{"javascript", "class a { b(c) { D(E); } } class f extends G { H() { } } i.prototype.j = function (k) { return L.M; };", "a b f j k"},
		{"typescript", "class a { private b?: C; d(e: F, g?: H): I { J(K); } async n() { } } class o implements P { Q() { } }", "a b d e g n o"},
		{"cpp", "using a = B::C; template <typename d, typename e = F> class g { typename H::I j; }; using K::L;", "a d e g j"},
		{"php", "<?php function f(FOO $a) { $b = G(1); $this->c = D::E; }", "$a $b $this c f"},
		{"ruby", "def f(a)\n  x = G(1)\n  @y = Z\nend\n", "@y a f x"},
		{"java", "class a { @Override public X RUN(int ARG) throws Y { int b = 1; } @Override @Deprecated public void STOP() { } void c(int d) { CALL(b); } }", "a b c d"},
		{"kotlin", "class a(val b: INT) : C { override fun RUN(ARG: INT): D { val e by F { G(1) }; for (f in H) { I(f) } }\nfun g(h: INT) {} }", "a b e f g h"},
		{"swift", "class a: B { override func RUN(_ ARG: C) { let d = E() }\nfunc f(g: H) {} }", "a d f g"},
		{"scala", "class a extends B { override def RUN(ARG: C) = { val d = E(1) }; def f(g: H) = I }", "a d f g"},
		{"cpp", "class a : public B { void RUN(int ARG) override; int c(int d) const; bool STOP() const override { return E(d); } };", "a c d"},
		{"csharp", "class a { public override void RUN(ref FOO ARG) { var c = G(D.E); } }", "a c"},
		{"csharp", "class a { public INT p; void f(ref FOO b) { var c = G(D.E); } }", "a b c f p"},
	} {
		if !lang.HasGrammars && !lang.ByName(c.language).Lexed() {
			continue
		}
		got := names(c.language, c.text)
		want := strings.Fields(c.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.language, got, want)
		}
	}
}

// TestEchoes: a name repeats its type if it is in the type's name and has four letters.
func TestEchoes(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"c", "VkSubmitInfo submitInfo = {0}; struct wl_seat *seat; const unw_cursor_t *cursor;", "cursor:unw_cursor_t seat:wl_seat submitInfo:VkSubmitInfo"},
		{"c", "VkQueue present_queue; png_structp png; size_t n; FILE *in; return device; int timeout;", ""},
		{"cpp", "void f(const ImGuiWindow &window, std::vector<SDL_Texture*> textures);\nQWidget *widget1; Widget *widget1;", "widget1:QWidget,Widget window:ImGuiWindow"},
		{"go", "func f(reader Reader) {}", ""},
	} {
		z := lang.NewTokenizer(lang.Limits{})
		defer z.Close()
		l := lang.ByName(c.language)
		toks, err := z.Tokenize(l, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for name, types := range declarations.Echoes(l, []byte(c.text), toks.Tokens) {
			got = append(got, name+":"+strings.Join(types, ","))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q: %q, want %q", c.language, c.text, got, c.want)
		}
	}
}
