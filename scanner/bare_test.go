package scanner_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// bared returns a baseline without its texts.
func bared(t *testing.T, b *baseline.Baseline) *baseline.Baseline {
	t.Helper()
	dir := t.TempDir()
	w, err := baseline.OpenWriter(context.Background(), dir, b.Params())
	if err != nil {
		t.Fatal(err)
	}
	err = w.WithoutText(context.Background(), b, func(between []byte) bool { return strings.Contains(string(between), "Copyright") })
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, dir)
}

// TestBareBaseline: without texts the findings of code are the same, and say what is not shown. Copied comments are in the
// ledger.
func TestBareBaseline(t *testing.T) {
	sort := std(t, "sort/sort.go")
	full := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"ring.go": "package known\n\nimport \"fmt\"\n\n" + told + ring, "sort.go": sort, "replace.go": std(t, "strings/replace.go")}})
	bare := bared(t, full)
	code := strings.ReplaceAll(sort[strings.Index(sort, "\nfunc Sort("):], "data", "rows")
	target := files{"copy.go": "package light\n" + code, "light.go": "package light\n\n" + told + beacon}.dir(t)
	var found [2]finding.Finding
	for i, b := range []*baseline.Baseline{full, bare} {
		r := tree(t, scan(t, scanner.Options{}, b), target)
		documented, told := 0, 0
		for _, f := range r.Findings {
			if f.Documentation {
				documented++
			} else {
				found[i] = f
			}
		}
		for _, e := range r.Ledger {
			if e.Reason == finding.ReasonWithoutText && e.Path == "light.go" && strings.Contains(e.Detail, "1 document") {
				told++
			}
		}
		if documented != 1-i || told != i {
			t.Errorf("without text %t: %d copied comments, %d entries of the ledger: %v", i == 1, documented, told, r.Ledger)
		}
	}
	was, is := found[0], found[1]
	if was.Origins[0].WithoutText || !is.Origins[0].WithoutText {
		t.Errorf("without text: %t and %t", was.Origins[0].WithoutText, is.Origins[0].WithoutText)
	}
	shown := strings.Join(is.Text.Origin.Lines, "\n")
	if strings.Contains(shown, "// ") || !strings.Contains(shown, "func Stable(") {
		t.Errorf("shown of the origin is\n%s", shown)
	}
	is.Origins[0].WithoutText, is.Text, was.Text = false, nil, nil
	before, err := json.Marshal(was)
	if err != nil {
		t.Fatal(err)
	}
	if after, err := json.Marshal(is); err != nil || string(after) != string(before) {
		t.Errorf("the finding is\n%s, want\n%s", after, before)
	}
}
