package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/santhosh-tekuri/jsonschema/v6"
	spdxjson "github.com/spdx/tools-golang/json"
)

// cyclonedxSchemas are those that the library is tested with: they come with it.
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

// saved returns the report of a real scan, see testdata/README.md.
func saved(t testing.TB) *finding.Report {
	t.Helper()
	b, err := os.ReadFile("testdata/scan.json")
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestGolden(t *testing.T) {
	for _, f := range report.Formats() {
		if f.Name == "json" { // is the source of the others
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			golden(t, "scan"+f.Extension, render(t, f.Name, saved(t), report.Options{}))
		})
	}
}

func TestDocumentsFollowTheirSchemas(t *testing.T) {
	for _, format := range documents {
		t.Run(format, func(t *testing.T) {
			s := schemaOf(t, format)
			for name, r := range map[string]*finding.Report{
				"saved": saved(t), "example": example(), "review": review(), "many": many(700), "none": {Schema: finding.Schema},
			} {
				t.Log(name)
				check(t, s, render(t, format, r, report.Options{}))
			}
			for _, r := range infected(t, rounds()/8) {
				for i := range r.Findings {
					r.Findings[i].FileSHA1 = strings.Repeat("5", 40)
				}
				doc := render(t, format, r, report.Options{})
				check(t, s, doc)
				for _, c := range doc {
					if c != '\n' && report.Escape(string(c)) != string(c) {
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
	r := many(50)
	back, err := report.Read(bytes.NewReader(encode(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Formats() {
		a, b := render(t, f.Name, r, report.Options{}), render(t, f.Name, back, report.Options{})
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
		if f.Render(fullDisk{}, example(), report.Options{}) == nil {
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

// decoded is a document as maps.
func decoded(t *testing.T, doc string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// at follows keys and indexes into a document.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch k := p.(type) {
		case string:
			v = v.(map[string]any)[k]
		case int:
			v = v.([]any)[k]
		}
	}
	return v
}

func TestSARIF(t *testing.T) {
	doc := decoded(t, render(t, "sarif", review(), report.Options{}))
	run := at(t, doc, "runs", 0)
	results := at(t, run, "results").([]any)
	if len(results) != 3 { // of four, one is ignored
		t.Fatalf("%d results", len(results))
	}
	first := results[0]
	region := at(t, first, "locations", 0, "physicalLocation", "region")
	for what, pair := range map[string][2]any{
		"columns":     {at(t, run, "columnKind"), "unicodeCodePoints"},
		"start":       {at(t, region, "startLine"), 60.0}, // the longest stretch that is new
		"end":         {at(t, region, "endLine"), 99.0},
		"no columns":  {at(t, region, "startColumn"), nil},
		"level":       {at(t, first, "level"), "error"},
		"rule":        {at(t, run, "tool", "driver", "rules", int(at(t, first, "ruleIndex").(float64)), "id"), at(t, first, "ruleId")},
		"fingerprint": {at(t, first, "partialFingerprints", "gitProvenance/v1"), "f1"},
		"line hash":   {at(t, first, "partialFingerprints", "primaryLocationLineHash"), "f1:1"},
		"uri":         {at(t, first, "locations", 0, "physicalLocation", "artifactLocation", "uri"), "src/inflate.go"},
		"base":        {at(t, first, "locations", 0, "physicalLocation", "artifactLocation", "uriBaseId"), "%SRCROOT%"},
		"related":     {at(t, first, "relatedLocations"), nil},
		"version":     {at(t, run, "tool", "driver", "semanticVersion"), "1.0.0"},
		"second":      {at(t, results[1], "level"), "warning"},
		"whole":       {at(t, results[1], "locations", 0, "physicalLocation", "region", "startLine"), 40.0},
		"end column":  {at(t, results[1], "locations", 0, "physicalLocation", "region", "endColumn"), 2.0},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
	if m := at(t, first, "message", "text").(string); !strings.Contains(m, "https://example.org/inflate.go") {
		t.Errorf("message %q lacks the link", m)
	}
	for _, rule := range at(t, run, "tool", "driver", "rules").([]any) {
		p := at(t, rule, "properties").(map[string]any)
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
		r := review()
		r.Findings = r.Findings[:1]
		r.Findings[0].Path = path
		loc := at(t, decoded(t, render(t, "sarif", r, report.Options{})), "runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation").(map[string]any)
		if _, based := loc["uriBaseId"]; loc["uri"] != want || based != (!strings.HasPrefix(want, "file:") && !strings.HasPrefix(want, "..") && path != "") {
			t.Errorf("%q: %v", path, loc)
		}
	}
}

// TestSARIFFingerprints checks that the one GitHub reads is the same wherever
// the code moves, and that twice the same code in a file is told apart.
func TestSARIFFingerprints(t *testing.T) {
	r := review()
	twin := r.Findings[0]
	twin.StartLine, twin.EndLine, twin.Changed = 400, 572, nil
	r.Findings = []finding.Finding{twin, r.Findings[0]}
	hashes := func() (out []any) {
		for _, res := range at(t, decoded(t, render(t, "sarif", r, report.Options{})), "runs", 0, "results").([]any) {
			out = append(out, at(t, res, "partialFingerprints", "primaryLocationLineHash"))
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
	r := many(report.SARIFLimit + 7)
	for i := range r.Findings {
		r.Findings[i].Text = nil
	}
	run := at(t, decoded(t, render(t, "sarif", r, report.Options{})), "runs", 0)
	results := at(t, run, "results").([]any)
	if len(results) != report.SARIFLimit || at(t, results[0], "partialFingerprints", "gitProvenance/v1") != "id0000" {
		t.Errorf("%d results", len(results))
	}
	if m := at(t, run, "invocations", 0, "toolExecutionNotifications", 0, "message", "text"); !strings.HasPrefix(m.(string), "7 findings left out") {
		t.Errorf("notification %q", m)
	}
}

// TestSARIFMessages checks that no text is read as a link or as a place for an
// argument.
func TestSARIFMessages(t *testing.T) {
	r := review()
	r.Findings[0].Reasons = []string{`[click](1) {0} \`}
	m := at(t, decoded(t, render(t, "sarif", r, report.Options{})), "runs", 0, "results", 0, "message", "text").(string)
	if !strings.Contains(m, `Why: \[click\](1) {{0}} \\`) {
		t.Errorf("%q", m)
	}
}

func TestSPDX(t *testing.T) {
	r := review()
	r.Findings[0].Attributions = append(r.Findings[0].Attributions, finding.Notice{Kind: "spdx-license", Line: 1, Text: "SPDX-License-Identifier: MIT OR LicenseRef-own"})
	r.Findings[0].Origins[0].License = "LicenseRef-zoo"
	r.Findings[1].Direction, r.Findings[2].Direction = "to", "unknown"
	r.Findings[3].Verdict = finding.CommonCode
	doc := decoded(t, render(t, "spdx", r, report.Options{}))
	if n := len(at(t, doc, "snippets").([]any)); n != 3 || len(at(t, doc, "files").([]any)) != 3 || len(at(t, doc, "packages").([]any)) != 1 {
		t.Errorf("%d snippets", n)
	}
	s := at(t, doc, "snippets", 0)
	for what, pair := range map[string][2]any{
		"first byte": {at(t, s, "ranges", 0, "startPointer", "offset"), 901.0},
		"last byte":  {at(t, s, "ranges", 0, "endPointer", "offset"), 5900.0},
		"first line": {at(t, s, "ranges", 1, "startPointer", "lineNumber"), 40.0},
		"last line":  {at(t, s, "ranges", 1, "endPointer", "lineNumber"), 212.0},
		"concluded":  {at(t, s, "licenseConcluded"), "LicenseRef-zoo"},
		"older":      {at(t, doc, "snippets", 1, "licenseConcluded"), "NOASSERTION"},
		"info":       {fmt.Sprint(at(t, s, "licenseInfoInSnippets")), "[MIT LicenseRef-own]"},
		"copyright":  {at(t, s, "copyrightText"), "Copyright (C) 1995 Mark Adler"},
		"file":       {at(t, doc, "files", 0, "fileName"), "./src/inflate.go"},
		"created":    {at(t, doc, "creationInfo", "created"), "2020-01-15T00:00:00Z"},
		"version":    {at(t, doc, "packages", 0, "versionInfo"), "1.2.11"},
		"name":       {at(t, doc, "packages", 0, "name"), "zlib"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
	kinds := make(map[any]int)
	ids := map[any]bool{"SPDXRef-DOCUMENT": true}
	for _, list := range []string{"packages", "files", "snippets"} {
		for _, e := range at(t, doc, list).([]any) {
			if id := at(t, e, "SPDXID"); ids[id] {
				t.Errorf("%v twice", id)
			} else {
				ids[id] = true
			}
		}
	}
	for _, rel := range at(t, doc, "relationships").([]any) {
		kinds[at(t, rel, "relationshipType")]++
		if !ids[at(t, rel, "spdxElementId")] || !ids[at(t, rel, "relatedSpdxElement")] {
			t.Errorf("relationship with nothing: %v", rel)
		}
	}
	if kinds["DESCRIBES"] != 3 || kinds["DESCENDANT_OF"] != 1 || kinds["ANCESTOR_OF"] != 1 || kinds["VARIANT_OF"] != 1 {
		t.Errorf("relationships %v", kinds)
	}
	var defined []any
	for _, l := range at(t, doc, "hasExtractedLicensingInfos").([]any) {
		defined = append(defined, at(t, l, "licenseId"))
	}
	if fmt.Sprint(defined) != "[LicenseRef-zoo LicenseRef-own]" {
		t.Errorf("defined: %v", defined)
	}
}

// TestSPDXReadsBack checks that a reader finds in the document what was written.
func TestSPDXReadsBack(t *testing.T) {
	doc, err := spdxjson.Read(strings.NewReader(render(t, "spdx", many(50), report.Options{})))
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Snippets) != 50 || len(doc.Files) != 50 || len(doc.Packages) != 1 {
		t.Errorf("%d snippets, %d files, %d packages", len(doc.Snippets), len(doc.Files), len(doc.Packages))
	}
}

func TestSPDXNeedsHashes(t *testing.T) {
	r := review()
	r.Findings[2].FileSHA1 = "?"
	err := report.SPDX(&bytes.Buffer{}, r, time.Time{})
	if e, ok := errors.AsType[*report.FileHashError](err); !ok || e.Path != "src/warning.go" {
		t.Errorf("%v", err)
	}
}

func TestDatesAndNamesOfDocuments(t *testing.T) {
	name := func(r *finding.Report, o report.Options) [2]string {
		s, c := decoded(t, render(t, "spdx", r, o)), decoded(t, render(t, "cyclonedx", r, o))
		if at(t, s, "creationInfo", "created") != at(t, c, "metadata", "timestamp") {
			t.Errorf("dates differ")
		}
		return [2]string{fmt.Sprint(at(t, s, "creationInfo", "created")), fmt.Sprint(at(t, s, "documentNamespace"), at(t, c, "serialNumber"))}
	}
	asked := report.Options{Created: time.Date(2031, 2, 3, 4, 5, 6, 7, time.FixedZone("x", 3600))}
	plain, again, dated := name(review(), report.Options{}), name(review(), report.Options{}), name(review(), asked)
	changed := review()
	changed.Findings[0].Tokens++
	other, none := name(changed, report.Options{}), name(&finding.Report{}, report.Options{})
	if plain != again || dated[0] != "2031-02-03T03:05:06Z" || dated[1] == plain[1] || other[0] != plain[0] || other[1] == plain[1] || none[0] != "1970-01-01T00:00:00Z" {
		t.Errorf("%v %v %v %v %v", plain, again, dated, other, none)
	}
}

func TestCycloneDX(t *testing.T) {
	r := review()
	r.Findings[1].Origins = slices.Clone(r.Findings[1].Origins)
	r.Findings[1].Origins[0].License = "MIT"
	doc := decoded(t, render(t, "cyclonedx", r, report.Options{}))
	c := at(t, doc, "components", 0)
	evidence := at(t, c, "evidence")
	for what, pair := range map[string][2]any{
		"purl":       {at(t, c, "purl"), "pkg:generic/zlib@1.2.11"},
		"licences":   {fmt.Sprint(at(t, c, "licenses")), "[map[license:map[name:MIT]] map[license:map[name:Zlib]]]"},
		"confidence": {at(t, evidence, "identity", 0, "confidence"), 0.983},
		"field":      {at(t, evidence, "identity", 0, "field"), "purl"},
		"location":   {at(t, evidence, "occurrences", 0, "location"), "src/inflate.go"},
		"line":       {at(t, evidence, "occurrences", 0, "line"), 40.0},
		"offset":     {at(t, evidence, "occurrences", 0, "offset"), 900.0},
		"symbol":     {at(t, evidence, "occurrences", 0, "symbol"), "inflate"},
		"places":     {len(at(t, evidence, "occurrences").([]any)), 4},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
}
