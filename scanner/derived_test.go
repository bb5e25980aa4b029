package scanner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// edited is a function of the standard library after years: a statement of another's after every third line, so that no
// run is as long as the guarantee.
func edited(t *testing.T) string {
	text := std(t, "text/tabwriter/tabwriter.go")
	from := strings.Index(text, "func (b *Writer) format(")
	to := from + strings.Index(text[from:], "\n}\n") + 3
	var out strings.Builder
	n := 0
	for line := range strings.Lines(text[from:to]) {
		code, _, _ := strings.Cut(line, "//")
		out.WriteString(line)
		if code = strings.TrimSpace(code); code == "" || code == "}" || strings.HasSuffix(code, ",") {
			continue
		}
		if n++; n%3 == 0 {
			fmt.Fprintf(&out, "\t\tlog.Tracef(\"step %d\", %d, b.level)\n", n, n)
		}
	}
	return out.String()
}

// TestDerived: code that was edited every few lines is found by all that is left of it together.
func TestDerived(t *testing.T) {
	b := based(t, pack{"pkg:generic/known@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "text/tabwriter/tabwriter.go", "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	text := edited(t)
	r := tree(t, scan(t, scanner.Options{}, b), files{"layout.go": "package layout\n\n" + text}.dir(t))
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings, want 1", len(r.Findings))
	}
	f := r.Findings[0]
	lines := strings.Count(text, "\n")
	if !f.Derived || f.Origins[0].Path != "text/tabwriter/tabwriter.go" || f.CloneType != 3 || f.EndLine-f.StartLine < lines*3/4 {
		t.Errorf("%+v; most of %d lines of tabwriter.go should be derived", f, lines)
	}
	for _, run := range f.Runs {
		if run.Tokens > 40 {
			t.Errorf("a run has %d tokens: the edits are too few for this test", run.Tokens)
		}
	}
	if r := f.Reasons; !strings.HasPrefix(r[1], "edited throughout") {
		t.Errorf("reasons %q do not say that it was edited throughout", r)
	}

	// the same shape with the names of nobody
	if r := tree(t, scan(t, scanner.Options{}, b), files{"layout.go": "package layout\n\n" + alike(t, text)}.dir(t)); len(r.Findings) != 0 {
		t.Errorf("without its names it is found: %+v", r.Findings)
	}
}
