package text_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/git-provenance/git-provenance/scanner/report/text"
)

func TestTextNeverObeysItsInput(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		r := reporttest.Example()
		poison(rnd, reflect.ValueOf(r).Elem())
		var b bytes.Buffer
		if err := text.Write(&b, r, text.Options{Width: 80, Verbose: true}); err != nil {
			t.Fatal(err)
		}
		want := strings.Count(shown(t, reporttest.Example(), text.Options{Verbose: true}), "\n")
		if got := strings.Count(b.String(), "\n"); got < want {
			t.Errorf("%d lines, not %d", got, want)
		}
		for line := range strings.Lines(b.String()) {
			if l := strings.TrimSuffix(line, "\n"); escape.Line(l) != l {
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

func shown(t *testing.T, r *finding.Report, o text.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := text.Write(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	got := shown(t, reporttest.Loud(), text.Options{})
	want := `WARNING  src/inflate.go:40-212 copied from pkg:generic/zlib@1.2.11
    source   inflate.go:38-210; also in 3 other places (2 packages in all)
    older    the origin; here since 2020-01-15, there by 2017-01-15
    licence  Zlib; no notice names this origin (undeclared); the origins disagree: MIT, Zlib
    rule     1 of the policy
    action   the region is gone; accept finding f1 with a reason
    amount   1,204 tokens in 2 runs, 61% of the file, 97% of function inflate; edited (type 3)
    score    0.98 (0.50 needed); 38 of 140 name occurrences renamed consistently, 100 unchanged, 2 renamed inconsistently, 12 of 14 literals equal
    notice   NOTICE:3: "Copyright (C) 1995 Mark Adler" names the origin's holder
    history  introduced by commit cccccccccccc of A. Author, moved and renamed to old.go 2017-01-15 (commit e), left 2017-01-15 (commit f by A. Author)

history
  2017-01-15  e  A. Author: moved old.go, renamed old.go
  2017-01-15  f  A. Author: left old.go
  2020-01-15  cccccccccccc  A. Author: entered src/inflate.go

to see both sides of a finding: git-provenance explain --date --offline ID, with the flags of the scan
to accept a finding: write the comment  git-provenance:allow reason="…"  above it, or in .git-provenance.yml  allow: [{finding: ID, reason: "…"}]
vendored packages: 2
  third_party/zlib: zlib 1.2.11 (Zlib), 31 files, scanned
  vendor/a.org/x: pkg:golang/a.org/x@v1.2.0 (licence unknown), 1 file
not or only partly examined: 2 generated, 1 too-large; --verbose lists them
1 finding in 12 files of 7 commits (45,310 tokens); baseline 0123456789ab: 1 package, 3,411 documents
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNotes: a note has no rule, functions, score of its own line and history, and of notices only one that names something of the
// origin. Graver findings come first, and of a group of notes three are shown.
func TestNotes(t *testing.T) {
	r := reporttest.Grouping()
	for i := range r.Findings {
		r.Findings[i].Level = "note"
	}
	r.Findings[1].Level = "error" // b.go
	r.Summary.Commits = 0
	got := shown(t, r, text.Options{})
	if !strings.HasPrefix(got, "ERROR  b.go:10-30 ") {
		t.Errorf("the error is not first:\n%s", got)
	}
	note := `NOTE  a.go:900-920 copied from pkg:generic/zlib@1.2.11
    source   y.go:38-210; also in 3 other places (2 packages in all)
    older    the origin; here since 2020-01-15, there by 2017-01-15
    licence  Zlib; no notice names this origin (undeclared); the origins disagree: MIT, Zlib
    action   none: the region is gone; finding a3
    amount   1,204 tokens in 2 runs, 61% of the file, 97% of function inflate; edited (type 3); score 0.98
    notice   NOTICE:3: "Copyright (C) 1995 Mark Adler" names the origin's holder

`
	end := "6 regions in 4 files copied from 1 package: 1 error, 5 notes\n"
	hint := "to see both sides of a finding: git-provenance explain --date --offline ID, with the flags of the scan\nto accept a finding: "
	for _, want := range []string{note, end, hint} {
		if !strings.Contains(got, want) {
			t.Errorf("no\n%s\nin\n%s", want, got)
		}
	}
	undated := reporttest.Grouping()
	for i := range undated.Findings {
		undated.Findings[i].Level = "note"
		for j := range undated.Findings[i].Origins {
			undated.Findings[i].Origins[j].First = nil
		}
	}
	if got := shown(t, undated, text.Options{}); !strings.Contains(got, "git-provenance explain ID, with") {
		t.Errorf("no date is known, and explain is to show dates:\n%s", got)
	}
	if all := shown(t, r, text.Options{Verbose: true}); !strings.Contains(all, hint) || strings.Contains(all, "in short") || strings.Count(all, "    history  ") != 6 {
		t.Errorf("verbose:\n%s", all)
	}

	one := r.Findings[0]
	one.Attributions = []finding.Notice{{Line: 1, Text: "Copyright 2015 Somebody Else", Names: "other"}}
	r.Findings = nil
	for i := range 5 {
		f := one
		f.ID, f.StartLine, f.EndLine = string(rune('a'+i)), 100*i+1, 100*i+50
		r.Findings = append(r.Findings, f)
	}
	got = shown(t, r, text.Options{Lists: "scan -v"})
	for want, n := range map[string]int{"NOTE  a.go:": 3, "Somebody Else": 0, "2 more regions of this package in a.go (2 notes); scan -v shows them\n": 1} {
		if strings.Count(got, want) != n {
			t.Errorf("%d times %q, not %d:\n%s", strings.Count(got, want), want, n, got)
		}
	}
}

// TestNotesInFull: a note keeps the notice of another source and, in a history, its commits. A log and a run that notes fail show all.
func TestNotesInFull(t *testing.T) {
	r := reporttest.Loud()
	f := &r.Findings[0]
	f.Level, f.Verdict, f.Attributions = "note", finding.AttributedElsewhere, []finding.Notice{{Line: 7, Text: "from github.com/other/x", Names: "other"}}
	for commits, want := range map[int]int{0: 0, 7: 1} {
		r.Summary.Commits = commits
		got := shown(t, r, text.Options{})
		if strings.Count(got, "    history  ") != want || !strings.Contains(got, `    notice   line 7: "from github.com/other/x" names something else`) {
			t.Errorf("%d commits:\n%s", commits, got)
		}
	}
	r.Findings = nil
	for i := range 5 {
		n := *f
		n.ID, n.Path, n.StartLine = string(rune('a'+i)), []string{"a.go", "b.go"}[i/3], 10*i
		r.Findings = append(r.Findings, n)
	}
	if got, want := shown(t, r, text.Options{}), "2 more regions of this package in b.go (2 notes); --verbose shows them\n"; !strings.Contains(got, want) {
		t.Errorf("no %q:\n%s", want, got)
	}
	got := shown(t, r, text.Options{All: true})
	if strings.Count(got, "    history  ") != 5 || strings.Contains(got, "in short") || strings.Contains(got, "    runs ") {
		t.Errorf("all:\n%s", got)
	}
}

// TestGravest: the beginning of a long group has its errors, wherever they are.
func TestGravest(t *testing.T) {
	r := reporttest.Loud()
	f := r.Findings[0]
	r.Findings = nil
	for i := range 9 {
		n := f
		n.ID, n.Path, n.StartLine, n.EndLine, n.Level = string(rune('a'+i)), "a.go", 10*i+1, 10*i+5, "note"
		n.Origins = slices.Clone(f.Origins)
		n.Origins[0].Path = n.ID + ".go"
		r.Findings = append(r.Findings, n)
	}
	r.Findings[8].Level = "error"
	got := shown(t, r, text.Options{})
	for _, want := range []string{"NOTE  a.go:1-5 ", "NOTE  a.go:11-15 ", "ERROR  a.go:81-85 ", "6 more regions of this package in a.go (6 notes); "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
}

// TestAlike: many regions of one pair of files that say the same are shown in short. One that says something else keeps all in full.
func TestAlike(t *testing.T) {
	r := reporttest.Alike()
	line := "WARNING  a.css:51-55 copied from pkg:generic/zlib@1.2.11, 1,204 tokens, score 0.98, finding f\n3 more regions (3 warnings) in short; --verbose shows all of them\n"
	in := func(what string, o text.Options, full int) {
		t.Helper()
		got := shown(t, r, o)
		if strings.Count(got, "    source  ") != full || strings.Contains(got, line) != (full == 3) {
			t.Errorf("%s: not %d in full:\n%s", what, full, got)
		}
	}
	in("alike", text.Options{}, 3)
	in("in a log", text.Options{All: true}, 6)
	in("verbose", text.Options{Verbose: true}, 6)
	r.Findings[4].Verdict = finding.LicenceStripped
	in("another verdict", text.Options{}, 6)
	r.Findings[4].Verdict, r.Findings[4].Licenses = r.Findings[0].Verdict, []string{"GPL-3.0-only", "Zlib"}
	in("a licence more", text.Options{}, 6)
	r.Findings[4] = r.Findings[5]
	r.Findings = r.Findings[:5]
	in("five", text.Options{}, 5)
}

func TestTextVerbose(t *testing.T) {
	got := shown(t, reporttest.Loud(), text.Options{Verbose: true})
	for _, want := range []string{
		"\n    rule     1 of the policy\n",
		"\n    runs     40-90 = 38-88 (400 tokens), 95-212 = 93-210 (804 tokens)\n",
		"\n    renames  buf → b ×14, len → n ×3, ", ", g → g1 ×1, h → h1 ×1\n",
		"\n    also in  pkg:generic/zlib@1.2.10 inflate.go:38-209 (Zlib)\n",
		"\n    part     part of it also in 33 other files, of which 31 have most of it and were not judged\n             44-90 = pkg:npm/pako@2.1.0",
		"\n    bits     4812 in this region, 120 in another region of both files\n",
		"\n  api.pb.go: generated\n  big.c: too-large: 3000000 bytes\n  gen.go: generated: header\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestTextWithoutFindings(t *testing.T) {
	r := reporttest.Example()
	r.Findings, r.Suppressions, r.Ledger, r.Vendored, r.Summary = nil, nil, nil, nil, finding.Summary{Files: 1}
	want := "0 findings in 1 file (0 tokens); baseline 0123456789ab: 1 package, 3,411 documents\n"
	if got := shown(t, r, text.Options{}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTextOfVendored: a person is spared hundreds of rows, unless they ask for them.
func TestTextOfVendored(t *testing.T) {
	r := reporttest.Example()
	r.Vendored = slices.Repeat(r.Vendored, 11)
	const line, more = "  vendor/a.org/x: pkg:golang/a.org/x@v1.2.0 (licence unknown), 1 file\n", "  2 more; --verbose lists them\n"
	if got := shown(t, r, text.Options{}); strings.Count(got, line) != 10 || !strings.Contains(got, "vendored packages: 22\n") || !strings.Contains(got, more) {
		t.Errorf("got\n%s", got)
	}
	if got := shown(t, r, text.Options{Verbose: true}); strings.Count(got, line) != 11 || strings.Contains(got, more) {
		t.Errorf("got\n%s", got)
	}
}

func TestTextOfLiterals(t *testing.T) {
	r := reporttest.Loud()
	r.Findings[0].Identifiers = finding.Names{}
	if got := shown(t, r, text.Options{}); !strings.Contains(got, "; no names, 12 of 14 literals equal\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestTextFolds(t *testing.T) {
	const width = 90
	plain := shown(t, reporttest.Loud(), text.Options{})
	folded := shown(t, reporttest.Loud(), text.Options{Width: width})
	if strings.Join(strings.Fields(plain), " ") != strings.Join(strings.Fields(folded), " ") {
		t.Errorf("folding changed the text:\n%s", folded)
	}
	for line := range strings.Lines(folded) {
		evidence := strings.HasPrefix(line, "    ") // head lines are never folded
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); evidence && n > width {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// TestTextColor checks that colours are the only difference they make.
func TestTextColor(t *testing.T) {
	colored := shown(t, reporttest.Loud(), text.Options{Color: true, Width: 80})
	for _, code := range []string{"1", "2", "33", "0"} {
		seq := "\x1b[" + code + "m"
		if !strings.Contains(colored, seq) {
			t.Errorf("%q does not occur", seq)
		}
		colored = strings.ReplaceAll(colored, seq, "")
	}
	if plain := shown(t, reporttest.Loud(), text.Options{Width: 80}); colored != plain {
		t.Errorf("without colours\n%s\nwant\n%s", colored, plain)
	}
}

func TestWriteErrors(t *testing.T) {
	if text.Write(reporttest.FullDisk{}, reporttest.Loud(), text.Options{}) == nil {
		t.Error("Text: no error")
	}
	if jsonform.Write(reporttest.FullDisk{}, reporttest.Example()) == nil {
		t.Error("JSON: no error")
	}
}

// TestTextAllowed: allowed findings are counted, and shown on request. Faults of
// suppressions are always shown.
func TestTextAllowed(t *testing.T) {
	r := reporttest.Example()
	got := shown(t, r, text.Options{})
	want := `1 allowed; --verbose lists them
.git-provenance.yml:7: unused allowance ("gone")
a.go:3: used allowance, added by this very change: 1 finding ("ours too")
a.go:9: refused allowance: it gives no reason="…"
vendored`
	if !strings.Contains(got, "\n"+want) {
		t.Errorf("got\n%s", got)
	}
	for _, want := range []string{"\n    action   none: accepted by inline: ours too (until 2027-01-01); finding f1\n", "\nearlier.json: earlier report\n"} {
		if got := shown(t, r, text.Options{Verbose: true}); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
