// Package text writes reports, single findings and pairs of files for a person at a
// terminal.
package text

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// group heads the regions that one file shares with one origin file, if there are several.
func (t *shown) group(g []*finding.Finding) {
	if len(g) < 2 {
		return
	}
	o := order.FirstOrigin(g[0])
	fmt.Fprintf(t.w, "%s  %s %s %s %s, %s\n\n", t.paint(bold, escape.Line(g[0].Path)), words.Plural(len(g), "region"), words.Relations(g), escape.Line(o.PURL), escape.Line(o.Path), words.Plural(order.TokensOf(g), "token"))
}

// partLine is one such file in plain text.
func partLine(p *finding.PartOrigin) string {
	s := fmt.Sprintf("%s = %s %s, %s", words.Range(p.StartLine, p.EndLine), escape.Line(p.PURL), words.Span(p.Path, p.OriginStartLine, p.OriginEndLine), words.Plural(p.Tokens, "token"))
	if why := words.PartWhy(p.Why); why != "" {
		s += " (" + why + ")"
	}
	return s
}

// parts tells of the files that have part of a finding.
func (t *shown) partOrigins(f *finding.Finding) {
	count := words.PartCount(f)
	if count == "" {
		return
	}
	t.detail("part", []string{"of it also " + count})
	if !t.o.Verbose {
		return
	}
	for i := range f.PartOrigins {
		fmt.Fprintln(t.w, indent+strings.Repeat(" ", labelWidth)+partLine(&f.PartOrigins[i]))
	}
}

// howToAllow tells it once, not with every finding.
func (t *shown) howToAllow() {
	fmt.Fprintln(t.w, `to allow one: the comment  git-provenance:allow reason="…"  above it, or in .git-provenance.yml  allow: [{finding: ID, reason: "…"}]`)
}

// Options say how a report looks on a terminal.
type Options struct {
	Color   bool
	Width   int  // columns at which long lines are folded; 0 means never
	Verbose bool // every rename, every origin listed and the whole ledger
}

// Write writes a report for a person: for each finding where it is, where it comes
// from and what speaks for it; then what was not examined, then a summary.
func Write(w io.Writer, r *finding.Report, o Options) error {
	t := &shown{w: bufio.NewWriter(w), o: o}
	var shown, loud []*finding.Finding
	for i := range r.Findings {
		f := &r.Findings[i]
		if !order.Quiet(f) {
			loud = append(loud, f)
		}
		if o.Verbose || !order.Quiet(f) {
			shown = append(shown, f)
		}
	}
	for _, g := range order.Grouped(shown) {
		t.group(g)
		for _, f := range g {
			t.finding(f)
		}
	}
	t.timeline(r.Findings)
	if len(loud) > 0 {
		t.howToAllow()
	}
	t.suppressions(r)
	t.ledger(r.Ledger)
	if s := words.RegionCount(loud); s != "" {
		fmt.Fprintln(t.w, s)
	}
	t.summary(r)
	if err := t.w.Flush(); err != nil { // keeps the first error of all writes
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

type shown struct {
	w *bufio.Writer
	o Options

	painted int // bytes of colour in the first part of the line being folded
}

// The SGR codes in use.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	yellow = "33"
	cyan   = "36"
)

func (t *shown) paint(code, s string) string {
	if !t.o.Color || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func levelColor(level string) string {
	switch level {
	case "error":
		return red
	case "warning":
		return yellow
	case "note":
		return cyan
	}
	return ""
}

// finding writes one finding as a head line and indented lines of evidence.
func (t *shown) finding(f *finding.Finding) {
	head := t.paint(bold, words.Span(f.Path, f.StartLine, f.EndLine))
	if len(f.Origins) > 0 {
		before, after := words.Relation(f)
		head += "  " + before + " " + words.Origin(&f.Origins[0]) + after
	}
	fmt.Fprintln(t.w, head)
	level := strings.TrimSpace(escape.Line(f.Level) + " " + escape.Line(string(f.Verdict)))
	if f.Rule != "" && f.Rule != string(f.Verdict) {
		level += " (rule " + escape.Line(f.Rule) + ")"
	}
	t.parts([]string{
		level,
		"score " + strconv.FormatFloat(f.Score, 'f', 2, 64),
		fmt.Sprintf("%s (%s of the file)", words.Plural(f.Tokens, "token"), words.Percent(f.FileShare)),
		words.CloneType(f.CloneType),
	}, levelColor(f.Level))
	t.detail("allowed", allowance(f.Allowed))
	t.detail("says", statements(f, t.o.Verbose))
	if len(f.Runs) > 1 {
		t.detail("runs", runs(f.Runs))
	}
	t.detail("renames", words.Renames(f.Renames, t.o.Verbose))
	t.detail("agree", words.Agreement(f))
	t.detail("time", words.When(f))
	t.detail("then", words.Story(f, t.o.Verbose))
	t.detail("licence", words.LicenceFacts(f, t.o.Verbose))
	t.others(f)
	t.partOrigins(f)
	id := []string{escape.Line(f.ID)}
	if t.o.Verbose {
		id = append(id, fmt.Sprintf("%.0f bits", f.Bits), fmt.Sprintf("%.0f in another region of both files", f.Support))
	}
	t.detail("id", id)
	fmt.Fprintln(t.w)
}

func runs(rs []finding.Run) []string {
	out := make([]string, len(rs))
	for i, r := range rs {
		out[i] = fmt.Sprintf("%d-%d = %d-%d (%s)", r.StartLine, r.EndLine, r.OriginStartLine, r.OriginEndLine, words.Plural(r.Tokens, "token"))
	}
	return out
}

// others tells of the origins after the first.
func (t *shown) others(f *finding.Finding) {
	n := f.OriginCount - 1
	if n <= 0 {
		return
	}
	t.detail("also", []string{fmt.Sprintf("in %s (%s in all)", words.Plural(n, "other place"), words.Plural(f.PackageCount, "package"))})
	if !t.o.Verbose {
		return
	}
	for i := 1; i < len(f.Origins); i++ {
		fmt.Fprintln(t.w, indent+strings.Repeat(" ", labelWidth)+words.Origin(&f.Origins[i]))
	}
}

const (
	indent     = "    "
	labelWidth = 9
)

// detail writes a labelled line of evidence, folded between its parts.
func (t *shown) detail(label string, parts []string) {
	if len(parts) == 0 {
		return
	}
	t.fold(indent+t.paint(dim, label)+strings.Repeat(" ", labelWidth-len(label)), len(indent)+labelWidth, parts)
}

// parts writes an unlabelled line of evidence whose first part has a colour.
func (t *shown) parts(parts []string, color string) {
	plain := len(parts[0])
	parts[0] = t.paint(color, parts[0])
	t.painted = len(parts[0]) - plain
	t.fold(indent, len(indent), parts)
	t.painted = 0
}

// fold writes parts separated by commas behind a lead of the given width, going
// on below it where a line gets too long.
func (t *shown) fold(lead string, width int, parts []string) {
	t.w.WriteString(lead)
	col := width
	for i, p := range parts {
		if i < len(parts)-1 {
			p += ","
		}
		n := utf8.RuneCountInString(p) + 1
		if i == 0 {
			n -= t.painted
		}
		if i > 0 {
			if t.o.Width > 0 && col+n > t.o.Width {
				t.w.WriteString("\n" + strings.Repeat(" ", width))
				col = width
			} else {
				t.w.WriteString(" ")
			}
		}
		t.w.WriteString(p)
		col += n
	}
	t.w.WriteString("\n")
}
