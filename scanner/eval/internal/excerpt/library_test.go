package excerpt

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
)

// A name is a library's when enough others call it and its own file does not
// declare it.
func TestLibraryNames(t *testing.T) {
	l := make(library)
	others := map[string]string{
		"go":   "package p\n\nfunc g() { x := fmt.Sprint(1); call(x) }\n\nfunc f() {\n\tprint(x.own())\n}\n",
		"java": "class B { int g() { x = fmt.Sprint(1); call(x); print(x.own()); } }\n",
		"js":   "function g() { x = fmt.Sprint(1); call(x); print(x.own()); }\n",
		"py":   "def g():\n    x = fmt.Sprint(1)\n    call(x)\n    print(x.own())\n",
	}
	own := map[string]string{
		"go":   "package p\n\nfunc f(a int) {\n\ty := a\n\tfmt.Sprint(y.own(), other(y))\n\tcall(print(y))\n\tuse(y)\n}\n\nfunc own() {}\n\nfunc use() {}\n",
		"java": "class A { void f(int a) {\n int y = a; fmt.Sprint(y.own(), other(y)); call(print(y)); use(y); }\n void own() { } void use() { } }\n",
		"js":   "function f(a) {\n  let y = a;\n  fmt.Sprint(y.own(), other(y));\n  call(print(y));\n  use(y);\n}\nfunction own() { }\nfunction use() { }\n",
		"py":   "def f(a):\n    y = a\n    fmt.Sprint(y.own(), other(y))\n    call(print(y))\n    use(y)\ndef own():\n    pass\ndef use():\n    pass\n",
	}
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	for name, src := range own {
		clear(l)
		for _, pkg := range []string{"one", "two", "three", "four"}[:libraryPackages] {
			o := Read(tz, corpus.File{Lang: name, Path: "x." + name}, []byte(others[name]))
			if o == nil {
				t.Fatalf("%s: the other makes no sense", name)
			}
			l.learn(o, pkg)
		}
		c := Read(tz, corpus.File{Lang: name, Path: "x." + name}, []byte(src))
		if c == nil {
			t.Fatalf("%s: the sample makes no sense", name)
		}
		got := slices.Sorted(maps.Keys(l.fixed(c, 0, len(c.Toks), "mine")))
		if strings.Join(got, " ") != "Sprint call fmt print" {
			t.Errorf("%s: the library has %v", name, got)
		}
		if got := l.fixed(c, 0, len(c.Toks), "two"); len(got) != 0 {
			t.Errorf("%s: %v are called in %d other packages only", name, got, libraryPackages-1)
		}
	}
}
