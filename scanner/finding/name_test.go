package finding_test

import (
	"testing"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

func TestEscapeName(t *testing.T) {
	for name, want := range map[string]string{
		"a/b c.go":              "a/b c.go",
		"é\n\uFFFD.go":          "é\n\uFFFD.go",
		"\xff.go":               `\xff.go`,
		"\xfe.go":               `\xfe.go`,
		`\xff.go`:               `\\xff.go`,
		"a\\b\xc3/\xed\xa0\x80": `a\\b\xc3/\xed\xa0\x80`,
	} {
		if got := finding.EscapeName(name); got != want || finding.UnescapeName(got) != name {
			t.Errorf("%q: %q, back %q", name, got, finding.UnescapeName(got))
		}
	}
}

// FuzzEscapeName checks that escaped names are valid text and can be unescaped.
func FuzzEscapeName(f *testing.F) {
	for _, s := range []string{"a.go", "\xff", `\xff`, `\\`, `\x`, "\\\xff\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		s := finding.EscapeName(name)
		if back := finding.UnescapeName(s); back != name || !utf8.ValidString(s) {
			t.Errorf("%q: %q: %q", name, s, back)
		}
		finding.UnescapeName(name)
	})
}
