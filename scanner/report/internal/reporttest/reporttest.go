// Package reporttest has reports for the tests of the formats.
package reporttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
)

// DatedFinding returns a finding that was taken from version 1.2.10 in 2020, edited, and removed.
func DatedFinding() *finding.Finding {
	f := Example().Findings[0]
	at := func(year int) *time.Time {
		t := time.Date(year, 3, 4, 0, 0, 0, 0, time.UTC)
		return &t
	}
	f.Introduced = &finding.Commit{Commit: strings.Repeat("c", 40), Author: "Ada <a@example.org>", Time: *at(2020)}
	f.Here = &finding.Interval{Absent: &finding.Point{Commit: strings.Repeat("d", 40), Time: at(2019)}, Present: &finding.Point{Commit: strings.Repeat("c", 40), Time: at(2020)}}
	f.Edits = []finding.Commit{{Commit: strings.Repeat("e", 40), Time: *at(2021), Path: "new.go", Changes: []string{"moved"}}}
	f.Left = &finding.Commit{Commit: strings.Repeat("f", 40), Time: *at(2023)}
	f.Origins[0].First = &finding.Interval{Absent: &finding.Point{PURL: "pkg:generic/zlib@1.2.9", Time: at(2017)}, Present: &finding.Point{PURL: "pkg:generic/zlib@1.2.10", Time: at(2019)}}
	f.Origins[0].Released = at(2020)
	return &f
}

// Saved returns the report of a real scan that is stored at path.
func Saved(t testing.TB, path string) *finding.Report {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := jsonform.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Decoded returns a JSON document as maps.
func Decoded(t *testing.T, doc string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// At follows keys and indexes into a document.
func At(t *testing.T, v any, path ...any) any {
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

// Golden compares got with a file of testdata. UPDATE_GOLDEN=1 writes the file.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; UPDATE_GOLDEN=1 writes:\n%s", path, got)
	}
}

// Grouping returns a report with three regions of one file, two of them from one origin file. By weight, a finding of
// another file comes between those two, and a finding of prose comes first.
func Grouping() *finding.Report {
	r := Example()
	base := r.Findings[0]
	base.Allowed = nil
	r.Findings = nil
	for _, x := range []struct {
		id, path, language, origin string
		start                      int
		bits                       float64
	}{
		{"a1", "a.go", "go", "x.go", 10, 300}, {"b1", "b.go", "go", "z.go", 10, 200}, {"a2", "a.go", "go", "x.go", 500, 100}, {"a3", "a.go", "go", "y.go", 900, 50},
		{"p1", "CONTRIBUTING.md", "text", "CONTRIBUTING.md", 1, 900}, {"t1", "conf.caddyfile", "text", "conf", 1, 10},
	} {
		f := base
		f.ID, f.Path, f.Language, f.StartLine, f.EndLine, f.Bits = x.id, x.path, x.language, x.start, x.start+20, x.bits
		f.Origins = []finding.Origin{base.Origins[0]}
		f.Origins[0].Path = x.origin
		r.Findings = append(r.Findings, f)
	}
	return r
}

// Render renders a report in one of the formats.
func Render(t testing.TB, format string, r *finding.Report, o report.Options) string {
	t.Helper()
	f, ok := report.ByName(format)
	if !ok {
		t.Fatalf("no format %q", format)
	}
	var b bytes.Buffer
	if err := f.Render(&b, r, o); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
}

// Review returns a report like that of a pull request: the finding of Example, no longer allowed, and findings of every
// level.
func Review() *finding.Report {
	r := Example()
	r.Target.Kind = "diff"
	f := &r.Findings[0]
	f.Allowed, f.Level = nil, "error"
	f.Changed = []finding.Lines{{StartLine: 44, EndLine: 47}, {StartLine: 60, EndLine: 99}}
	for i, level := range []string{"note", "warning", "ignore"} {
		g := *f
		g.ID, g.Path, g.Level, g.Changed, g.Text = fmt.Sprintf("f%d", i+2), fmt.Sprintf("src/%s.go", level), level, nil, nil
		r.Findings = append(r.Findings, g)
	}
	return r
}

// Many returns a report with n findings of falling bits.
func Many(n int) *finding.Report {
	r := Review()
	one := r.Findings[0]
	r.Findings = nil
	for i := range n {
		f := one
		f.ID, f.Path, f.Bits = fmt.Sprintf("id%04d", i), fmt.Sprintf("src/f%04d.go", i), float64(10000-i)
		f.Origins = slices.Clone(one.Origins) // a file each, so that no two are in one group
		f.Origins[0].Path = fmt.Sprintf("inflate%04d.go", i)
		f.Text = &finding.Sides{Target: Lines(i%90 + 1), Origin: Lines(i%90 + 1)}
		r.Findings = append(r.Findings, f)
	}
	r.Summary.Findings = n
	return r
}

// Lines returns an excerpt of n lines.
func Lines(n int) finding.Excerpt {
	e := finding.Excerpt{StartLine: 40}
	for i := range n {
		e.Lines = append(e.Lines, fmt.Sprintf("\tx[%d] = y[%d] // ```", i, i))
	}
	return e
}

// Example returns a report with every field set.
func Example() *finding.Report {
	released := time.Date(2017, 1, 15, 0, 0, 0, 0, time.UTC)
	return &finding.Report{
		Schema:     finding.Schema,
		Tool:       finding.Tool{Version: "v1.0.0"},
		Parameters: finding.Parameters{K: 20, W: 12, T: 31, Scheme: "gp1-k20-w12-0011223344556677", MinTokens: 40, MinScore: 0.5},
		Baseline:   finding.Baseline{Digest: "sha256:" + strings.Repeat("0123456789abcdef", 4), Packages: 1, Documents: 3411},
		Target:     finding.Target{Kind: "history", Base: strings.Repeat("a", 40), Head: strings.Repeat("b", 40)},
		Findings: []finding.Finding{{
			ID: "f1", Path: "src/inflate.go", StartLine: 40, EndLine: 212, StartByte: 900, EndByte: 5900, FileLines: 400, FileSHA1: strings.Repeat("5", 40), Language: "go", Tokens: 1204, FileShare: 0.614,
			Score: 0.983, Bits: 4812.5, Support: 120, CloneType: 3, Verdict: "undeclared", Level: "warning",
			Introduced: &finding.Commit{Commit: strings.Repeat("c", 40), Author: "A. Author", Time: released.AddDate(3, 0, 0)},
			Direction:  "from", DirectionReason: "here since 2020-01-15, there by 2017-01-15",
			Runs: []finding.Run{Run(40, 90, 38, 88, 400), Run(95, 212, 93, 210, 804)},
			Renames: []finding.Rename{Rename("buf", "b", 14), Rename("len", "n", 3), Rename("a", "a1", 1), Rename("b", "b1", 1),
				Rename("c", "c1", 1), Rename("d", "d1", 1), Rename("e", "e1", 1), Rename("f", "f1", 1), Rename("g", "g1", 1), Rename("h", "h1", 1)},
			Attributions: []finding.Notice{{Kind: "copyright", Path: "NOTICE", Line: 3, Text: "Copyright (C) 1995 Mark Adler", Names: "holder"}},
			Function:     &finding.Function{Name: "inflate", StartLine: 38, EndLine: 214, Share: 0.97},
			Rule:         "1", Allowed: &finding.Allowance{By: "inline", Reason: "ours too", Expires: "2027-01-01"},
			Here: &finding.Interval{Absent: &finding.Point{Commit: strings.Repeat("d", 40), Time: &released}, Present: &finding.Point{Commit: strings.Repeat("c", 40)},
				From: "history", Note: "the clone is shallow"},
			Edits:       []finding.Commit{{Commit: "e", Author: "A. Author", Time: released, Path: "old.go", Changes: []string{"moved", "renamed"}}},
			Left:        &finding.Commit{Commit: "f", Author: "A. Author", Time: released},
			Alive:       new(bool),
			Changed:     []finding.Lines{{StartLine: 40, EndLine: 44}},
			Reasons:     []string{"1204 tokens in 2 runs"},
			Text:        &finding.Sides{Target: finding.Excerpt{StartLine: 40, Lines: []string{"a"}, Truncated: true}, Origin: finding.Excerpt{StartLine: 38, Lines: []string{"b"}}},
			Identifiers: finding.Names{Total: 140, Unchanged: 100, Renamed: 38, Inconsistent: 2},
			Literals:    finding.Literals{Total: 14, Equal: 12},
			Origins: []finding.Origin{
				{PURL: "pkg:generic/zlib@1.2.11", Path: "inflate.go", StartLine: 38, EndLine: 210, License: "Zlib", Released: &released,
					First:      &finding.Interval{Absent: &finding.Point{PURL: "pkg:generic/zlib@1.2.9", Time: &released}, Present: &finding.Point{PURL: "pkg:generic/zlib@1.2.10"}, From: "versions"},
					Similarity: 1, FileShare: 0.5, SHA256: strings.Repeat("ab", 32), URL: "https://example.org/inflate.go"},
				{PURL: "pkg:generic/zlib@1.2.10", Path: "inflate.go", StartLine: 38, EndLine: 209, License: "Zlib",
					SameOwner: true, Similarity: 0.99, FileShare: 0.5, SHA256: strings.Repeat("cd", 32)},
			},
			OriginCount: 4, Licenses: []string{"MIT", "Zlib"}, PackageCount: 2, Blobs: 3,
			PartOrigins: []finding.PartOrigin{
				{PURL: "pkg:npm/pako@2.1.0", Path: "lib/inflate.js", StartLine: 44, EndLine: 90, OriginStartLine: 12, OriginEndLine: 58, Tokens: 320, Why: finding.PartSmall},
				{PURL: "pkg:generic/infl@1.0", Path: "a.c", StartLine: 40, EndLine: 212, OriginStartLine: 1, OriginEndLine: 170, Tokens: 1100, Why: finding.PartWeak},
			},
			PartOriginCount: 33, UnjudgedCount: 31,
		}},
		Suppressions: []finding.Suppression{
			{By: "configuration", Path: ".git-provenance.yml", Line: 7, State: finding.Unused, Reason: "gone"},
			{By: "inline", Path: "a.go", Line: 3, State: finding.Used, Reason: "ours too", Expires: "2027-01-01", Findings: 1, Added: true},
			{By: "inline", Path: "a.go", Line: 9, State: finding.Refused, Detail: `it gives no reason="…"`},
			{By: "known", Path: "earlier.json", State: finding.Unused},
		},
		Vendored: []finding.Vendored{
			{Path: "third_party/zlib", Name: "zlib", Version: "1.2.11", License: "Zlib", Files: 31, Record: "third_party/zlib/README.chromium", Scanned: true},
			{Path: "vendor/a.org/x", PURL: "pkg:golang/a.org/x@v1.2.0", Name: "a.org/x", Version: "v1.2.0", License: "NOASSERTION", Files: 1, Record: "vendor/modules.txt"},
		},
		Ledger: []finding.Entry{
			{Path: "api.pb.go", Reason: "generated"},
			{Path: "big.c", Reason: "too-large", Detail: "3000000 bytes"},
			{Path: "gen.go", Reason: "generated", Detail: "header"},
		},
		Summary: finding.Summary{Files: 12, Bytes: 123456, Tokens: 45310, Findings: 1, Allowed: 1, Commits: 7},
	}
}

// Run returns a run of the given number of tokens.
func Run(start, end, originStart, originEnd, tokens int) finding.Run {
	return finding.Run{StartLine: start, StartColumn: 1, EndLine: end, EndColumn: 2, OriginStartLine: originStart, OriginStartColumn: 3, OriginEndLine: originEnd, OriginEndColumn: 4, Tokens: tokens}
}

// Rename returns a renamed identifier.
func Rename(origin, target string, count int) finding.Rename {
	return finding.Rename{Origin: origin, Target: target, Count: count}
}

// Encode returns a report as JSON.
func Encode(t *testing.T, r *finding.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jsonform.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Loud returns Example without allowed findings.
func Loud() *finding.Report {
	r := Example()
	r.Findings[0].Allowed, r.Suppressions = nil, nil
	r.Summary.Allowed = 0
	return r
}

// Alike returns six warnings on one pair of files that say the same.
func Alike() *finding.Report {
	r := Loud()
	one := r.Findings[0]
	one.Level, one.Alive = "warning", nil
	r.Findings = nil
	for i := range 6 {
		f := one
		f.ID, f.Path, f.StartLine, f.EndLine = string(rune('a'+i)), "a.css", 10*i+1, 10*i+5
		r.Findings = append(r.Findings, f)
	}
	return r
}

// FullDisk is a writer that fails on every write.
type FullDisk struct{}

func (FullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }
