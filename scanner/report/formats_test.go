package report_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// cyclonedxDir returns the directory of the schemas that the library comes with and is tested with.
var cyclonedxDir = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go").Output()
	return filepath.Join(strings.TrimSpace(string(out)), "schema"), err
})

// schemaOf compiles the schema of a format.
func schemaOf(t *testing.T, format string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	file := map[string]string{"sarif": "testdata/sarif-2.1.0.json", "spdx": "testdata/spdx-2.3.schema.json"}[format]
	if format == "cyclonedx" {
		dir, err := cyclonedxDir()
		if err != nil {
			t.Fatal(err)
		}
		file = "http://cyclonedx.org/schema/bom-1.6.schema.json"
		for url, name := range map[string]string{
			file: "bom-1.6.schema.json",
			"http://cyclonedx.org/schema/spdx.schema.json":     "spdx.schema.json",
			"http://cyclonedx.org/schema/jsf-0.82.schema.json": "jsf-0.82.schemax.json",
		} {
			resource(t, c, url, filepath.Join(dir, name))
		}
	}
	s, err := c.Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func resource(t *testing.T, c *jsonschema.Compiler, url, file string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource(url, doc); err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, s *jsonschema.Schema, doc string) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Fatalf("%v\n%.3000s", err, doc)
	}
}

var documents = []string{"sarif", "spdx", "cyclonedx"}

func TestGolden(t *testing.T) {
	for _, f := range report.Formats() {
		if f.Name == "json" { // is the source of the others
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			reporttest.Golden(t, "scan"+f.Extension, reporttest.Render(t, f.Name, reporttest.Saved(t, "testdata/scan.json"), report.Options{}))
		})
	}
}

func TestDocumentsFollowTheirSchemas(t *testing.T) {
	for _, format := range documents {
		t.Run(format, func(t *testing.T) {
			s := schemaOf(t, format)
			for name, r := range map[string]*finding.Report{
				"saved": reporttest.Saved(t, "testdata/scan.json"), "example": reporttest.Example(), "review": reporttest.Review(), "many": reporttest.Many(700), "none": {Schema: finding.Schema},
			} {
				t.Log(name)
				check(t, s, reporttest.Render(t, format, r, report.Options{}))
			}
			for _, r := range reporttest.Infected(t, reporttest.Rounds()/8) {
				for i := range r.Findings {
					r.Findings[i].FileSHA1 = strings.Repeat("5", 40)
				}
				doc := reporttest.Render(t, format, r, report.Options{})
				check(t, s, doc)
				for _, c := range doc {
					if c != '\n' && escape.Line(string(c)) != string(c) {
						t.Fatalf("%U is written as it is", c)
					}
				}
			}
		})
	}
}

// TestSchemasRefuse checks that the schemas are able to fail.
func TestSchemasRefuse(t *testing.T) {
	for format, broken := range map[string]string{
		"sarif": `{"version": "2.1.0", "runs": [{"results": []}]}`, "spdx": `{"SPDXID": "x"}`, "cyclonedx": `{"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 0}`,
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(broken))
		if err != nil || schemaOf(t, format).Validate(v) == nil {
			t.Errorf("%s: accepted, %v", format, err)
		}
	}
}

// TestSameReportSameBytes renders twice, the second time a report that was
// saved and read, with its findings in memory elsewhere.
func TestSameReportSameBytes(t *testing.T) {
	r := reporttest.Many(50)
	back, err := jsonform.Read(bytes.NewReader(reporttest.Encode(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Formats() {
		a, b := reporttest.Render(t, f.Name, r, report.Options{}), reporttest.Render(t, f.Name, back, report.Options{})
		if a != b {
			t.Errorf("%s: differs", f.Name)
		}
	}
}

func TestFormatsAreComplete(t *testing.T) {
	var seen []string
	for _, f := range report.Formats() {
		if slices.Contains(seen, f.Name) || slices.Contains(seen, f.Extension) || f.Summary == "" || f.MediaType == "" || !strings.HasPrefix(f.Extension, ".") {
			t.Errorf("%+v", f)
		}
		seen = append(seen, f.Name, f.Extension)
		if f.Render(reporttest.FullDisk{}, reporttest.Example(), report.Options{}) == nil {
			t.Errorf("%s: no error on a full disk", f.Name)
		}
	}
	if _, ok := report.ByName("nothing"); ok {
		t.Error("knows a format nothing")
	}
}

// TestNoFormatPanics renders reports that lack whatever can be lacking.
func TestNoFormatPanics(t *testing.T) {
	for _, r := range []*finding.Report{{}, {Findings: []finding.Finding{{}}}, {Findings: []finding.Finding{{
		StartLine: -1, EndLine: -5, StartByte: -1, EndByte: -1, Score: -1, FileSHA1: strings.Repeat("0", 40), Origins: []finding.Origin{{}}, Runs: []finding.Run{{}}, Text: &finding.Sides{}}}}} {
		for _, f := range report.Formats() {
			if err := f.Render(&bytes.Buffer{}, r, report.Options{}); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
}

// Every format says which parts were not scanned, before the findings if the format has an order.
func TestUnseen(t *testing.T) {
	r := reporttest.Example()
	r.Target.Kind, r.Summary.Tokens = "history", 0
	r.Ledger = append(r.Ledger, finding.Entry{Reason: finding.ReasonShallow, Detail: "history ends at commit " + strings.Repeat("a", 40) + ": deepen it"})
	r.SetUnseen()
	plain := strings.NewReplacer("\\", "", "&#58;", ":", "&#45;", "-", "\u200b", "", "`", "")
	for _, f := range report.Formats() {
		out := plain.Replace(reporttest.Render(t, f.Name, r, report.Options{}))
		for _, want := range []string{"The clone is shallow. Its history begins with commit aaaaaaaaaaaa here", "git fetch --unshallow", "Nothing was compared: "} {
			at, first := strings.Index(out, want), strings.Index(out, "inflate.go")
			if at < 0 {
				t.Errorf("%s does not say %q:\n%.1500s", f.Name, want, out)
			}
			if slices.Contains([]string{"text", "markdown", "json", "html", "github"}, f.Name) && at > first {
				t.Errorf("%s says %q behind the first finding", f.Name, want)
			}
		}
	}
	if n := len(r.Incomplete()); n == 0 {
		t.Error("the scan counts as complete")
	}
	r.Target.Kind, r.Ledger = "diff", nil
	if r.SetUnseen(); r.Unseen != nil {
		t.Errorf("a change without a file: %q", r.Unseen)
	}
}
