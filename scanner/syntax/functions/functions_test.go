package functions_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
)

func Example() {
	text := []byte("func pad(s string) string {\n\treturn s + \" \"\n}\n")
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	l := lang.ByName("go")
	toks, err := z.Tokenize(l, text)
	if err != nil {
		panic(err)
	}
	for _, f := range functions.Find(l, text, toks.Tokens) {
		fmt.Printf("%s: tokens %d to %d\n", text[toks.Tokens[f.Name].Start:toks.Tokens[f.Name].End], f.From, f.To)
	}
	// Output:
	// pad: tokens 1 to 13
}

func TestInnermost(t *testing.T) {
	for _, c := range []struct{ language, text, at, name string }{
		{"go", "package p\nfunc (r *T) Get(a int) (int, error) {\n\tif f(a) {\n\t\tx()\n\t}\n\treturn 1, nil\n}\nvar y = 1\n", "x()", "Get"},
		{"go", "package p\nfunc a() { one() }\nfunc b() { two() }\n", "two()", "b"},
		{"go", "package p\nfunc a() { one() }\nvar x = two()\n", "two()", ""},
		{"java", "class A { int f(int a) throws E { while (x) { g(); } return 1; } }", "g();", "f"},
		{"javascript", "function f(a) { return { b: 1 }; }\n", "b: 1", "f"},
		{"go", "package p\nfunc Map[T, U any](in []T, f func(T) U) (out []U) {\n\tx()\n\treturn out\n}\n", "x()", "Map"},
		{"typescript", "function pick<T extends object, K extends keyof T>(of: T, key: K): T[K] { x(); return of[key]; }\n", "x();", "pick"},
		{"javascript", "_.each = function(list, f) { x(); };\n", "x();", "each"},
		{"javascript", "var o = { size: function*() { x(); }, n: 1 };\n", "x();", "size"},
		{"javascript", "const load = async (url) => { x(); };\n", "x();", "load"},
		{"typescript", "export const load: Loader = (url: string): Promise<void> => { x(); };\n", "x();", "load"},
		{"javascript", "const load = async url => { x(); };\n", "x();", "load"},
		{"javascript", "const o = { load: (url) => { x() } }\n", "x()", "load"},
		{"javascript", "f(a);\nclass B { c = { d: x() }; }\n", "x()", ""},
		{"javascript", "f(a)\nclass B { c = { d: x() } }\n", "x()", ""},
		{"javascript", "list.forEach(function(a) { x(); });\n", "x();", ""},
		{"javascript", "list.forEach((a) => { x(); });\n", "x();", ""},
		{"javascript", "if (list[0] > (a)) { x(); }\n", "x();", ""},
		{"python", "def f(a,\n  b\n):\n    x = 1\n    def g():\n        y = 2\n    z = 3\n\nw = 4\n", "z = 3", "f"},
		{"python", "def f():\n    x = 1\nw = 4\n", "w = 4", ""},
		{"ruby", "class A\n  def self.put(b)\n    x(b)\n  rescue E\n    y\n  end\n  z\nend\n", "y", "put"},
		{"ruby", "class A\n  def empty? = x\n  def b\n    y\n  end\n  z\nend\n", "z", ""},
		{"scala", "object A {\n  def f(\n    a: Int\n  ): Int = {\n    x(a)\n  }\n  val z = 1\n}\n", "x(a)", "f"},
		{"scala", "object A {\n  def f(a: Int) = a\n  def g: Int =\n    x\n  val z = 1\n}\n", "z = 1", ""},
		{"lua", "local M = {}\nfunction M.put(a)\n  x(a)\nend\nlocal z = 1\n", "x(a)", "put"},
		{"lua", "local f = function(a)\n  x(a)\nend\n", "x(a)", ""},
		{"typescript", "function f(a: A) {\n  x(`b ${a.id} c`);\n  y();\n}\nz();\n", "y()", "f"},
		{"javascript", "class A {\n  g(a) {\n    x(`${a} ${{ b: 1 }}`);\n    y();\n  }\n}\n", "y()", "g"},
		{"kotlin", "fun f(a: A) {\n    x(\"b ${a.id} c\")\n    y()\n}\nval z = 1\n", "y()", "f"},
		{"objc", "@implementation A\n- (B *)c:(D)e {\n  [self x];\n}\n@end\n", "[self x]", "c"},
		{"objc", "+ (void)a {\n  [b c:^(D *e) {\n    x();\n  }];\n}\n", "x()", "a"},
		{"objcpp", "- (id<B>)a:(void (^)(C *))c\n  d:(E)e\n{\n  x();\n}\n", "x()", "a"},
		{"objc", "int a = b\n- (c) d;\nstruct e { x(); };\n", "x()", ""},
		{"objc", "void a(B *b) {\n  x();\n}\n", "x()", "a"},
		{"bash", "f() {\n  x \"${a} b\"\n  y\n}\nz\n", "y", "f"},
	} {
		l := lang.ByName(c.language)
		if !lang.HasGrammars && !l.Lexed() {
			continue
		}
		z := lang.NewTokenizer(lang.Limits{})
		s, err := z.Tokenize(l, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		from, to := tokensOf(s.Tokens, c.text, c.at)
		name := ""
		if f := functions.Innermost(functions.Find(l, []byte(c.text), s.Tokens), from, to, 0); f != nil {
			n := s.Tokens[f.Name]
			name = c.text[n.Start:n.End]
		}
		if name != c.name {
			t.Errorf("%s: %q lies in %q, not in %q", c.language, c.at, name, c.name)
		}
		z.Close()
	}
}

// TestHeadAtTheStart: the words that stand before a name may be missing, as when a text begins with its function.
func TestHeadAtTheStart(t *testing.T) {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	for text, want := range map[string]string{
		"function Row({ a }) {\n  x();\n}\n":    "Row",
		"function* ids({ a }) {\n  x();\n}\n":   "ids",
		"function ({ a }) {\n  x();\n}\n":       "",
		"async function ({ a }) {\n  x();\n}\n": "",
		"function a b {\n  x();\n}\n":           "",
		"f = async a => {\n  x();\n}\n":         "f",
		"async a => {\n  x();\n}\n":             "",
		"a => {\n  x();\n}\n":                   "",
	} {
		toks, err := z.Tokenize(lang.ByName("javascript"), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range functions.Find(lang.ByName("javascript"), []byte(text), toks.Tokens) {
			got += text[toks.Tokens[f.Name].Start:toks.Tokens[f.Name].End]
		}
		if got != want {
			t.Errorf("%q has the function %q, not %q", text, got, want)
		}
	}
}

func TestOutermost(t *testing.T) {
	got := functions.Outermost([]functions.Function{{Name: 9, From: 8, To: 12}, {Name: 3, From: 2, To: 6}, {Name: 1, From: 0, To: 7}})
	if want := "[{1 0 7} {9 8 12}]"; fmt.Sprint(got) != want {
		t.Errorf("%v, not %v", got, want)
	}
}

// tokensOf are the tokens of a piece of text, from and to.
func tokensOf(toks []lang.Token, text, piece string) (from, to int) {
	start := strings.Index(text, piece)
	for i, k := range toks {
		if int(k.Start) < start {
			from = i + 1
		}
		if int(k.Start) < start+len(piece) {
			to = i + 1
		}
	}
	return from, to
}
