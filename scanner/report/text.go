package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TextOptions say how a report looks on a terminal.
type TextOptions struct {
	Color   bool
	Width   int  // columns at which long lines are folded; 0 means never
	Verbose bool // every rename, every origin listed and the whole ledger
}

// maxRenames is how many pairs of a rename map are shown: enough to see whether
// the map makes sense, and still one line of a wide terminal.
const maxRenames = 8

// Text writes a report for a person: for each finding where it is, where it comes
// from and what speaks for it; then what was not examined, then a summary.
func Text(w io.Writer, r *finding.Report, o TextOptions) error {
	t := &text{w: bufio.NewWriter(w), o: o}
	var shown, loud []*finding.Finding
	for i := range r.Findings {
		f := &r.Findings[i]
		if !Quiet(f) {
			loud = append(loud, f)
		}
		if o.Verbose || !Quiet(f) {
			shown = append(shown, f)
		}
	}
	for _, g := range grouped(shown) {
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
	if s := regionCount(loud); s != "" {
		fmt.Fprintln(t.w, s)
	}
	t.summary(r)
	if err := t.w.Flush(); err != nil { // keeps the first error of all writes
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

type text struct {
	w *bufio.Writer
	o TextOptions

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

func (t *text) paint(code, s string) string {
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
func (t *text) finding(f *finding.Finding) {
	head := t.paint(bold, span(f.Path, f.StartLine, f.EndLine))
	if len(f.Origins) > 0 {
		before, after := relation(f)
		head += "  " + before + " " + origin(&f.Origins[0]) + after
	}
	fmt.Fprintln(t.w, head)
	level := strings.TrimSpace(Escape(f.Level) + " " + Escape(string(f.Verdict)))
	if f.Rule != "" && f.Rule != string(f.Verdict) {
		level += " (rule " + Escape(f.Rule) + ")"
	}
	t.parts([]string{
		level,
		"score " + strconv.FormatFloat(f.Score, 'f', 2, 64),
		fmt.Sprintf("%s (%s of the file)", plural(f.Tokens, "token"), percent(f.FileShare)),
		cloneType(f.CloneType),
	}, levelColor(f.Level))
	t.detail("allowed", allowance(f.Allowed))
	t.detail("says", statements(f, t.o.Verbose))
	if len(f.Runs) > 1 {
		t.detail("runs", runs(f.Runs))
	}
	t.detail("renames", renames(f.Renames, t.o.Verbose))
	t.detail("agree", agreement(f))
	t.detail("time", when(f))
	t.detail("then", story(f, t.o.Verbose))
	t.detail("licence", licence(f, t.o.Verbose))
	t.others(f)
	t.partOrigins(f)
	id := []string{Escape(f.ID)}
	if t.o.Verbose {
		id = append(id, fmt.Sprintf("%.0f bits", f.Bits), fmt.Sprintf("%.0f in another region of both files", f.Support))
	}
	t.detail("id", id)
	fmt.Fprintln(t.w)
}

func origin(o *finding.Origin) string {
	return fmt.Sprintf("%s %s (%s)", Escape(o.PURL), span(o.Path, o.StartLine, o.EndLine), Escape(cmp.Or(o.License, "NOASSERTION")))
}

func span(path string, start, end int) string {
	return fmt.Sprintf("%s:%d-%d", Escape(path), start, end)
}

// cloneType names the types of the clone detection literature in words.
func cloneType(n int) string {
	switch n {
	case 1:
		return "type 1: verbatim but for layout and comments"
	case 2:
		return "type 2: renamed or literals changed"
	case 3:
		return "type 3: edited"
	}
	return fmt.Sprintf("type %d", n)
}

func runs(rs []finding.Run) []string {
	out := make([]string, len(rs))
	for i, r := range rs {
		out[i] = fmt.Sprintf("%d-%d = %d-%d (%s)", r.StartLine, r.EndLine, r.OriginStartLine, r.OriginEndLine, plural(r.Tokens, "token"))
	}
	return out
}

func renames(rs []finding.Rename, all bool) []string {
	shown := rs
	if !all && len(rs) > maxRenames {
		shown = rs[:maxRenames]
	}
	out := make([]string, 0, len(shown)+1)
	for _, r := range shown {
		out = append(out, fmt.Sprintf("%s → %s ×%d", Escape(r.Origin), Escape(r.Target), r.Count))
	}
	if n := len(rs) - len(shown); n > 0 {
		out = append(out, fmt.Sprintf("+%d more", n))
	}
	return out
}

func agreement(f *finding.Finding) []string {
	ids, lits := f.Identifiers, f.Literals
	out := []string{"no identifiers"}
	if ids.Total > 0 {
		out[0] = fmt.Sprintf("%s (%s kept, %s renamed, %s inconsistent)",
			plural(ids.Total, "identifier"), group(ids.Unchanged), group(ids.Renamed), group(ids.Inconsistent))
	}
	if lits.Total > 0 {
		out = append(out, fmt.Sprintf("%s of %s equal", group(lits.Equal), plural(lits.Total, "literal")))
	}
	return out
}

// when tells the dates and what they mean, as far as they are known.
func when(f *finding.Finding) []string {
	var out []string
	if f.DirectionReason != "" {
		out = append(out, datesWords(Escape(f.DirectionReason), f.Direction))
	} else if len(f.Origins) > 0 && f.Origins[0].Released != nil {
		out = append(out, "origin released "+date(*f.Origins[0].Released))
	}
	if len(f.Origins) > 0 && f.Origins[0].Versions != nil {
		v := f.Origins[0].Versions
		out = append(out, fmt.Sprintf("in %s from %s to %s", plural(v.Count, "version"), Escape(v.First), Escape(v.Last)))
	}
	if in := f.Introduced; in != nil {
		out = append(out, introduced(in, f.DirectionReason))
	}
	return out
}

// introduced names the commit by which a region entered, with its date unless that
// was said.
func introduced(in *finding.Commit, said string) string {
	s := fmt.Sprintf("introduced by commit %s of %s", Escape(shorten(in.Commit)), Escape(in.Author))
	if !strings.Contains(said, date(in.Time)) {
		s += " on " + date(in.Time)
	}
	if in.Path != "" {
		s += " in " + Escape(in.Path)
	}
	return s
}

func date(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// shorten cuts a commit id or digest to twelve digits, as many as git shows in
// large repositories.
func shorten(id string) string {
	_, hex, ok := strings.Cut(id, ":")
	if !ok {
		hex = id
	}
	if len(hex) > 12 {
		return hex[:12]
	}
	return hex
}

// others tells of the origins after the first.
func (t *text) others(f *finding.Finding) {
	n := f.OriginCount - 1
	if n <= 0 {
		return
	}
	t.detail("also", []string{fmt.Sprintf("in %s (%s in all)", plural(n, "other place"), plural(f.PackageCount, "package"))})
	if !t.o.Verbose {
		return
	}
	for i := 1; i < len(f.Origins); i++ {
		fmt.Fprintln(t.w, indent+strings.Repeat(" ", labelWidth)+origin(&f.Origins[i]))
	}
}

const (
	indent     = "    "
	labelWidth = 9
)

// detail writes a labelled line of evidence, folded between its parts.
func (t *text) detail(label string, parts []string) {
	if len(parts) == 0 {
		return
	}
	t.fold(indent+t.paint(dim, label)+strings.Repeat(" ", labelWidth-len(label)), len(indent)+labelWidth, parts)
}

// parts writes an unlabelled line of evidence whose first part has a colour.
func (t *text) parts(parts []string, color string) {
	plain := len(parts[0])
	parts[0] = t.paint(color, parts[0])
	t.painted = len(parts[0]) - plain
	t.fold(indent, len(indent), parts)
	t.painted = 0
}

// fold writes parts separated by commas behind a lead of the given width, going
// on below it where a line gets too long.
func (t *text) fold(lead string, width int, parts []string) {
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

// ledger accounts for what was not examined: by reason, or each entry.
func (t *text) ledger(es []finding.Entry) {
	if len(es) == 0 {
		return
	}
	if !t.o.Verbose {
		fmt.Fprintf(t.w, "not or only partly examined: %s; --verbose lists them\n", strings.Join(byReason(es), ", "))
		return
	}
	fmt.Fprintf(t.w, "not or only partly examined: %s\n", strings.Join(byReason(es), ", "))
	for _, e := range es {
		line := fmt.Sprintf("  %s: %s", Escape(e.Path), Escape(string(e.Reason)))
		if e.Detail != "" {
			line += ": " + Escape(e.Detail)
		}
		fmt.Fprintln(t.w, line)
	}
}

// byReason counts entries, the commonest reason first.
func byReason(es []finding.Entry) []string {
	var out []string
	for _, c := range countReasons(es) {
		out = append(out, group(c.n)+" "+Escape(string(c.reason)))
	}
	return out
}

// reasonCount counts the entries of the ledger with one reason.
type reasonCount struct {
	reason lang.Reason
	n      int
}

func countReasons(es []finding.Entry) []reasonCount {
	at := make(map[lang.Reason]int)
	var out []reasonCount
	for _, e := range es {
		i, ok := at[e.Reason]
		if !ok {
			i = len(out)
			at[e.Reason] = i
			out = append(out, reasonCount{reason: e.Reason})
		}
		out[i].n++
	}
	slices.SortFunc(out, func(a, b reasonCount) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.reason, b.reason))
	})
	return out
}

func (t *text) summary(r *finding.Report) {
	s, b := &r.Summary, &r.Baseline
	in := plural(s.Files, "file")
	if s.Commits > 0 {
		in += " of " + plural(s.Commits, "commit")
	}
	fmt.Fprintf(t.w, "%s in %s (%s); baseline %s: %s, %s\n", t.paint(bold, plural(s.Findings, "finding")), in,
		plural(s.Tokens, "token"), Escape(shorten(b.Digest)), plural(b.Packages, "package"), plural(b.Documents, "document"))
}

func plural[N int | int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return group(n) + " " + noun
}

// group writes a number with commas between groups of three digits.
func group[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// percent never rounds a part up to the whole or down to nothing.
func percent(share float64) string {
	switch p := share * 100; {
	case p > 0 && p < 1:
		return "<1%"
	case p > 99 && p < 100:
		return ">99%"
	default:
		return strconv.FormatFloat(p, 'f', 0, 64) + "%"
	}
}
