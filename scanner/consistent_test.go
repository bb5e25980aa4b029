package scanner_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// TestConsistently: a report says "consistently" only if a renamed name occurs twice. One place proves no map.
func TestConsistently(t *testing.T) {
	text := std(t, "strings/replace.go")
	from := strings.Index(text, "func (r *genericReplacer) lookup(")
	to := from + strings.Index(text[from:], "\n}\n") + 3
	lookup := text[from:to] // it names itself once, and ignoreRoot twice
	for _, c := range []struct{ from, to, said, reason string }{
		{"lookup", "search", " renamed (each name once), ", ": 1 name renamed (each once)"},
		{"ignoreRoot", "skipTop", " renamed consistently, ", ": 1 name renamed consistently"},
	} {
		renamed := "package search\n\n" + strings.ReplaceAll(lookup, c.from, c.to)
		r := tree(t, scan(t, scanner.Options{}, stdBaseline(t)), files{"search.go": renamed}.dir(t))
		if len(r.Findings) != 1 {
			t.Fatalf("%s: %d findings, want 1", c.from, len(r.Findings))
		}
		f := &r.Findings[0]
		if said := words.ScoreOf(f, 0).String(); !strings.Contains(said, c.said) {
			t.Errorf("%s: %q does not say %q", c.from, said, c.said)
		}
		if reasons := strings.Join(f.Reasons, "\n"); !strings.Contains(reasons, c.reason) {
			t.Errorf("%s: %q does not say %q", c.from, reasons, c.reason)
		}
	}
}
