package imports

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
)

func TestIn(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"go", "package a\n\nimport (\n\ttw \"a.com/b/table/v2\"\n\t\"a.com/go-yes\"\n)\n\nvar x = \"no\"\n", "a.com/b/table/v2: a tw table; a.com/go-yes: go-yes yes go-yes"},
		{"javascript", "import d3, {line as path} from 'd3-shape';\nimport '@a/b/c';\nlet x = 'no';\n", "d3-shape: d3 line as path from d3-shape; @a/b/c: c"},
		{"python", "import os\nimport numpy as np\nfrom a.b import (c,\n  d)\nfrom e import f\nimport g\nfrom .h import i\nfrom ..j import k\nfrom . import l\nx = 'no'\n", "os: os; numpy: numpy np; a: a b c d; e: e f; g: g; .h: h i; .j: j k; .l: l"},
	} {
		tz := lang.NewTokenizer(lang.Limits{})
		st, err := tz.Tokenize(lang.ByName(c.language), []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range Find(lang.ByName(c.language), []byte(c.text), st.Tokens) {
			got = append(got, k.Path+": "+strings.Join(slices.Compact(k.Names), " "))
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s imports %q, want %q", c.language, s, c.want)
		}
		tz.Close()
	}
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		path, purl string
		want       bool
	}{
		{"a.com/b/c/d", "pkg:golang/a.com/b@v1.0.0", true},
		{"a.com/bc", "pkg:golang/a.com/b@v1.0.0", false},
		{"@a/b/c", "pkg:npm/%40a/b@1.0.0", true},
		{"b", "pkg:npm/%40a/b@1.0.0", false},
		{"Flask_Login", "pkg:pypi/flask-login@1.0", true},
		{"b", "pkg:cargo/b@1.0.0", false},
		{"", "pkg:golang/a.com/b@v1.0.0", false},
	} {
		u, err := purl.Parse(c.purl)
		if err != nil {
			t.Fatal(err)
		}
		if k := (Import{Path: c.path}); k.Of(u) != c.want {
			t.Errorf("%q is of %s: %v, want %v", c.path, c.purl, !c.want, c.want)
		}
	}
}

// TestHeaders: the declarations of a library are recognised by the name of its header.
func TestHeaders(t *testing.T) {
	const text = "#include <png.h>\n#include <openssl/evp.h>\n#include \"Python.h\"\n#include <string.h>\n#include <sys/time.h>\n#include <map>\n#include \"jpeglib.h\"\nint a;\n"
	for _, name := range []string{"c", "cpp"} {
		l := lang.ByName(name)
		tz := lang.NewTokenizer(lang.Limits{})
		st, err := tz.Tokenize(l, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		is := Find(l, []byte(text), st.Tokens)
		got := Headers(l, is)
		if s := strings.Join(got, " "); s != "png.h openssl/evp.h Python.h" {
			t.Fatalf("%s: %q", name, s)
		}
		if !Includes(is, "jpeglib.h") || !Includes(is, "other/evp.h") || Includes(is, "zlib.h") {
			t.Errorf("%s: %v", name, is)
		}
		for declared, want := range map[string]bool{"png_ptr": true, "PNG_LIBPNG_VER_STRING": true, "EVP_MD_CTX": true, "OPENSSL_free": true, "PyModuleDef_HEAD_INIT": true,
			"png": false, "pngs_seen": false, "map_size": false, "str_copy": false, "row": false, "p_row": false} {
			if is := slices.ContainsFunc(got, func(h string) bool { return Declares(h, declared) }); is != want {
				t.Errorf("%s: %s is declared: %v", name, declared, is)
			}
		}
		tz.Close()
	}
	for name, want := range map[string]bool{"PHP_FE": true, "zend_parse_parameters": true, "ZEND_NUM_ARGS": true, "zval": false} {
		if Declares("php.h", name) != want || Declares("Python.h", name) {
			t.Errorf("php.h declares %s: %v", name, !want)
		}
	}
	if got := Headers(lang.ByName("go"), []Import{{Path: "<png.h>"}}); got != nil {
		t.Error(got)
	}
}

// TestGiven: a name is fixed by a package where its types, its functions and its interfaces ask for it, and nowhere else.
func TestGiven(t *testing.T) {
	for _, c := range []struct{ language, text, want string }{
		{"go", "package a\n\nvar x = []q.List{{Field: 1, Other: q.Inner{Deep: own{Mine: 2}}}}\n", "q: Deep Field Other"},
		{"go", "package a\n\nfunc f() q.T {\nown:\n\tfor {\n\t\tbreak own\n\t}\n}\n\nvar y = own{Mine: 1, P: map[string]int{k: 2}}\n", ""},
		{"go", "package a\n\nfunc (t *T[K]) Visit(n q.Node) error { return nil }\n\nfunc (T[K]) Name() string { return \"\" }\n\nfunc (t *T[K]) own() {}\n\nfunc (u U) Mine(r io.Reader) {}\n", "io: Mine(r io.Reader); q: Name() string; q: Visit(n q.Node) error"},
		{"python", "class A(q.Base, metaclass=M):\n    own = 1\n\n    def visit(self, node):\n        def inner():\n            pass\n        return q.make(node, deep=f(mine=2), strict=True)\n\ndef free(x=1):\n    pass\n", "A: metaclass; f: mine; free: x; q: deep strict; q: visit"},
		{"python", "class A(q.Base):\n    def", ""}, // a head that is cut off
		{"typescript", "class A<T> extends Base implements q.Visitor {\n  own = mine(1);\n  visit(n: q.Node) { if (x) { call(n); } q.make({deep: {er: 1}, short, run() {}}, () => { no(); }); }\n}\nclass B { free() {} }\n",
			"Base q: visit; q: deep er run short"},
		{"python", "class A(q.Base):\n    def visit(self):\n        return self._own(self.hook())\n\n    def _own(self, x):\n        return x\n\n    def _asked(self):\n        pass\n\n    def hook(self):\n        pass\n", "q: _asked; q: hook; q: visit"},
		{"typescript", "class A extends Base {\n  visit() { return this.own() + this._own() + this.hook(); }\n  private async own() {}\n  _own() {}\n  private asked() {}\n  hook() {}\n}\n", "Base: asked; Base: hook; Base: visit"},
	} {
		l := lang.ByName(c.language)
		tz := lang.NewTokenizer(lang.Limits{})
		st, err := tz.Tokenize(l, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		given := FixedNames(l, []byte(c.text), st.Tokens)
		for owner, names := range given.Keys {
			got = append(got, owner+": "+strings.Join(names, " "))
		}
		for _, m := range given.Methods {
			got = append(got, strings.Join(m.Of, " ")+": "+c.text[st.Tokens[m.From].Start:st.Tokens[m.To-1].End])
		}
		slices.Sort(got)
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s gives %q, want %q", c.language, s, c.want)
		}
		tz.Close()
	}
}
