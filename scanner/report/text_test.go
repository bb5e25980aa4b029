package report_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
)

func text(t *testing.T, r *finding.Report, o report.TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Text(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// loud is the example with nothing allowed.
func loud() *finding.Report {
	r := example()
	r.Findings[0].Allowed, r.Suppressions = nil, nil
	r.Summary.Allowed = 0
	return r
}

func TestText(t *testing.T) {
	got := text(t, loud(), report.TextOptions{})
	want := `src/inflate.go:40-212  copied from pkg:generic/zlib@1.2.11 inflate.go:38-210 (Zlib)
    warning undeclared (rule 1), score 0.98, 1,204 tokens (61% of the file), type 3: edited
    says     NOTICE:3: "Copyright (C) 1995 Mark Adler" names the origin's holder
    runs     40-90 = 38-88 (400 tokens), 95-212 = 93-210 (804 tokens)
    renames  buf → b ×14, len → n ×3, a → a1 ×1, b → b1 ×1, c → c1 ×1, d → d1 ×1, e → e1 ×1, f → f1 ×1, +2 more
    agree    140 identifiers (100 kept, 38 renamed, 2 inconsistent), 12 of 14 literals equal
    time     here since 2020-01-15, there by 2017-01-15: the origin is older, introduced by commit cccccccccccc of A. Author
    then     moved and renamed to old.go 2017-01-15 (commit e), left 2017-01-15 (commit f by A. Author)
    licence  origins disagree: MIT, Zlib
    also     in 3 other places (2 packages in all)
    part     of it also in 33 other files, of which 31 have most of it and were not judged
    id       f1

history
  2017-01-15  e  A. Author: moved old.go, renamed old.go
  2017-01-15  f  A. Author: left old.go
  2020-01-15  cccccccccccc  A. Author: entered src/inflate.go

to allow one: the comment  git-provenance:allow reason="…"  above it, or in .git-provenance.yml  allow: [{finding: ID, reason: "…"}]
not or only partly examined: 2 generated, 1 too-large; --verbose lists them
1 finding in 12 files of 7 commits (45,310 tokens); baseline 0123456789ab: 1 package, 3,411 documents
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTextVerbose(t *testing.T) {
	got := text(t, loud(), report.TextOptions{Verbose: true})
	for _, want := range []string{
		", g → g1 ×1, h → h1 ×1\n",
		"\n             pkg:generic/zlib@1.2.10 inflate.go:38-209 (Zlib)\n",
		"\n    id       f1, 4812 bits, 120 in another region of both files\n",
		"\n  api.pb.go: generated\n  big.c: too-large: 3000000 bytes\n  gen.go: generated: header\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestTextWithoutFindings(t *testing.T) {
	r := example()
	r.Findings, r.Suppressions, r.Ledger, r.Summary = nil, nil, nil, finding.Summary{Files: 1}
	want := "0 findings in 1 file (0 tokens); baseline 0123456789ab: 1 package, 3,411 documents\n"
	if got := text(t, r, report.TextOptions{}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextOfLiterals(t *testing.T) {
	r := loud()
	r.Findings[0].Identifiers = finding.Names{}
	if got := text(t, r, report.TextOptions{}); !strings.Contains(got, "\n    agree    no identifiers, 12 of 14 literals equal\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestTextFolds(t *testing.T) {
	const width = 90
	plain := text(t, loud(), report.TextOptions{})
	folded := text(t, loud(), report.TextOptions{Width: width})
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
	colored := text(t, loud(), report.TextOptions{Color: true, Width: 80})
	for _, code := range []string{"1", "2", "33", "0"} {
		seq := "\x1b[" + code + "m"
		if !strings.Contains(colored, seq) {
			t.Errorf("%q does not occur", seq)
		}
		colored = strings.ReplaceAll(colored, seq, "")
	}
	if plain := text(t, loud(), report.TextOptions{Width: 80}); colored != plain {
		t.Errorf("without colours\n%s\nwant\n%s", colored, plain)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrors(t *testing.T) {
	if report.Text(fullDisk{}, loud(), report.TextOptions{}) == nil {
		t.Error("Text: no error")
	}
	if report.JSON(fullDisk{}, example()) == nil {
		t.Error("JSON: no error")
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "",
		"a/b c.go":             "a/b c.go",
		"naïve/日本/ß→×":         "naïve/日本/ß→×",
		"e\u0301":              "e\u0301", // combining mark
		"\ufffd":               "\ufffd",
		"a\x1b[2Jb":            `a\x1b[2Jb`,
		"a\nb\rc\td\x00e\x7f":  `a\nb\rc\td\x00e\x7f`,
		"\u009b31m":            `\u009b31m`,
		"\u202egpj.exe\u202c":  `\u202egpj.exe\u202c`,
		"\u2066\u2069\u200f":   `\u2066\u2069\u200f`,
		"\u2028\u00a0\u200b":   `\u2028\u00a0\u200b`,
		"\ufeffbom":            `\ufeffbom`,
		"\U000e0041":           `\U000e0041`,
		"a\xff\xc3":            `a\xff\xc3`,
		"ok\xe2\x80":           `ok\xe2\x80`,
		`back\slash "quoted"'`: `back\slash "quoted"'`,
	} {
		if got := report.Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a\x1b[2J\xff\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		e := report.Escape(s)
		if !utf8.ValidString(e) || strings.ContainsAny(e, "\n\r\x1b\u009b\u202e\u2066") || report.Escape(e) != e {
			t.Errorf("Escape(%q) = %q", s, e)
		}
	})
}

// TestTextAllowed: what is allowed is counted and shown on request; what is wrong
// with suppressions is always told.
func TestTextAllowed(t *testing.T) {
	r := example()
	got := text(t, r, report.TextOptions{})
	want := `1 allowed; --verbose lists them
.git-provenance.yml:7: unused allowance ("gone")
a.go:3: used allowance, added by this very change: 1 finding ("ours too")
a.go:9: refused allowance: it gives no reason="…"
not or`
	if !strings.Contains(got, "\n"+want) {
		t.Errorf("got\n%s", got)
	}
	for _, want := range []string{"\n    allowed  by inline: ours too (until 2027-01-01)\n", "\nearlier.json: earlier report\n"} {
		if got := text(t, r, report.TextOptions{Verbose: true}); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
