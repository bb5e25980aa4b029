package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// defaultWidth is that of a side-by-side view where no terminal tells one.
const defaultWidth = 160

// Explain writes everything a report holds on one finding: the evidence, why the
// score is what it is, when each side had the region, and both sides next to each
// other. A bar beside a line
// says that it lies in a matched run.
func Explain(w io.Writer, f *finding.Finding, o TextOptions) error {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	o.Verbose = true
	t := &text{w: bufio.NewWriter(w), o: o}
	t.finding(f)
	t.reasons(f)
	t.dates(f)
	t.sides(f)
	if err := t.w.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func (t *text) reasons(f *finding.Finding) {
	if len(f.Reasons) == 0 {
		return
	}
	fmt.Fprintln(t.w, t.paint(bold, "why"))
	for _, r := range f.Reasons {
		fmt.Fprintln(t.w, indent+Escape(r))
	}
	fmt.Fprintln(t.w)
}

// sides writes the two sides next to each other.
func (t *text) sides(f *finding.Finding) {
	if f.Text == nil {
		fmt.Fprintln(t.w, "the report was made without source text")
		return
	}
	here, there := f.Text.Target, f.Text.Origin
	digits := len(strconv.Itoa(max(here.StartLine+len(here.Lines), there.StartLine+len(there.Lines))))
	half := max(20, (t.o.Width-3)/2)
	c := columns{t, digits, half - digits - 3, marked(f.Renames)}
	fmt.Fprintf(t.w, "%s   %s\n", t.paint(bold, fit(Escape(f.Path), half)), t.paint(bold, strings.TrimRight(fit(sideTitle(f), half), " ")))
	hereMarks, thereMarks := matchedLines(&here, f.Runs, targetLines), matchedLines(&there, f.Runs, originLines)
	for _, r := range align(f.Text, f.Renames) {
		left := c.cell(&here, r.target, hereMarks)
		right := strings.TrimRight(c.cell(&there, r.origin, thereMarks), " ")
		fmt.Fprintln(t.w, strings.TrimRight(left+"   "+right, " "))
	}
	if here.Truncated || there.Truncated {
		fmt.Fprintln(t.w, t.paint(dim, "… the report holds no more of it"))
	}
}

func sideTitle(f *finding.Finding) string {
	if len(f.Origins) == 0 {
		return ""
	}
	return Escape(f.Origins[0].PURL) + " " + Escape(f.Origins[0].Path)
}

// columns draws the cells of a side-by-side view.
type columns struct {
	t       *text
	digits  int
	width   int // of the source
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
	source := fit(Escape(strings.ReplaceAll(e.Lines[at], "\t", "    ")), c.width)
	return number + " " + bar + " " + c.highlight(source)
}

// highlight paints the names that were renamed.
func (c columns) highlight(source string) string {
	if !c.t.o.Color {
		return source
	}
	var b strings.Builder
	for _, w := range splitWords(source) {
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

// fit cuts or fills a text to a width.
func fit(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n <= width {
		return s + strings.Repeat(" ", width-n)
	}
	return string([]rune(s)[:width-1]) + "…"
}
