package lang

import (
	"slices"
	"strings"
	"testing"
)

// TestComments: the text between tokens is divided at the end of a licence, and short comments are left out.
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

// whole is a stream of one block with a shape for each token.
type whole struct {
	numbers []byte
	spans   []Span
}

func (w whole) Kinds(int) []byte               { return w.numbers }
func (w whole) Spans(dst []Span, _ int) []Span { return append(dst, w.spans...) }
func (w whole) Lines(int, []Span) []uint32     { return nil }

// TestCommentsAt: comments that are read one by one, at the tokens behind them, equal those of the whole text.
func TestCommentsAt(t *testing.T) {
	for name, text := range map[string]string{
		"go":     "// one two three\npackage a\n\n// four five six\n\n// seven eight nine\nfunc f() {}\n// ten eleven twelve\n",
		"python": "# one two three\nx = 1\ndef f():\n    \"\"\"four five six\n    seven\"\"\"\n    return x # eight nine ten\n",
	} {
		z := NewTokenizer(Limits{})
		s, err := z.Tokenize(ByName(name), []byte(text))
		z.Close()
		if err != nil {
			t.Fatal(err)
		}
		var w whole
		var shapes []Shape
		for i, k := range s.Tokens {
			shapes = append(shapes, Shape{Kind: k.Kind, Class: k.Class, Flags: k.Flags})
			w.numbers, w.spans = append(w.numbers, byte(i)), append(w.spans, Span{Start: k.Start, End: k.End})
		}
		stream := NewBlockStream(len(s.Tokens), shapes, w, nil)
		var all, one, at Comments
		all.Read([]byte(text), 0, s.Tokens, 3)
		var places []int
		for _, of := range all.List {
			places = append(places, min(of.At, len(s.Tokens)-1))
		}
		places = slices.Compact(places)
		at.ReadAt([]byte(text), stream, places, 3)
		if len(all.List) < 3 || !slices.Equal(at.List, all.List) || !slices.Equal(at.Words, all.Words) {
			t.Errorf("%s: %d places give %v, the whole text %v", name, len(places), at.List, all.List)
		}
		for _, i := range places {
			one.ReadAt([]byte(text), stream, []int{i}, 3)
			for _, of := range one.List {
				if min(of.At, len(s.Tokens)-1) != i {
					t.Errorf("%s: token %d has the comment of token %d", name, i, of.At)
				}
			}
		}
	}
}
