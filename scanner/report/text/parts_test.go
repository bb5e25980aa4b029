package text_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	"github.com/git-provenance/git-provenance/scanner/report/text"
)

// TestPartOrigins: every format for people and programs shows the part origins, and no
// inventory lists their packages.
func TestPartOrigins(t *testing.T) {
	r := reporttest.Example()
	r.Findings[0].Allowed = nil
	for _, f := range report.Formats() {
		var b strings.Builder
		if err := f.Render(&b, r, report.Options{Text: text.Options{Verbose: true}}); err != nil {
			t.Fatal(err)
		}
		want := "33 other files, of which 31 have most of it and were not judged"
		switch f.Name {
		case "json":
			want = `"unjudgedCount": 31`
		case "spdx", "cyclonedx", "in-toto":
			if strings.Contains(b.String(), "pako") {
				t.Errorf("%s lists a package that has part of a region", f.Name)
			}
			continue
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s does not say %q", f.Name, want)
		}
		if f.Name != "github" && !strings.Contains(b.String(), "pako@2.1.0") {
			t.Errorf("%s does not list a file that has part of a region", f.Name)
		}
	}
	var b strings.Builder
	if err := text.Explain(&b, r, &r.Findings[0], text.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "40-212 = pkg:generic/infl@1.0 a.c:1-170, 1,100 tokens (less agrees)\n"; !strings.Contains(b.String(), want) {
		t.Errorf("explain does not say %q:\n%s", want, b.String())
	}
}
