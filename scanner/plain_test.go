package scanner_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// piece is a text that a service gives to everybody who links to it.
const piece = `Thanks go to all who sent patches to this tool. Kind backers keep our servers running: every month we thank each of them
here, with a logo, a link to their site and a few words of praise. Sponsors above silver appear on top, next to the badge.
`

// TestPlainText: a piece that two documents share is no finding, since anybody may have it from a third. In code without a grammar it is
// one, and so is a document that is copied as a whole.
func TestPlainText(t *testing.T) {
	theirs := prose(t, "fmt/doc.go")
	ours := strings.ToUpper(theirs) // other words
	script := func(own string) string { return "sub thank {\n" + piece + "}\n" + own }
	b := based(t, pack{"pkg:generic/theirs@1", "MIT", "2020-01-01", files{
		"README.md": theirs + "\n" + piece, "short.md": piece, "thank.pl": script(theirs),
	}})
	found := func(name, text string, least float64) []finding.Finding {
		return tree(t, scan(t, scanner.Options{Options: examine.Options{MinScore: least}}, b), files{name: text}.dir(t)).Findings
	}
	if fs := found("README.md", ours+"\n"+piece, examine.DefaultMinScore); len(fs) > 0 {
		t.Errorf("score %v, %v of the file: %v", fs[0].Score, fs[0].FileShare, fs[0].Reasons)
	}
	if fs := found("README.md", ours+"\n"+piece, score.Enough-0.001); len(fs) != 1 || !score.DoubtedPlain(fs[0].Score) || fs[0].ScoredBy.Above < 0 ||
		!strings.Contains(strings.Join(fs[0].Reasons, "\n"), "% of the file agrees") {
		t.Errorf("not doubted: %+v", fs)
	}
	for name, text := range map[string]string{"short.md": piece, "thank.pl": script(ours), "thank": "#!/usr/bin/perl\n" + script(ours)} {
		if fs := found(name, text, examine.DefaultMinScore); len(fs) != 1 || score.DoubtedPlain(fs[0].Score) {
			t.Errorf("%s: %d findings", name, len(fs))
		}
	}
}
