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
	"github.com/git-provenance/git-provenance/scanner/report/internal/sides"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// dates writes both timelines side by side, with one column of dates.
func (t *printer) dates(f *finding.Finding) {
	rows := words.SideBySide(f)
	if len(rows) == 0 {
		return
	}
	width := len("here")
	for _, r := range rows {
		width = max(width, len([]rune(r[1])))
	}
	width = min(width, max(20, t.o.Width/2))
	line := func(r [3]string) string {
		return strings.TrimRight(fmt.Sprintf("%s%-10s  %s  %s", indent, r[0], fit(r[1], width), r[2]), " ")
	}
	fmt.Fprintln(t.w, t.paint(bold, "dates"))
	fmt.Fprintln(t.w, t.paint(dim, line([3]string{"", "here", "there"})))
	for _, r := range rows {
		fmt.Fprintln(t.w, line(r))
	}
	fmt.Fprintln(t.w)
}

// defaultWidth is the width of a side-by-side view if no terminal reports one, in columns.
const defaultWidth = 160

// Explain writes everything that a report holds on one finding: the evidence, the reasons of the score, the dates of
// each side, and both sides next to each other. A bar marks a line that belongs to a matched run.
func Explain(w io.Writer, r *finding.Report, f *finding.Finding, o Options) error {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	o.Verbose = true
	t := &printer{w: bufio.NewWriter(w), o: o, needed: r.Parameters.MinScore}
	t.finding(f)
	t.reasons(f)
	t.dates(f)
	t.sides(f)
	if err := t.w.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func (t *printer) reasons(f *finding.Finding) {
	if len(f.Reasons) == 0 {
		return
	}
	fmt.Fprintln(t.w, t.paint(bold, "why"))
	for _, r := range f.Reasons {
		fmt.Fprintln(t.w, indent+escape.Line(r))
	}
	fmt.Fprintln(t.w)
}

// sides writes the two sides next to each other.
func (t *printer) sides(f *finding.Finding) {
	if f.Text == nil {
		fmt.Fprintln(t.w, "the report was made without source text")
		return
	}
	here, there := f.Text.Target, f.Text.Origin
	digits := len(strconv.Itoa(max(here.StartLine+len(here.Lines), there.StartLine+len(there.Lines))))
	half := max(20, (t.o.Width-3)/2)
	c := columns{t, digits, half - digits - 3, marked(f.Renames)}
	fmt.Fprintf(t.w, "%s   %s\n", t.paint(bold, fit(escape.Line(f.Path), half)), t.paint(bold, strings.TrimRight(fit(words.OriginTitle(f), half), " ")))
	hereMarks, thereMarks := sides.MatchedLines(&here, f.Runs, sides.TargetLines), sides.MatchedLines(&there, f.Runs, sides.OriginLines)
	for _, r := range sides.Align(f.Text, f.Renames) {
		left := c.cell(&here, r.Target, hereMarks)
		right := strings.TrimRight(c.cell(&there, r.Origin, thereMarks), " ")
		fmt.Fprintln(t.w, strings.TrimRight(left+"   "+right, " "))
	}
	if here.Truncated || there.Truncated {
		fmt.Fprintln(t.w, t.paint(dim, "… the report holds no more of it"))
	}
}

// columns draws the cells of a side-by-side view.
type columns struct {
	t       *printer
	digits  int
	width   int // of the source text
	renamed map[string]bool
}

func (c columns) cell(e *finding.Excerpt, at int, marks []bool) string {
	if at < 0 {
		return strings.Repeat(" ", c.digits+3+c.width)
	}
	bar := " "
	if marks[at] {
		bar = c.t.paint(cyan, "|")
	}
	number := c.t.paint(dim, fmt.Sprintf("%*d", c.digits, e.StartLine+at))
	source := fit(escape.Line(strings.ReplaceAll(e.Lines[at], "\t", "    ")), c.width)
	return number + " " + bar + " " + c.highlight(source)
}

// highlight colours the renamed names.
func (c columns) highlight(source string) string {
	if !c.t.o.Color {
		return source
	}
	var b strings.Builder
	for _, w := range sides.SplitWords(source) {
		if c.renamed[w] {
			w = c.t.paint(yellow, w)
		}
		b.WriteString(w)
	}
	return b.String()
}

func marked(rs []finding.Rename) map[string]bool {
	out := make(map[string]bool, 2*len(rs))
	for _, r := range rs {
		out[r.Origin], out[r.Target] = true, true
	}
	return out
}

// fit cuts or pads a text to a width.
func fit(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n <= width {
		return s + strings.Repeat(" ", width-n)
	}
	return string([]rune(s)[:width-1]) + "…"
}
