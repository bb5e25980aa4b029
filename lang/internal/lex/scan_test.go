package lex

import (
	"testing"

	"github.com/git-provenance/git-provenance/lang/internal/token"
)

func TestWords(t *testing.T) {
	w := newWords("if else while", map[string]lexeme{"true": boolean})
	for word, want := range map[string]lexeme{
		"if": keyword("if"), "while": keyword("while"), "true": boolean,
		"i": identifier, "iff": identifier, "whale": identifier, "a_name_longer_than_any": identifier,
	} {
		if have := w.of([]byte(word)); have != want {
			t.Errorf("%q: %v", word, have)
		}
	}
}

func TestOperators(t *testing.T) {
	ops := newOperators("> >> >>> >>>= . ...")
	for _, c := range []struct{ src, want string }{
		{">>>=a", ">>>="}, {">>>", ">>>"}, {">>=", ">>"}, {">", ">"}, {"..", "."}, {"....", "..."}, {"=", ""}, {"é", ""},
	} {
		have := ""
		if o := ops.at([]byte(c.src), 0); o != nil {
			have = c.src[:o.n]
			if o.kind != token.Kind(have) {
				t.Errorf("%q: not its kind", c.src)
			}
		}
		if have != c.want {
			t.Errorf("%q: %q, not %q", c.src, have, c.want)
		}
	}
}

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		name      string
		have, len int
	}{
		{"word", wordEnd([]byte("naïve_1-x"), 0, letter|digit), 8},
		{"word with a dollar", wordEnd([]byte("a$b c"), 0, letter|digit|dollar), 3},
		{"quotation marks are no word", wordEnd([]byte("a“b"), 0, letter), 1},
		{"invalid UTF-8 is no word", wordEnd([]byte("a\xffb"), 0, letter), 1},
		{"last line", lineEnd([]byte("ab"), 1), 2},
	} {
		if c.have != c.len {
			t.Errorf("%s ends at %d, not %d", c.name, c.have, c.len)
		}
	}
	for src, want := range map[string]int{`"a"b`: 3, `"a\"b"`: 6, "\"a\nb\"": 2, "\"a\\\nb\"": 6, `"`: 1, `"\`: 2, `""`: 2} {
		if end, _ := quoteEnd([]byte(src), 0); end != want {
			t.Errorf("%q ends at %d, not %d", src, end, want)
		}
	}
}
