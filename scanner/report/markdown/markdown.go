// Package markdown writes a report for GitHub: the summary of a job or a comment on a pull request. Write takes a report and a bound
// in bytes; what does not fit is counted. Text from outside is only written as code spans (escape.go).
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

// group returns the heading of a group of several regions.
func (m *writer) group(g []*finding.Finding) string {
	o := order.FirstOrigin(g[0])
	first, last := g[0], g[len(g)-1]
	from := code(o.Path)
	if n := order.FilesOf(g); n > 1 {
		from = words.Plural(n, "file")
	}
	at := ""
	switch files, place := order.Places(g); {
	case files == 1:
		at = m.fileLink(first.Path, code(first.Path), first.StartLine, last.EndLine) + ", "
	case place != "":
		at = code(place) + ", "
	}
	return fmt.Sprintf("### %s%s %s %s of %s (%s)\n\n", at, words.Regions(g), words.Relations(g), from, code(order.PackageOf(g)), prose(words.Licence(o.License)))
}

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

// brief returns one line on a finding.
func (m *writer) brief(f *finding.Finding) string {
	o := order.FirstOrigin(f)
	before, _ := words.Relation(f)
	s := fmt.Sprintf("- %s %s, %s %s (%s): **%s**, score %s", m.where(f), words.Lines(f.StartLine, f.EndLine), before,
		link(code(o.PURL), o.URL), prose(words.Licence(o.License)), prose(string(f.Verdict)), words.Score(f.Score))
	if a := f.Allowed; a != nil {
		s += "; accepted by " + line(words.Accepted(a))
	}
	return s + "\n"
}

// where names the file of a finding, linked to its lines if the address is known.
func (m *writer) where(f *finding.Finding) string {
	return m.fileLink(f.Path, code(f.Path), f.StartLine, f.EndLine)
}

func (m *writer) fileLink(path, text string, start, end int) string {
	if m.o.Blob == "" {
		return text
	}
	return link(text, fmt.Sprintf("%s/%s#L%d-L%d", strings.TrimSuffix(m.o.Blob, "/"), escape.Percent(finding.UnescapeName(path), "/-._~"), start, end))
}

// full returns a finding with its evidence and at most the given number of lines of each side.
func (m *writer) full(n int, f *finding.Finding, lines int) string {
	var b strings.Builder
	o := order.FirstOrigin(f)
	if g := m.parts[f]; len(g) > 0 {
		if g[0] == f {
			b.WriteString(m.group(g))
		}
		b.WriteString("#")
	}
	before, _ := words.Relation(f)
	fmt.Fprintf(&b, "### %d. %s %s, %s %s (%s)\n\n", n, m.where(f), words.Lines(f.StartLine, f.EndLine), before, code(o.PURL), prose(words.Licence(o.License)))
	for _, p := range m.points(f) {
		b.WriteString("- " + p + "\n")
	}
	b.WriteString("\n")
	if f.Text != nil && lines > 0 {
		fmt.Fprintf(&b, "<details><summary>Both sides</summary>\n\n")
		b.WriteString(excerpt("This code", f.Path, f.Text.Target, f.Language, lines))
		title := "The origin"
		if o.WithoutText {
			title += " (" + words.WithoutText + ")"
		}
		b.WriteString(excerpt(title, o.Path, f.Text.Origin, f.Language, lines))
		b.WriteString("</details>\n\n")
	}
	return b.String()
}

// maxShownLines bounds the lines shown of each side: about a screen. The links lead to the whole.
const maxShownLines = 40

func excerpt(title, path string, e finding.Excerpt, language string, most int) string {
	shown, more := e.Lines, ""
	if len(shown) > most {
		more = fmt.Sprintf("%s of it left out here.\n\n", words.Plural(len(shown)-most, "more line"))
		shown = shown[:most]
	} else if e.Truncated {
		more = "It goes on; the rest was too long to be kept.\n\n"
	}
	return fmt.Sprintf("%s, %s from line %d:\n\n%s\n%s", title, code(path), e.StartLine, fence(shown, language), more)
}

// Points lists the evidence of a finding without links to files of the target.
func Points(f *finding.Finding) []string { return new(writer).points(f) }

// points lists the facts of a finding, the most important to a reviewer first.
func (m *writer) points(f *finding.Finding) []string {
	ps := []string{fmt.Sprintf("**%s: %s**%s", prose(cmp.Or(f.Level, "warning")), prose(string(f.Verdict)), rule(f))}
	add := func(label, s string) {
		if s != "" {
			ps = append(ps, label+": "+s)
		}
	}
	o := order.FirstOrigin(f)
	add("Source", link(code(o.PURL), o.URL)+" "+line(words.Source(f)))
	add("Older side", line(words.Older(f)))
	add("Licence", line(words.LicenceOf(f, words.Full)))
	add("Notices", each(words.SortedNotices(f.Attributions), "; ", m.notice))
	add("Action", line(words.Action(f)))
	add("Amount", line(words.Amount(f)))
	add("Functions", each(words.Functions(f, words.Brief), ", ", prose))
	add("New in this change", words.Changed(f))
	add("Score", line(words.ScoreOf(f, m.needed))+"; "+words.ScoreMeaning(f.Score))
	add("History", m.history(f))
	add("Versions", line(words.Versions(f)))
	add("Part of it also", mdParts(f))
	add("Renames", each(f.Renames, ", ", func(r finding.Rename) string {
		return fmt.Sprintf("%s → %s ×%d", code(r.Origin), code(r.Target), r.Count)
	}))
	add("Why this score", each(f.Reasons, "; ", prose))
	return append(ps, "Finding "+code(f.ID))
}

// line converts a line of package words.
func line(l words.Line) string {
	var b strings.Builder
	for _, p := range l {
		switch p.Kind {
		case words.Plain:
			b.WriteString(p.Text)
		case words.Said:
			b.WriteString(prose(p.Text))
		default:
			b.WriteString(link(code(p.Text), p.Link))
		}
	}
	return b.String()
}

func rule(f *finding.Finding) string {
	if f.Rule == "" {
		return ""
	}
	return " (by rule " + code(f.Rule) + " of the policy)"
}

// each writes the first elements of a list.
func each[T any](list []T, sep string, show func(T) string) string {
	var out []string
	for i, x := range list {
		if i == words.MaxRenames {
			out = append(out, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		out = append(out, show(x))
	}
	return strings.Join(out, sep)
}

func (m *writer) notice(n finding.Notice) string {
	at := fmt.Sprintf("line %d", n.Line)
	if n.Path != "" {
		at = m.fileLink(n.Path, code(n.Path), n.Line, n.Line) + " " + at
	}
	return fmt.Sprintf("%s (%s) names %s", code(n.Text), at, words.Names(n.Names))
}

func (m *writer) history(f *finding.Finding) string {
	var out []string
	if c := f.Introduced; c != nil {
		out = append(out, "here since "+commit(*c))
	}
	if n := len(f.Edits); n > 0 {
		last := f.Edits[n-1]
		what := ""
		if len(last.Changes) > 0 {
			what = ": " + prose(strings.Join(last.Changes, ", "))
		}
		out = append(out, fmt.Sprintf("%s since, the last on %s%s", words.Plural(n, "change"), commit(last), what))
	}
	if c := f.Left; c != nil {
		out = append(out, "gone since "+commit(*c))
	}
	if len(f.Tip) > 0 {
		out = append(out, "at the tip in "+each(f.Tip, ", ", func(l finding.Location) string {
			return code(l.Path) + " " + words.Lines(l.StartLine, l.EndLine)
		}))
		return strings.Join(out, "; ")
	}
	if f.Alive != nil && *f.Alive {
		out = append(out, "still there at the tip")
	} else if f.Alive != nil {
		out = append(out, "not there at the tip")
	}
	return strings.Join(out, "; ")
}

func commit(c finding.Commit) string {
	return fmt.Sprintf("%s (commit %s by %s)", words.Date(c.Time), code(words.Shorten(c.Commit)), code(c.Author))
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

// maxParts is how many part origins a document for GitHub lists: most are accidents.
const maxParts = 3

// mdParts lists the part origins of a finding.
func mdParts(f *finding.Finding) string {
	count := words.PartCount(f)
	if count == "" {
		return ""
	}
	if len(f.PartOrigins) == 0 {
		return count
	}
	return count + ": " + each(f.PartOrigins[:min(len(f.PartOrigins), maxParts)], "; ", func(p finding.PartOrigin) string {
		s := fmt.Sprintf("%s in %s %s of %s, %s", words.Lines(p.StartLine, p.EndLine), code(p.Path), words.Lines(p.OriginStartLine, p.OriginEndLine), code(p.PURL), words.Plural(p.Tokens, "token"))
		if why := words.PartWhy(p.Why); why != "" {
			s += " (" + why + ")"
		}
		return s
	})
}
