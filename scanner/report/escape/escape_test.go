package escape_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "",
		"a/b c.go":             "a/b c.go",
		"naïve/日本/ß→×":         "naïve/日本/ß→×",
		"e\u0301":              "e\u0301", // combining mark
		"\ufffd":               "\ufffd",
		"a\x1b[2Jb":            `a\x1b[2Jb`,
		"a\nb\rc\td\x00e\x7f":  `a\nb\rc\td\x00e\x7f`,
		"\u009b31m":            `\u009b31m`,
		"\u202egpj.exe\u202c":  `\u202egpj.exe\u202c`,
		"\u2066\u2069\u200f":   `\u2066\u2069\u200f`,
		"\u2028\u00a0\u200b":   `\u2028\u00a0\u200b`,
		"\ufeffbom":            `\ufeffbom`,
		"\U000e0041":           `\U000e0041`,
		"a\xff\xc3":            `a\xff\xc3`,
		"ok\xe2\x80":           `ok\xe2\x80`,
		`back\slash "quoted"'`: `back\slash "quoted"'`,
	} {
		if got := escape.Line(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a\x1b[2J\xff\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		e := escape.Line(s)
		if !utf8.ValidString(e) || strings.ContainsAny(e, "\n\r\x1b\u009b\u202e\u2066") || escape.Line(e) != e {
			t.Errorf("Escape(%q) = %q", s, e)
		}
	})
}
