// Package markdown writes a report for GitHub: the summary of a job or a comment on a pull request. Write takes a report and a bound
// in bytes; what does not fit is counted. Text from outside is only written as code spans.
//
//	markdown.go  Write: the report, and how much of it fits
//	finding.go   a finding: in full, in one line, as points
//	vendored.go  packages of others that the target carries
//	escape.go    text from outside
package markdown

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/order"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// GitHub's limits for a Markdown document, in bytes. GitHub counts the first in characters, of which there are never
// more than bytes.
const (
	CommentLimit = 65_535  // a comment; summary and text of a check run
	SummaryLimit = 1 << 20 // the summary of a job's step; GitHub silently drops the rest
)

// MinLimit is the smallest limit: it has room for head and foot.
const MinLimit = 4096

// Options say how a report becomes a Markdown document.
type Options struct {
	Limit int    // bytes; 0 means SummaryLimit
	Blob  string // address that a file's path is appended to, such as https://github.com/O/R/blob/COMMIT; "" means no links to files of the target
}

// Write writes a report for GitHub: the summary of a job or a comment on a pull request. Each finding can be understood
// without leaving the page. Findings come by weight. Near the limit, findings first lose their excerpts, then all but
// one line. Findings left out at the end are counted.
func Write(w io.Writer, r *finding.Report, o Options) error {
	limit := cmp.Or(o.Limit, SummaryLimit)
	if limit < MinLimit {
		return fmt.Errorf("write markdown: a limit of %d bytes is below %d", limit, MinLimit)
	}
	m := &writer{o: o, left: limit}
	m.needed = r.Parameters.MinScore
	m.report(r)
	if _, err := io.WriteString(w, m.b.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

type writer struct {
	o    Options
	b    strings.Builder
	left int // bytes
	// needed is the score that a finding has to reach; 0 if it is not known.
	needed float64
	// parts is the group of each finding that is one of several.
	parts map[*finding.Finding][]*finding.Finding
	// alike has the findings of which others of the group say the same.
	alike map[*finding.Finding]bool
}

// cutRoom is reserved for the headings of lists and the line on omitted findings, in bytes.
const cutRoom = 512

func (m *writer) report(r *finding.Report) {
	groups := order.Grouped(order.Ranked(r.Findings))
	loud, quiet := order.Split(slices.Concat(groups...))
	m.parts, m.alike = order.GroupOf(groups), make(map[*finding.Finding]bool)
	for _, g := range groups {
		_, rest := words.Alike(g)
		for _, f := range rest {
			m.alike[f] = true
		}
	}
	foot := foot(r)
	m.left -= len(foot) + cutRoom
	m.write(head(r, loud, quiet) + unseen(r))
	full := m.inFull(loud)
	rest := m.inBrief(loud[full:], "Further findings")
	hidden := m.inBrief(quiet, "Allowed, or ignored by the policy")
	if n := rest + hidden; n > 0 {
		fmt.Fprintf(&m.b, "**%s not shown**: the report would be too long. Those shown weigh most; the JSON report has all.\n\n", words.Plural(n, "more finding"))
	}
	m.vendored(r.Vendored)
	m.b.WriteString(foot)
}

func (m *writer) write(s string) {
	m.b.WriteString(s)
	m.left -= len(s)
}

// inFull writes findings with all their evidence, and a line for each that says the same as those before it. It stops when the room
// left would be too small for a line on each of the others. Those lines reserve half of the limit at most. It returns how many findings
// it wrote.
func (m *writer) inFull(fs []*finding.Finding) int {
	lines := 0
	for _, f := range fs {
		lines += len(m.brief(f))
	}
	half := m.left / 2
	for i, f := range fs {
		lines -= len(m.brief(f))
		keep := min(lines, half)
		s := ""
		if m.alike[f] {
			s = strings.TrimSuffix(m.brief(f), "\n") + "; finding " + code(f.ID) + "\n"
			if i+1 == len(fs) || !m.alike[fs[i+1]] {
				s += "\n"
			}
		} else if s = m.full(i+1, f, maxShownLines); len(s) > m.left-keep {
			s = m.full(i+1, f, 0)
		}
		if len(s) > m.left-keep {
			return i
		}
		m.write(s)
	}
	return len(fs)
}

// inBrief writes a line for each finding while they fit, and returns how many it left out.
func (m *writer) inBrief(fs []*finding.Finding, title string) int {
	for i, f := range fs {
		s := m.brief(f)
		if len(s) > m.left {
			m.b.WriteString("\n")
			return len(fs) - i
		}
		if i == 0 {
			m.b.WriteString("### " + title + "\n\n") // uses cutRoom
		}
		m.write(s)
	}
	if len(fs) > 0 {
		m.b.WriteString("\n")
	}
	return 0
}

func head(r *finding.Report, loud, quiet []*finding.Finding) string {
	if len(loud)+len(quiet) == 0 {
		return "## git-provenance: nothing copied was found\n\n"
	}
	parts := words.ByLevel(loud)
	if len(quiet) > 0 {
		parts = append(parts, fmt.Sprintf("%s allowed or ignored", words.Number(len(quiet))))
	}
	if n := words.RegionCount(loud); n != "" {
		parts = append(parts, n)
	}
	return fmt.Sprintf("## git-provenance: %s\n\n%s. The code below also occurs, token for token, in known packages%s.\n\n",
		words.Plural(len(loud), "finding"), strings.Join(parts, ", "), among(r.Target))
}

// unseen warns of parts that were not examined as a whole.
func unseen(r *finding.Report) string {
	out := ""
	for _, s := range r.Unseen[:min(len(r.Unseen), maxUnseen)] {
		out += "> **Warning:** " + prose(escape.Clip(escape.Line(s), 400)) + "\n\n"
	}
	return out
}

// maxUnseen bounds the warnings shown; a scan has two at most.
const maxUnseen = 2

// among says what was examined, if that is less than everything.
func among(t finding.Target) string {
	switch t.Kind {
	case "diff":
		return fmt.Sprintf(", and is new between %s and %s", code(words.Shorten(t.Base)), code(words.Shorten(t.Head)))
	case "staged":
		return ", and is new in what is staged"
	}
	return ""
}

// foot says what was examined, what was not, and against which baseline.
func foot(r *finding.Report) string {
	s, b := &r.Summary, &r.Baseline
	in := words.Plural(s.Files, "file")
	if s.Commits > 0 {
		in += " of " + words.Plural(s.Commits, "commit")
	}
	ledger := "Everything was examined."
	if counts := words.CountReasons(r.Ledger); len(counts) > 0 {
		ledger = "Not or only partly examined: " + each(counts, ", ", func(c words.ReasonCount) string {
			return words.Number(c.N) + " " + prose(escape.Clip(escape.Line(string(c.Reason)), 40))
		}) + "."
	}
	return fmt.Sprintf("---\n\n%s\n\nExamined: %s, %s. Baseline %s: %s, %s. git-provenance %s.\n", ledger, in, words.Plural(s.Tokens, "token"),
		code(words.Shorten(b.Digest)), words.Plural(b.Packages, "package"), words.Plural(b.Documents, "document"), code(escape.Clip(escape.Line(r.Tool.Version), 60)))
}
