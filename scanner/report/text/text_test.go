package text_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
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
	got := shown(t, reporttest.Loud(), text.Options{Verbose: true})
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
	r := reporttest.Example()
	r.Findings, r.Suppressions, r.Ledger, r.Summary = nil, nil, nil, finding.Summary{Files: 1}
	want := "0 findings in 1 file (0 tokens); baseline 0123456789ab: 1 package, 3,411 documents\n"
	if got := shown(t, r, text.Options{}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextOfLiterals(t *testing.T) {
	r := reporttest.Loud()
	r.Findings[0].Identifiers = finding.Names{}
	if got := shown(t, r, text.Options{}); !strings.Contains(got, "\n    agree    no identifiers, 12 of 14 literals equal\n") {
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

// TestTextAllowed: what is allowed is counted and shown on request; what is wrong
// with suppressions is always told.
func TestTextAllowed(t *testing.T) {
	r := reporttest.Example()
	got := shown(t, r, text.Options{})
	want := `1 allowed; --verbose lists them
.git-provenance.yml:7: unused allowance ("gone")
a.go:3: used allowance, added by this very change: 1 finding ("ours too")
a.go:9: refused allowance: it gives no reason="…"
not or`
	if !strings.Contains(got, "\n"+want) {
		t.Errorf("got\n%s", got)
	}
	for _, want := range []string{"\n    allowed  by inline: ours too (until 2027-01-01)\n", "\nearlier.json: earlier report\n"} {
		if got := shown(t, r, text.Options{Verbose: true}); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
