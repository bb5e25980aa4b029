package lang

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	z := NewTokenizer(Limits{})
	defer z.Close()
	for _, c := range []struct {
		src  string
		want []string // "word", "#number" or "'sign"
	}{
		{"", nil},
		{" \t\r\n\v\f\u00a0\u2003\u2028", nil},
		{"One two_three 4th", []string{"One", "two_three", "#4th"}},
		{"x1 0x1F 12.5", []string{"x1", "#0x1F", "#12", "'.", "#5"}},
		{"a-b,c", []string{"a", "'-", "b", "',", "c"}},
		{"Grüße, русский 日本語", []string{"Grüße", "',", "русский", "日本語"}},
		{"cafe\u0301 x", []string{"cafe\u0301", "x"}}, // marks belong to their letter
		{"€5 … «q»", []string{"'€", "#5", "'…", "'«", "q", "'»"}},
		{"٣ apples", []string{"#٣", "apples"}},
		{"a\xffb\xc3", []string{"a", "b"}},
		{"a\x00b\x7fc", []string{"a", "b", "c"}},
		{"\ufeffa\u200bb", []string{"a", "b"}}, // invisible ones part words
		{"\ufffd", []string{"'\ufffd"}},        // spelled out, not from a broken byte
		{"😀!", []string{"'😀", "'!"}},
	} {
		s, err := z.Tokenize(Words(), []byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, token := range s.Tokens {
			text := c.src[token.Start:token.End]
			kind, prefix := kindOf(text), ""
			switch token.Class {
			case Number:
				kind, prefix = kindOf("number"), "#"
			case Keyword:
				prefix = "'"
			}
			if token.Kind != kind || token.Flags != 0 {
				t.Errorf("%q: %q has kind %d, flags %d", c.src, text, token.Kind, token.Flags)
			}
			have = append(have, prefix+text)
		}
		if !slices.Equal(have, c.want) {
			t.Errorf("%q: %q, want %q", c.src, have, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []int // the line of each offset, the end included
	}{
		{"", []int{1}},
		{"ab", []int{1, 1, 1}},
		{"a\nb", []int{1, 1, 2, 2}},
		{"\n\n", []int{1, 2, 3}},
		{"a\r\nb\rc", []int{1, 1, 1, 2, 2, 2, 2}},
	} {
		x := Lines([]byte(c.src))
		for off, want := range c.want {
			if line := x.Line(uint32(off)); line != want {
				t.Errorf("%q at %d: line %d, want %d", c.src, off, line, want)
			}
		}
		if last := x.Line(1 << 31); last != c.want[len(c.want)-1] {
			t.Errorf("%q: line %d behind the end", c.src, last)
		}
	}
}

// TestByName finds every language by its name. An unknown name gives nil.
func TestByName(t *testing.T) {
	for _, l := range append(Languages(), Words()) {
		if ByName(l.Name) != l {
			t.Errorf("%s is not found by its name", l.Name)
		}
	}
	if ByName("nothing") != nil || ByName("") != nil {
		t.Error("a language without a name")
	}
}

// A text of millions of words leaves no room for as many behind.
func TestWordsLetGo(t *testing.T) {
	z := NewTokenizer(Limits{})
	defer z.Close()
	for _, c := range []struct {
		text string
		keep bool
	}{{"a b c", true}, {strings.Repeat("a ", 2*maxKept), false}} {
		s, err := z.Tokenize(nil, []byte(c.text))
		if n := strings.Count(c.text, " "); err != nil || len(s.Tokens) < n || (z.words != nil) != c.keep {
			t.Errorf("%d words: %d tokens, %v, room for %d", n, len(s.Tokens), err, cap(z.words))
		}
	}
}
