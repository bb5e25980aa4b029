package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaFile = "../../docs/schema/git-provenance-1.schema.json"

// example returns a report with every field set.
func example() *finding.Report {
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
			Runs: []finding.Run{run(40, 90, 38, 88, 400), run(95, 212, 93, 210, 804)},
			Renames: []finding.Rename{rename("buf", "b", 14), rename("len", "n", 3), rename("a", "a1", 1), rename("b", "b1", 1),
				rename("c", "c1", 1), rename("d", "d1", 1), rename("e", "e1", 1), rename("f", "f1", 1), rename("g", "g1", 1), rename("h", "h1", 1)},
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
		Ledger: []finding.Entry{
			{Path: "api.pb.go", Reason: "generated"},
			{Path: "big.c", Reason: "too-large", Detail: "3000000 bytes"},
			{Path: "gen.go", Reason: "generated", Detail: "header"},
		},
		Summary: finding.Summary{Files: 12, Bytes: 123456, Tokens: 45310, Findings: 1, Allowed: 1, Commits: 7},
	}
}

func run(start, end, originStart, originEnd, tokens int) finding.Run {
	return finding.Run{StartLine: start, StartColumn: 1, EndLine: end, EndColumn: 2, OriginStartLine: originStart, OriginStartColumn: 3, OriginEndLine: originEnd, OriginEndColumn: 4, Tokens: tokens}
}

func rename(origin, target string, count int) finding.Rename {
	return finding.Rename{Origin: origin, Target: target, Count: count}
}

func encode(t *testing.T, r *finding.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := report.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, js []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(js))
	if err != nil {
		t.Fatal(err)
	}
	return schema(t).Validate(v)
}

func TestSchemaAcceptsReports(t *testing.T) {
	bare := &finding.Report{Schema: finding.Schema, Parameters: finding.Parameters{K: 1, W: 1, T: 1}, Target: finding.Target{Kind: "tree"}}
	for name, r := range map[string]*finding.Report{"full": example(), "bare": bare} {
		js := encode(t, r)
		if err := validate(t, js); err != nil {
			t.Errorf("%s: %v\n%s", name, err, js)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*finding.Report){
		"schema":     func(r *finding.Report) { r.Schema = "git-provenance/2" },
		"kind":       func(r *finding.Report) { r.Target.Kind = "tag" },
		"line 0":     func(r *finding.Report) { r.Findings[0].StartLine = 0 },
		"score":      func(r *finding.Report) { r.Findings[0].Score = 1.01 },
		"clone type": func(r *finding.Report) { r.Findings[0].CloneType = 4 },
		"direction":  func(r *finding.Report) { r.Findings[0].Direction = "" },
		"no origin":  func(r *finding.Report) { r.Findings[0].Origins = nil },
		"purl":       func(r *finding.Report) { r.Findings[0].Origins[0].PURL = "zlib" },
		"no licence": func(r *finding.Report) { r.Findings[0].Origins[0].License = "" },
		"no reason":  func(r *finding.Report) { r.Ledger[0].Reason = "" },
	} {
		r := example()
		spoil(r)
		if validate(t, encode(t, r)) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestSchemaIsComplete holds the schema and the Go types to the same fields.
func TestSchemaIsComplete(t *testing.T) {
	full := make(map[string]bool)
	walkType(reflect.TypeFor[finding.Report](), "", full)
	described := make(map[string]bool)
	walkSchema(schema(t), "", described)
	for f := range full {
		if !described[f] {
			t.Errorf("the schema lacks %s", f)
		}
	}
	for f := range described {
		if !full[f] {
			t.Errorf("the schema describes %s, which no report has", f)
		}
	}
}

func walkType(t reflect.Type, at string, out map[string]bool) {
	switch {
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice:
		walkType(t.Elem(), at, out)
	case t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]():
		for f := range t.Fields() {
			if !f.IsExported() {
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" {
				continue
			}
			out[at+"/"+name] = true
			walkType(f.Type, at+"/"+name, out)
		}
	}
}

func walkSchema(s *jsonschema.Schema, at string, out map[string]bool) {
	for s.Ref != nil && len(s.Properties) == 0 {
		s = s.Ref
	}
	if s.Items2020 != nil {
		walkSchema(s.Items2020, at, out)
	}
	for name, p := range s.Properties {
		out[at+"/"+name] = true
		walkSchema(p, at+"/"+name, out)
	}
}

func TestReadIsJSONsInverse(t *testing.T) {
	js := encode(t, example())
	r, err := report.Read(bytes.NewReader(js))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(r, example()) {
		t.Errorf("read back %+v", r)
	}
	if again := encode(t, r); !bytes.Equal(again, js) {
		t.Errorf("written again:\n%s", again)
	}
}

func TestReadRefuses(t *testing.T) {
	var schema *report.SchemaError
	for _, in := range []string{`{}`, `{"schema": "git-provenance/2"}`, `{"schema": ""}`} {
		if _, err := report.Read(strings.NewReader(in)); !errors.As(err, &schema) {
			t.Errorf("%s: %v", in, err)
		}
	}
	js := string(encode(t, example()))
	for _, in := range []string{"", "[]", js[:len(js)/2], js + "{}", strings.Replace(js, `"files": 12`, `"files": "12"`, 1)} {
		if _, err := report.Read(strings.NewReader(in)); err == nil || errors.As(err, &schema) {
			t.Errorf("%.40q: %v", in, err)
		}
	}
}

func TestReadIgnoresLaterFields(t *testing.T) {
	js := strings.Replace(string(encode(t, example())), `"score"`, `"later": {"a": [1]}, "score"`, 1)
	if _, err := report.Read(strings.NewReader(js)); err != nil {
		t.Error(err)
	}
	if err := validate(t, []byte(js)); err != nil {
		t.Error(err)
	}
}

func TestJSONLeavesItsInputAlone(t *testing.T) {
	r := &finding.Report{Schema: finding.Schema, Findings: []finding.Finding{{}}}
	encode(t, r)
	if r.Ledger != nil || r.Findings[0].Runs != nil {
		t.Error("lists were filled in place")
	}
}

// TestJSONEscapes checks that no character a terminal obeys is written as it is,
// and that none is lost.
func TestJSONEscapes(t *testing.T) {
	const evil = "a\x1b[31m\u009b\u202e\u2066\u007f\u2028\n\U000e0041é"
	r := example()
	r.Findings[0].Path = evil
	js := encode(t, r)
	for _, c := range string(js) {
		if c != '\n' && report.Escape(string(c)) != string(c) {
			t.Errorf("%U is written as it is", c)
		}
	}
	var back finding.Report
	if err := json.Unmarshal(js, &back); err != nil || back.Findings[0].Path != evil {
		t.Errorf("read back %q, %v", back.Findings[0].Path, err)
	}
}

func TestTextNeverObeysItsInput(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		r := example()
		poison(rnd, reflect.ValueOf(r).Elem())
		var b bytes.Buffer
		if err := report.Text(&b, r, report.TextOptions{Width: 80, Verbose: true}); err != nil {
			t.Fatal(err)
		}
		want := strings.Count(text(t, example(), report.TextOptions{Verbose: true}), "\n")
		if got := strings.Count(b.String(), "\n"); got < want {
			t.Errorf("%d lines, not %d", got, want)
		}
		for line := range strings.Lines(b.String()) {
			if l := strings.TrimSuffix(line, "\n"); report.Escape(l) != l {
				t.Fatalf("unescaped: %q", l)
			}
		}
	}
}

// poison replaces every text of a report, except those the shape fixes.
func poison(rnd *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		b := make([]byte, 1+rnd.IntN(12))
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		v.SetString(string(b) + string(rune(rnd.IntN(0x3000))) + "\u202e\x1b")
	case reflect.Pointer:
		poison(rnd, v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			poison(rnd, v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				poison(rnd, v.Field(i))
			}
		}
	}
}
