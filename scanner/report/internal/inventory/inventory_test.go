package inventory_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/internal/inventory"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	spdxjson "github.com/spdx/tools-golang/json"
)

// A licence is concluded for code that is from the origin by dates, or as the target says. A wrong statement may name another origin, or
// none.
func TestConcluded(t *testing.T) {
	for _, c := range []struct {
		direction string
		verdict   finding.Verdict
		names     string // the notice at the region
		want      string
	}{
		{"from", finding.Undeclared, "other", "Zlib"}, {"from", finding.AttributedElsewhere, "other", "NOASSERTION"},
		{"unknown", finding.Undeclared, "other", "NOASSERTION"}, {"unknown", finding.LicenceStripped, "other", "NOASSERTION"},
		{"unknown", finding.Attributed, "package", "Zlib"}, {"to", finding.Attributed, "package", "NOASSERTION"},
		{"unknown", finding.AttributionWrong, "other", "NOASSERTION"}, {"unknown", finding.AttributionWrong, "holder", "Zlib"},
	} {
		r := reporttest.Review()
		f := r.Findings[0]
		f.Direction, f.Verdict, f.Origins[0].License = c.direction, c.verdict, "Zlib"
		f.Attributions = []finding.Notice{{Kind: "license", Line: 1, Text: "Licensed under the MIT License", Names: c.names}}
		r.Findings = []finding.Finding{f}
		doc := reporttest.Decoded(t, reporttest.Render(t, "spdx", r, report.Options{}))
		if got := reporttest.At(t, doc, "snippets", 0, "licenseConcluded"); got != c.want {
			t.Errorf("%s, %s, notice names %s: %v, want %s", c.direction, c.verdict, c.names, got, c.want)
		}
	}
}

func TestSPDX(t *testing.T) {
	r := reporttest.Review()
	r.Findings[0].Attributions = append(r.Findings[0].Attributions, finding.Notice{Kind: "spdx-license", Line: 1, Text: "SPDX-License-Identifier: MIT OR LicenseRef-own"})
	r.Findings[0].Origins[0].License = "LicenseRef-zoo"
	r.Findings[1].Direction, r.Findings[2].Direction = "to", "unknown"
	r.Findings[2].Verdict, r.Findings[3].Verdict = finding.AttributedElsewhere, finding.CommonCode
	doc := reporttest.Decoded(t, reporttest.Render(t, "spdx", r, report.Options{}))
	if n := len(reporttest.At(t, doc, "snippets").([]any)); n != 3 || len(reporttest.At(t, doc, "files").([]any)) != 3 || len(reporttest.At(t, doc, "packages").([]any)) != 3 {
		t.Errorf("%d snippets", n)
	}
	s := reporttest.At(t, doc, "snippets", 0)
	for what, pair := range map[string][2]any{
		"first byte": {reporttest.At(t, s, "ranges", 0, "startPointer", "offset"), 901.0},
		"last byte":  {reporttest.At(t, s, "ranges", 0, "endPointer", "offset"), 5900.0},
		"first line": {reporttest.At(t, s, "ranges", 1, "startPointer", "lineNumber"), 40.0},
		"last line":  {reporttest.At(t, s, "ranges", 1, "endPointer", "lineNumber"), 212.0},
		"concluded":  {reporttest.At(t, s, "licenseConcluded"), "LicenseRef-zoo"},
		"older":      {reporttest.At(t, doc, "snippets", 1, "licenseConcluded"), "NOASSERTION"},
		"elsewhere":  {reporttest.At(t, doc, "snippets", 2, "licenseConcluded"), "NOASSERTION"},
		"info":       {fmt.Sprint(reporttest.At(t, s, "licenseInfoInSnippets")), "[MIT LicenseRef-own]"},
		"copyright":  {reporttest.At(t, s, "copyrightText"), "Copyright (C) 1995 Mark Adler"},
		"file":       {reporttest.At(t, doc, "files", 0, "fileName"), "./src/inflate.go"},
		"created":    {reporttest.At(t, doc, "creationInfo", "created"), "2020-01-15T00:00:00Z"},
		"version":    {reporttest.At(t, doc, "packages", 0, "versionInfo"), "1.2.11"},
		"name":       {reporttest.At(t, doc, "packages", 0, "name"), "zlib"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
	kinds := make(map[any]int)
	ids := map[any]bool{"SPDXRef-DOCUMENT": true}
	for _, list := range []string{"packages", "files", "snippets"} {
		for _, e := range reporttest.At(t, doc, list).([]any) {
			if id := reporttest.At(t, e, "SPDXID"); ids[id] {
				t.Errorf("%v twice", id)
			} else {
				ids[id] = true
			}
		}
	}
	for _, rel := range reporttest.At(t, doc, "relationships").([]any) {
		kinds[reporttest.At(t, rel, "relationshipType")]++
		if !ids[reporttest.At(t, rel, "spdxElementId")] || !ids[reporttest.At(t, rel, "relatedSpdxElement")] {
			t.Errorf("relationship with nothing: %v", rel)
		}
	}
	if kinds["DESCRIBES"] != 5 || kinds["DESCENDANT_OF"] != 1 || kinds["ANCESTOR_OF"] != 1 || kinds["VARIANT_OF"] != 1 {
		t.Errorf("relationships %v", kinds)
	}
	var defined []any
	for _, l := range reporttest.At(t, doc, "hasExtractedLicensingInfos").([]any) {
		defined = append(defined, reporttest.At(t, l, "licenseId"))
	}
	if fmt.Sprint(defined) != "[LicenseRef-zoo LicenseRef-own]" {
		t.Errorf("defined: %v", defined)
	}
}

// TestSPDXReadsBack checks that a reader finds in the document what was written.
func TestSPDXReadsBack(t *testing.T) {
	doc, err := spdxjson.Read(strings.NewReader(reporttest.Render(t, "spdx", reporttest.Many(50), report.Options{})))
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Snippets) != 50 || len(doc.Files) != 50 || len(doc.Packages) != 3 {
		t.Errorf("%d snippets, %d files, %d packages", len(doc.Snippets), len(doc.Files), len(doc.Packages))
	}
}

func TestSPDXNeedsHashes(t *testing.T) {
	r := reporttest.Review()
	r.Findings[2].FileSHA1 = "?"
	err := inventory.SPDX(&bytes.Buffer{}, r, time.Time{})
	if e, ok := errors.AsType[*inventory.FileHashError](err); !ok || e.Path != "src/warning.go" {
		t.Errorf("%v", err)
	}
}

func TestDatesAndNamesOfDocuments(t *testing.T) {
	name := func(r *finding.Report, o report.Options) [2]string {
		s, c := reporttest.Decoded(t, reporttest.Render(t, "spdx", r, o)), reporttest.Decoded(t, reporttest.Render(t, "cyclonedx", r, o))
		if reporttest.At(t, s, "creationInfo", "created") != reporttest.At(t, c, "metadata", "timestamp") {
			t.Errorf("dates differ")
		}
		return [2]string{fmt.Sprint(reporttest.At(t, s, "creationInfo", "created")), fmt.Sprint(reporttest.At(t, s, "documentNamespace"), reporttest.At(t, c, "serialNumber"))}
	}
	asked := report.Options{Created: time.Date(2031, 2, 3, 4, 5, 6, 7, time.FixedZone("x", 3600))}
	plain, again, dated := name(reporttest.Review(), report.Options{}), name(reporttest.Review(), report.Options{}), name(reporttest.Review(), asked)
	changed := reporttest.Review()
	changed.Findings[0].Tokens++
	other, none := name(changed, report.Options{}), name(&finding.Report{}, report.Options{})
	if plain != again || dated[0] != "2031-02-03T03:05:06Z" || dated[1] == plain[1] || other[0] != plain[0] || other[1] == plain[1] || none[0] != "1970-01-01T00:00:00Z" {
		t.Errorf("%v %v %v %v %v", plain, again, dated, other, none)
	}
}

func TestCycloneDX(t *testing.T) {
	r := reporttest.Review()
	r.Findings[1].Origins = slices.Clone(r.Findings[1].Origins)
	r.Findings[1].Origins[0].License = "MIT"
	doc := reporttest.Decoded(t, reporttest.Render(t, "cyclonedx", r, report.Options{}))
	c := reporttest.At(t, doc, "components", 0)
	evidence := reporttest.At(t, c, "evidence")
	for what, pair := range map[string][2]any{
		"purl":       {reporttest.At(t, c, "purl"), "pkg:generic/zlib@1.2.11"},
		"licences":   {fmt.Sprint(reporttest.At(t, c, "licenses")), "[map[license:map[name:MIT]] map[license:map[name:Zlib]]]"},
		"confidence": {reporttest.At(t, evidence, "identity", 0, "confidence"), 0.983},
		"field":      {reporttest.At(t, evidence, "identity", 0, "field"), "purl"},
		"location":   {reporttest.At(t, evidence, "occurrences", 0, "location"), "src/inflate.go"},
		"line":       {reporttest.At(t, evidence, "occurrences", 0, "line"), 40.0},
		"offset":     {reporttest.At(t, evidence, "occurrences", 0, "offset"), 900.0},
		"symbol":     {reporttest.At(t, evidence, "occurrences", 0, "symbol"), "inflate"},
		"places":     {len(reporttest.At(t, evidence, "occurrences").([]any)), 4},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
}

// TestVendored: both inventories list the vendored packages.
func TestVendored(t *testing.T) {
	r := reporttest.Review()
	s, c := reporttest.Decoded(t, reporttest.Render(t, "spdx", r, report.Options{})), reporttest.Decoded(t, reporttest.Render(t, "cyclonedx", r, report.Options{}))
	for what, pair := range map[string][2]any{
		"file":       {reporttest.At(t, s, "packages", 1, "packageFileName"), "./third_party/zlib"},
		"declared":   {reporttest.At(t, s, "packages", 1, "licenseDeclared"), "Zlib"},
		"unknown":    {reporttest.At(t, s, "packages", 2, "licenseDeclared"), "NOASSERTION"},
		"locator":    {reporttest.At(t, s, "packages", 2, "externalRefs", 0, "referenceLocator"), "pkg:golang/a.org/x@v1.2.0"},
		"name":       {reporttest.At(t, c, "components", 1, "name"), "zlib"},
		"version":    {reporttest.At(t, c, "components", 1, "version"), "1.2.11"},
		"licence":    {reporttest.At(t, c, "components", 1, "licenses", 0, "expression"), "Zlib"},
		"no licence": {reporttest.At(t, c, "components", 2, "licenses"), nil},
		"purl":       {reporttest.At(t, c, "components", 2, "purl"), "pkg:golang/a.org/x@v1.2.0"},
		"place":      {reporttest.At(t, c, "components", 2, "evidence", "occurrences", 0, "location"), "vendor/a.org/x"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
}

// TestEqualAmounts: words of comments are not counted as tokens of code.
func TestEqualAmounts(t *testing.T) {
	r := reporttest.Review()
	r.Findings = r.Findings[:2]
	r.Findings[1].Origins = r.Findings[0].Origins
	r.Findings[0].Tokens, r.Findings[1].Tokens, r.Findings[1].Documentation = 900, 33, true
	for _, want := range []string{"900 tokens equal in 1 region, verified token for token; 33 words equal in 1 comment, verified word for word", "33 words equal in 1 comment, verified word for word"} {
		doc := reporttest.Decoded(t, reporttest.Render(t, "cyclonedx", r, report.Options{}))
		if got := reporttest.At(t, doc, "components", 0, "evidence", "identity", 0, "methods", 0, "value"); got != want {
			t.Errorf("%v, want %q", got, want)
		}
		r.Findings = r.Findings[1:]
	}
}
