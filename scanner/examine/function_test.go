package examine

import (
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

func TestFunction(t *testing.T) {
	for _, c := range []struct{ language, text, at, name string }{
		{"go", "package p\nfunc (r *T) Get(a int) (int, error) {\n\tif f(a) {\n\t\tx()\n\t}\n\treturn 1, nil\n}\nvar y = 1\n", "x()", "Get"},
		{"go", "package p\nfunc a() { one() }\nfunc b() { two() }\n", "two()", "b"},
		{"go", "package p\nfunc a() { one() }\nvar x = two()\n", "two()", ""},
		{"java", "class A { int f(int a) throws E { while (x) { g(); } return 1; } }", "g();", "f"},
		{"javascript", "function f(a) { return { b: 1 }; }\n", "b: 1", "f"},
		{"python", "def f(a,\n  b\n):\n    x = 1\n    def g():\n        y = 2\n    z = 3\n\nw = 4\n", "z = 3", "f"},
		{"python", "def f():\n    x = 1\nw = 4\n", "w = 4", ""},
	} {
		l := lang.ByName(c.language)
		if l == nil {
			t.Skip("built without grammars")
		}
		z := lang.NewTokenizer(lang.Limits{})
		s, err := z.Tokenize(l, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		st := Stream{Language: l, Text: []byte(c.text), Tokens: s.Tokens, Lines: lang.Lines([]byte(c.text))}
		if f := innermost(st.findBodies(), tokensOf(st, c.at)); f == nil && c.name != "" || f != nil && st.word(int(f.name)) != c.name {
			t.Errorf("%s: %q lies in %+v, not in %q", c.language, c.at, f, c.name)
		}
		z.Close()
	}
}

// tokensOf is the region of a piece of text.
func tokensOf(st Stream, piece string) region {
	from := len(st.Text)
	for i := range st.Text {
		if string(st.Text[i:min(len(st.Text), i+len(piece))]) == piece {
			from = i
			break
		}
	}
	var r region
	for i, k := range st.Tokens {
		if int(k.Start) < from {
			r.from = uint32(i + 1)
		}
		if int(k.Start) < from+len(piece) {
			r.to = uint32(i + 1)
		}
	}
	return r
}
