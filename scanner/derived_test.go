package scanner_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// edited is a function of the standard library with a foreign statement after every third line, so that no run has the guaranteed
// length.
func edited(t *testing.T) string {
	text := std(t, "text/tabwriter/tabwriter.go")
	from := strings.Index(text, "func (b *Writer) format(")
	to := from + strings.Index(text[from:], "\n}\n") + 3
	var out strings.Builder
	n := 0
	for line := range strings.Lines(text[from:to]) {
		code, _, _ := strings.Cut(line, "//")
		out.WriteString(line)
		if code = strings.TrimSpace(code); code == "" || code == "}" || strings.HasSuffix(code, ",") {
			continue
		}
		if n++; n%3 == 0 {
			fmt.Fprintf(&out, "\t\tlog.Tracef(\"step %d\", %d, b.level)\n", n, n)
		}
	}
	return out.String()
}

// TestDerived: code that was edited every few lines is found by the sum of its unchanged parts.
func TestDerived(t *testing.T) {
	b := based(t, pack{"pkg:generic/known@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "text/tabwriter/tabwriter.go", "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	text := edited(t)
	r := tree(t, scan(t, scanner.Options{}, b), files{"layout.go": "package layout\n\n" + text}.dir(t))
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings, want 1", len(r.Findings))
	}
	f := r.Findings[0]
	lines := strings.Count(text, "\n")
	if !f.Derived || f.Origins[0].Path != "text/tabwriter/tabwriter.go" || f.CloneType != 3 || f.EndLine-f.StartLine < lines*3/4 {
		t.Errorf("%+v; most of %d lines of tabwriter.go should be derived", f, lines)
	}
	for _, run := range f.Runs {
		if run.Tokens > 40 {
			t.Errorf("a run has %d tokens: the edits are too few for this test", run.Tokens)
		}
	}
	if ps := f.Functions; len(ps) != 1 || ps[0].Name != "format" || ps[0].OriginName != "format" || ps[0].Share < 0.5 || ps[0].OriginShare < 0.8 {
		t.Errorf("functions %+v, want format of both", ps)
	}
	if r := f.Reasons; !strings.HasPrefix(r[1], "edited throughout") {
		t.Errorf("reasons %q do not say that it was edited throughout", r)
	}
	var bits, needed float64
	if _, err := fmt.Sscanf(f.Reasons[0], "%f bits; %f bits needed", &bits, &needed); err != nil || math.Abs(bits-needed-f.ScoredBy.Above) > 0.2 {
		t.Errorf("%v: %q, %.1f bits above what is needed", err, f.Reasons[0], f.ScoredBy.Above)
	}

	// the same structure with common names
	for _, f := range tree(t, scan(t, scanner.Options{}, b), files{"layout.go": "package layout\n\n" + alike(t, text)}.dir(t)).Findings {
		if !f.Documentation { // its comments are unchanged
			t.Errorf("without its names it is found: %+v", f)
		}
	}
}

// TestDerivedRest: once a file is known as the source, fewer bits are enough for the rest, which shares no fingerprint.
func TestDerivedRest(t *testing.T) {
	const name = "names.go"
	source, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{name: string(source)}}, pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	function := func(head string) string {
		from := strings.Index(string(source), head)
		return string(source[from : from+strings.Index(string(source[from:]), "\n}\n")+3])
	}
	var rest strings.Builder // no run has 20 tokens
	for line := range strings.Lines(function("func References(")) {
		rest.WriteString(line)
		if code := strings.TrimSpace(line); line != "}\n" && !strings.HasSuffix(code, ",") {
			rest.WriteString("\tlog.Trace(depth, verbose)\n")
		}
	}
	found := func(text string) (lines int) {
		for _, f := range tree(t, scan(t, scanner.Options{}, b), files{"layout.go": "package layout\n\n" + text}.dir(t)).Findings {
			if f.Origins[0].Path != name {
				t.Errorf("%+v is not of %s", f, name)
			}
			lines += f.EndLine - f.StartLine + 1
		}
		return lines
	}
	if n := found(rest.String()); n > 0 {
		t.Fatalf("%d lines are found alone: this test shows nothing", n)
	}
	whole := function("func (o Origin) at(")
	alone := found(whole)
	if both := found(whole + "\n" + rest.String()); alone == 0 || both < alone+strings.Count(rest.String(), "\n")/2 {
		t.Errorf("%d lines are found beside a copied function of %d lines, want half of %d more", both-alone, alone, strings.Count(rest.String(), "\n"))
	}
}

// canal is code of short lines with names of its own.
const canal = `package canal

func (l *Lockkeeper) raiseBarge(b *Barge) error {
	chamber := l.chamberOf(b)
	if chamber.sluices == nil {
		return errDryChamber
	}
	l.warnSkippers(chamber)
	chamber.shutUpstream()
	chamber.shutDownstream()
	depth := chamber.gaugeDepth()
	for depth < b.draughtOf() {
		chamber.openPaddle()
		depth += chamber.inflowRate
		l.logbook.noteDepth(depth)
	}
	chamber.shutPaddle()
	b.moorings.slacken()
	l.tollbook.enterBarge(b)
	return chamber.openUpstream()
}
`

// TestDerivedByNames: no token fingerprint is left, but neighbouring rare names lead to the document.
func TestDerivedByNames(t *testing.T) {
	packs := []pack{{"pkg:generic/known@1", "MIT", "2020-01-01", files{"canal.go": canal}}, {"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")}}
	var text strings.Builder
	for line := range strings.Lines(strings.TrimPrefix(canal, "package canal\n")) {
		text.WriteString(line)
		if strings.TrimSpace(line) != "" && line != "}\n" {
			text.WriteString("\tlog.Trace(\"step\", 1)\n")
		}
	}
	target := files{"layout.go": "package layout\n" + text.String()}.dir(t)
	key := fingerprint.NewKey([]byte("a secret of sixteen"))
	keyed := open(t, buildKeyed(t, t.TempDir(), baseline.Defaults, key, packs...), key)
	for what, b := range map[string]*baseline.Baseline{"plain": based(t, packs...), "keyed": keyed} {
		r := tree(t, scan(t, scanner.Options{}, b), target)
		if len(r.Findings) != 1 {
			t.Errorf("%s: %d findings, want 1", what, len(r.Findings))
			continue
		}
		f := r.Findings[0]
		if all := strings.Count(text.String(), "\n"); !f.Derived || f.Origins[0].Path != "canal.go" || f.EndLine-f.StartLine < all*3/4 {
			t.Errorf("%s: lines %d-%d of %d are found in %s, derived: %t", what, f.StartLine, f.EndLine, all, f.Origins[0].Path, f.Derived)
		}
		for _, run := range f.Runs {
			if run.Tokens >= baseline.Defaults.K {
				t.Errorf("%s: a run has %d tokens: the edits are too few for this test", what, run.Tokens)
			}
		}
	}
}

// TestShortRuns: a region without a run that is long enough to be followed has no date. It is committed, but its direction is
// unknown.
func TestShortRuns(t *testing.T) {
	var text strings.Builder
	for line := range strings.Lines(strings.TrimPrefix(canal, "package canal\n")) {
		text.WriteString(strings.NewReplacer("(", "(0, ", " < ", " <= ", "nil {", "nil && ok {", " error {", " (error) {").Replace(line))
		if strings.TrimSpace(line) != "" && line != "}\n" {
			text.WriteString("\tlog.Trace(\"step\", 1)\n")
		}
	}
	r := newRepository(t)
	r.commit(files{"layout.go": "package layout\n" + text.String()}) // 2022-01-02
	packs := []pack{{"pkg:generic/known@1", "MIT", "2023-01-01", files{"canal.go": canal}}, {"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")}}
	f := one(t, r.checked(scan(t, scanner.Options{Options: examine.Options{MinScore: 1e-9}}, based(t, packs...)).Tree(t.Context(), r.open(), r.dir, nil)))
	for _, run := range f.Runs {
		if run.Tokens >= trace.GramLength {
			t.Fatalf("a run of %d tokens: this test shows nothing", run.Tokens)
		}
	}
	if f.Direction != "unknown" || !strings.HasPrefix(f.DirectionReason, "here at an unknown time (its equal runs are too short to be followed, or their literals differ)") {
		t.Errorf("%s: %s", f.Direction, f.DirectionReason)
	}
}

// TestFewLongRuns: most of a region is in runs that are too short to be followed. The date of its few lines that can be followed is not
// that of the region, which the target may have had before.
func TestFewLongRuns(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimPrefix(canal, "package canal\n"), "\n")
	kept := len(lines) / 4
	write := func(edited int) string {
		var text strings.Builder
		text.WriteString("package layout\n")
		for i, line := range lines {
			if i >= kept || i < edited {
				line = strings.NewReplacer("(", "(0, ", " < ", " <= ", "nil {", "nil && ok {", " error {", " (error) {").Replace(line)
				if strings.TrimSpace(line) != "" && line != "}\n" {
					line += "\tlog.Trace(\"step\", 1)\n"
				}
			}
			text.WriteString(line)
		}
		return text.String()
	}
	r := newRepository(t)
	r.commit(files{"layout.go": write(kept)}) // 2022-01-02
	r.now = date("2022-01-10")
	r.commit(files{"layout.go": write(0)})
	packs := []pack{{"pkg:generic/known@1", "MIT", "2022-01-05", files{"canal.go": canal}}, {"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")}}
	f := one(t, r.checked(scan(t, scanner.Options{Options: examine.Options{MinScore: 1e-9}}, based(t, packs...)).Tree(t.Context(), r.open(), r.dir, nil)))
	long, all := 0, 0
	for _, run := range f.Runs {
		if all += run.Tokens; run.Tokens >= trace.GramLength {
			long += run.Tokens
		}
	}
	if long == 0 || 2*long >= all {
		t.Fatalf("%d of %d tokens are in long runs: this test shows nothing", long, all)
	}
	if f.Direction != "unknown" {
		t.Errorf("%s: %s", f.Direction, f.DirectionReason)
	}
}
