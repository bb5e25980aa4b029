package lang

import (
	"slices"
	"strings"
	"testing"
)

// TestComments: what lies between tokens is divided where a licence ends, and short comments are left out.
func TestComments(t *testing.T) {
	for _, c := range []struct {
		name, language, text string
		want                 []string // the words of each comment, and the token behind it
	}{
		{"a licence above", "go", "// One two three.\n\n// Four five\n//\n// six.\npackage a", []string{"One two three package", "Four five six package"}},
		{"a paragraph within", "c", "/* one two\n\nthree four */ int a;", []string{"one two three four int"}},
		{"too short", "go", "package a // one two\n\nvar b int", nil},
		{"at the end", "go", "package a\n// one twó three", []string{"one twó three "}},
		{"a string that documents", "python", "def a():\n    '''One two.\n\n    Three'''\n    b = '''x'''", []string{"One two Three '''One two.\n\n    Three'''"}},
		{"code between", "go", "package a\n\nvar b int // one two three\nvar c int // four five six\n", []string{"one two three var", "four five six "}},
	} {
		z := NewTokenizer(Limits{})
		defer z.Close()
		s, err := z.Tokenize(ByName(c.language), []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var got Comments
		got.Read([]byte(c.text), 0, s.Tokens, 3)
		var have []string
		for _, of := range got.List {
			var words []string
			for _, w := range got.Words[of.From:of.To] {
				words = append(words, c.text[w.Start:w.End])
			}
			at := ""
			if of.At < len(s.Tokens) {
				at = c.text[s.Tokens[of.At].Start:s.Tokens[of.At].End]
			}
			have = append(have, strings.Join(words, " ")+" "+at)
		}
		if !slices.Equal(have, c.want) {
			t.Errorf("%s: %q, want %q", c.name, have, c.want)
		}
	}
}
