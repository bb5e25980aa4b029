package sarif_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	"github.com/git-provenance/git-provenance/scanner/report/sarif"
)

func TestSARIF(t *testing.T) {
	doc := reporttest.Decoded(t, reporttest.Render(t, "sarif", reporttest.Review(), report.Options{}))
	run := reporttest.At(t, doc, "runs", 0)
	results := reporttest.At(t, run, "results").([]any)
	if len(results) != 3 { // of four, one is ignored
		t.Fatalf("%d results", len(results))
	}
	first := results[0]
	region := reporttest.At(t, first, "locations", 0, "physicalLocation", "region")
	for what, pair := range map[string][2]any{
		"columns":     {reporttest.At(t, run, "columnKind"), "unicodeCodePoints"},
		"start":       {reporttest.At(t, region, "startLine"), 60.0}, // the longest stretch that is new
		"end":         {reporttest.At(t, region, "endLine"), 99.0},
		"no columns":  {reporttest.At(t, region, "startColumn"), nil},
		"level":       {reporttest.At(t, first, "level"), "error"},
		"rule":        {reporttest.At(t, run, "tool", "driver", "rules", int(reporttest.At(t, first, "ruleIndex").(float64)), "id"), reporttest.At(t, first, "ruleId")},
		"fingerprint": {reporttest.At(t, first, "partialFingerprints", "gitProvenance/v1"), "f1"},
		"line hash":   {reporttest.At(t, first, "partialFingerprints", "primaryLocationLineHash"), "f1:1"},
		"uri":         {reporttest.At(t, first, "locations", 0, "physicalLocation", "artifactLocation", "uri"), "src/inflate.go"},
		"base":        {reporttest.At(t, first, "locations", 0, "physicalLocation", "artifactLocation", "uriBaseId"), "%SRCROOT%"},
		"related":     {reporttest.At(t, first, "relatedLocations"), nil},
		"version":     {reporttest.At(t, run, "tool", "driver", "semanticVersion"), "1.0.0"},
		"second":      {reporttest.At(t, results[1], "level"), "warning"},
		"whole":       {reporttest.At(t, results[1], "locations", 0, "physicalLocation", "region", "startLine"), 40.0},
		"end column":  {reporttest.At(t, results[1], "locations", 0, "physicalLocation", "region", "endColumn"), 2.0},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
	if m := reporttest.At(t, first, "message", "text").(string); !strings.Contains(m, "https://example.org/inflate.go") {
		t.Errorf("message %q lacks the link", m)
	}
	for _, rule := range reporttest.At(t, run, "tool", "driver", "rules").([]any) {
		p := reporttest.At(t, rule, "properties").(map[string]any)
		if p["problem.severity"] == nil || p["precision"] == nil || p["security-severity"] != nil {
			t.Errorf("%v", p)
		}
	}
}

func TestSARIFPaths(t *testing.T) {
	for path, want := range map[string]string{
		"a b/ü.go": "a%20b/%C3%BC.go", "a:b": "a%3Ab", "100%.go": "100%25.go", "/tmp/x.go": "file:///tmp/x.go", "//host/x": "file:///host/x",
		"../x.go": "../x.go", "-": "-", "": "-", "a?b#c": "a%3Fb%23c", "a\\b": "a%5Cb",
	} {
		r := reporttest.Review()
		r.Findings = r.Findings[:1]
		r.Findings[0].Path = path
		loc := reporttest.At(t, reporttest.Decoded(t, reporttest.Render(t, "sarif", r, report.Options{})), "runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation").(map[string]any)
		if _, based := loc["uriBaseId"]; loc["uri"] != want || based != (!strings.HasPrefix(want, "file:") && !strings.HasPrefix(want, "..") && path != "") {
			t.Errorf("%q: %v", path, loc)
		}
	}
}

// TestSARIFFingerprints checks that the fingerprint that GitHub reads stays the same if the
// code moves, and that two copies of the same code in a file have different ones.
func TestSARIFFingerprints(t *testing.T) {
	r := reporttest.Review()
	twin := r.Findings[0]
	twin.StartLine, twin.EndLine, twin.Changed = 400, 572, nil
	r.Findings = []finding.Finding{twin, r.Findings[0]}
	hashes := func() (out []any) {
		for _, res := range reporttest.At(t, reporttest.Decoded(t, reporttest.Render(t, "sarif", r, report.Options{})), "runs", 0, "results").([]any) {
			out = append(out, reporttest.At(t, res, "partialFingerprints", "primaryLocationLineHash"))
		}
		return out
	}
	before := fmt.Sprint(hashes())
	for i := range r.Findings {
		r.Findings[i].StartLine += 10
		r.Findings[i].EndLine += 10
	}
	if before != "[f1:1 f1:2]" || fmt.Sprint(hashes()) != before {
		t.Errorf("before %v, after %v", before, hashes())
	}
}

func TestSARIFLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("renders thousands of results")
	}
	r := reporttest.Many(sarif.Limit + 7)
	for i := range r.Findings {
		r.Findings[i].Text = nil
	}
	run := reporttest.At(t, reporttest.Decoded(t, reporttest.Render(t, "sarif", r, report.Options{})), "runs", 0)
	results := reporttest.At(t, run, "results").([]any)
	if len(results) != sarif.Limit || reporttest.At(t, results[0], "partialFingerprints", "gitProvenance/v1") != "id0000" {
		t.Errorf("%d results", len(results))
	}
	if m := reporttest.At(t, run, "invocations", 0, "toolExecutionNotifications", 0, "message", "text"); !strings.HasPrefix(m.(string), "7 findings left out") {
		t.Errorf("notification %q", m)
	}
}

// TestSARIFMessages checks that no text is read as a link or as a place for an
// argument.
func TestSARIFMessages(t *testing.T) {
	r := reporttest.Review()
	r.Findings[0].Reasons = []string{`[click](1) {0} \`}
	m := reporttest.At(t, reporttest.Decoded(t, reporttest.Render(t, "sarif", r, report.Options{})), "runs", 0, "results", 0, "message", "text").(string)
	if !strings.Contains(m, `Why: \[click\](1) {{0}} \\`) {
		t.Errorf("%q", m)
	}
}
