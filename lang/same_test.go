package lang

import (
	"slices"
	"testing"
)

// Layout and comments are no part of a token whose text is its identity, and
// what only spelling tells apart has one kind.
func TestSameKinds(t *testing.T) {
	grammars(t)
	kinds := func(l, src string) (out []uint32) {
		z := NewTokenizer(Limits{})
		defer z.Close()
		s, err := z.Tokenize(ByName(l), []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range s.Tokens {
			out = append(out, token.Kind)
		}
		return out
	}
	for _, c := range []struct {
		lang, a, b string
		same       bool
	}{
		{"c", "#pragma once\nint a;\n", "#  pragma once\nint a;\n", true},
		{"c", "#pragma once\nint a;\n", "#warning once\nint a;\n", false},
		{"swift", "#if os(Linux)\nlet a = 1\n#endif\n", "#if  os(Linux) // no other\r\nlet a = 1\r\n#endif /* all */\r\n", true},
		{"swift", "#if os(Linux)\nlet a = 1\n#endif\n", "#if os(macOS)\nlet a = 1\n#endif\n", false},
		{"bash", "case $1 in\nstart) a ;;\nesac\n", "case $1 in\nre-start_2) a ;;\nesac\n", true},
		{"bash", "start a\n", "stop a\n", false},
		{"go", "a := `b`\n", "c := \"d\"\n", true},
		{"go", "a := 1\n", "a := \"1\"\n", false},
		{"javascript", "a?.b", "c?.d", true},
		{"java", "int record = yield;", "int a = b;", true},
		{"java", "int a = b >>> c;", "int a = b > > > c;", true},
		{"java", "int a = b >> c;", "int a = b > c;", false},
		{"python", "print(a); match = type\n", "b(c); d = e\n", true},
		{"python", "async = a\n", "b = a\n", false},
		{"scala", "val a = b ++ c", "val a = b -- c", false},
		{"c", "int a; /* Bj\xf6rn */ int b;\n", "int a; /* Bjorn */ int b;\n", true},
		{"php", "$a = 'caf\xe9'; // \xff\n", "$a = 'cafe';\n", true}, // with an opening put before it
		{"java", "int gr\xf6\xdfe = 1;", "int groesse = 1;", true},
		{"scala", "val a = \"\xe9\" // \xc3", "val a = \"e\"", true},
	} {
		if slices.Equal(kinds(c.lang, c.a), kinds(c.lang, c.b)) != c.same {
			t.Errorf("%s: %q and %q: the same is not %v", c.lang, c.a, c.b, c.same)
		}
	}
}
