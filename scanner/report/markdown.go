package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// GitHub's limits for a Markdown document, in bytes. The first is counted in
// characters there, of which bytes are never fewer.
const (
	CommentLimit = 65_535  // a comment; summary and text of a check run
	SummaryLimit = 1 << 20 // the summary of a job's step; beyond it is lost in silence
)

// MinMarkdown is the smallest limit: head and foot have to fit.
const MinMarkdown = 4096

// MarkdownOptions say how a report becomes a Markdown document.
type MarkdownOptions struct {
	Limit int    // bytes; 0 means SummaryLimit
	Blob  string // address that a file's path is appended to, such as https://github.com/O/R/blob/COMMIT; "" links no file of the target
}

// Markdown writes a report for GitHub: the summary of a job, a comment on a pull
// request. Each finding can be understood without leaving the page. Findings
// come by weight; where the limit is near they lose first their excerpts, then
// all but one line, and what is left out at the end is counted.
func Markdown(w io.Writer, r *finding.Report, o MarkdownOptions) error {
	limit := cmp.Or(o.Limit, SummaryLimit)
	if limit < MinMarkdown {
		return fmt.Errorf("write markdown: a limit of %d bytes is below %d", limit, MinMarkdown)
	}
	m := &markdown{o: o, left: limit}
	m.report(r)
	if _, err := io.WriteString(w, m.b.String()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

type markdown struct {
	o    MarkdownOptions
	b    strings.Builder
	left int // bytes
	// the group of each finding that is one of several of its file and origin
	parts map[*finding.Finding][]*finding.Finding
}

// cutRoom is kept for the headings of lists and the line on what was left out.
const cutRoom = 512

func (m *markdown) report(r *finding.Report) {
	groups := grouped(Ranked(r.Findings))
	loud, quiet := split(slices.Concat(groups...))
	m.parts = partsOf(groups)
	foot := mdFoot(r)
	m.left -= len(foot) + cutRoom
	m.write(mdHead(r, loud, quiet))
	full := m.inFull(loud)
	rest := m.inBrief(loud[full:], "Further findings")
	hidden := m.inBrief(quiet, "Allowed, or ignored by the policy")
	if n := rest + hidden; n > 0 {
		fmt.Fprintf(&m.b, "**%s not shown**: the report would be too long. Those shown weigh most; the JSON report has all.\n\n", plural(n, "more finding"))
	}
	m.b.WriteString(foot)
}

func (m *markdown) write(s string) {
	m.b.WriteString(s)
	m.left -= len(s)
}

// inFull writes findings with all their evidence for as long as that leaves room
// for a line on each of the others, or half of the room for those lines. It
// returns how many it wrote.
func (m *markdown) inFull(fs []*finding.Finding) int {
	lines := 0
	for _, f := range fs {
		lines += len(m.brief(f))
	}
	half := m.left / 2
	for i, f := range fs {
		lines -= len(m.brief(f))
		keep := min(lines, half)
		s := m.full(i+1, f, maxShownLines)
		if len(s) > m.left-keep {
			s = m.full(i+1, f, 0)
		}
		if len(s) > m.left-keep {
			return i
		}
		m.write(s)
	}
	return len(fs)
}

// inBrief writes a line for each finding while they fit, and returns how many
// did not.
func (m *markdown) inBrief(fs []*finding.Finding, title string) int {
	for i, f := range fs {
		s := m.brief(f)
		if len(s) > m.left {
			m.b.WriteString("\n")
			return len(fs) - i
		}
		if i == 0 {
			m.b.WriteString("### " + title + "\n\n") // from cutRoom
		}
		m.write(s)
	}
	if len(fs) > 0 {
		m.b.WriteString("\n")
	}
	return 0
}

func mdHead(r *finding.Report, loud, quiet []*finding.Finding) string {
	if len(loud)+len(quiet) == 0 {
		return "## git-provenance: nothing copied was found\n\n"
	}
	parts := byLevel(loud)
	if len(quiet) > 0 {
		parts = append(parts, fmt.Sprintf("%s allowed or ignored", group(len(quiet))))
	}
	if n := regionCount(loud); n != "" {
		parts = append(parts, n)
	}
	return fmt.Sprintf("## git-provenance: %s\n\n%s. The code below stands, token for token, in code known from elsewhere%s.\n\n",
		plural(len(loud), "finding"), strings.Join(parts, ", "), among(r.Target))
}

// among says what was looked at, where that is less than everything.
func among(t finding.Target) string {
	switch t.Kind {
	case "diff":
		return fmt.Sprintf(", and is new between %s and %s", mdCode(shorten(t.Base)), mdCode(shorten(t.Head)))
	case "staged":
		return ", and is new in what is staged"
	}
	return ""
}

// byLevel counts findings, the gravest level first.
func byLevel(fs []*finding.Finding) []string {
	var count [4]int
	for _, f := range fs {
		count[levelRank(f.Level)]++
	}
	var out []string
	for rank, n := range count {
		if n > 0 {
			out = append(out, plural(n, []string{"error", "warning", "note", "ignored"}[rank]))
		}
	}
	return out
}

// brief is one line on a finding.
func (m *markdown) brief(f *finding.Finding) string {
	o := firstOrigin(f)
	before, _ := relation(f)
	s := fmt.Sprintf("- %s %s, %s %s (%s): **%s**, score %s", m.where(f), lineRange(f.StartLine, f.EndLine), before,
		mdLink(mdCode(o.PURL), o.URL), mdText(licenceWords(o.License)), mdText(string(f.Verdict)), score(f.Score))
	if a := f.Allowed; a != nil {
		s += "; " + mdAllowance(a)
	}
	return s + "\n"
}

func score(s float64) string { return fmt.Sprintf("%.2f", s) }

func mdAllowance(a *finding.Allowance) string {
	s := "allowed by " + mdText(a.By)
	if a.Reason != "" {
		s += ": " + mdText(a.Reason)
	}
	if a.Expires != "" {
		s += " (until " + mdText(a.Expires) + ")"
	}
	return s
}

// where names the file of a finding, linked to its lines if it is known where.
func (m *markdown) where(f *finding.Finding) string {
	return m.fileLink(f.Path, mdCode(f.Path), f.StartLine, f.EndLine)
}

func (m *markdown) fileLink(path, text string, start, end int) string {
	if m.o.Blob == "" {
		return text
	}
	return mdLink(text, fmt.Sprintf("%s/%s#L%d-L%d", strings.TrimSuffix(m.o.Blob, "/"), percentEncode(finding.UnescapeName(path), "/-._~"), start, end))
}

// full is a finding with its evidence and at most so many lines of each side.
func (m *markdown) full(n int, f *finding.Finding, lines int) string {
	var b strings.Builder
	o := firstOrigin(f)
	if g := m.parts[f]; len(g) > 0 {
		if g[0] == f {
			b.WriteString(m.mdGroup(g))
		}
		b.WriteString("#")
	}
	before, _ := relation(f)
	fmt.Fprintf(&b, "### %d. %s %s, %s %s (%s)\n\n", n, m.where(f), lineRange(f.StartLine, f.EndLine), before, mdCode(o.PURL), mdText(licenceWords(o.License)))
	for _, p := range m.points(f) {
		b.WriteString("- " + p + "\n")
	}
	b.WriteString("\n")
	if f.Text != nil && lines > 0 {
		fmt.Fprintf(&b, "<details><summary>Both sides</summary>\n\n")
		b.WriteString(mdExcerpt("This code", f.Path, f.Text.Target, f.Language, lines))
		b.WriteString(mdExcerpt("The origin", o.Path, f.Text.Origin, f.Language, lines))
		b.WriteString("</details>\n\n")
	}
	return b.String()
}

// maxShownLines is how much of each side is shown: about a screen. The whole is
// behind the links.
const maxShownLines = 40

func mdExcerpt(title, path string, e finding.Excerpt, language string, most int) string {
	shown, more := e.Lines, ""
	if len(shown) > most {
		more = fmt.Sprintf("%s of it left out here.\n\n", plural(len(shown)-most, "more line"))
		shown = shown[:most]
	} else if e.Truncated {
		more = "It goes on; the rest was too long to be kept.\n\n"
	}
	return fmt.Sprintf("%s, %s from line %d:\n\n%s\n%s", title, mdCode(path), e.StartLine, mdFence(shown, language), more)
}

// MarkdownPoints lists the evidence of a finding without links to files of the target.
func MarkdownPoints(f *finding.Finding) []string { return new(markdown).points(f) }

// points lists the evidence, what matters most to a reviewer first.
func (m *markdown) points(f *finding.Finding) []string {
	o := firstOrigin(f)
	ps := []string{
		fmt.Sprintf("**%s: %s**: %s", mdText(cmp.Or(f.Level, "warning")), mdText(string(f.Verdict)), verdictWords(f.Verdict)+mdRule(f)),
		mdOrigin(f, o),
		fmt.Sprintf("Score %s: %s. %s", score(f.Score), scoreWords(f.Score), extent(f)),
	}
	add := func(label, s string) {
		if s != "" {
			ps = append(ps, label+": "+s)
		}
	}
	add("Part of it also", mdParts(f))
	add("Why", mdEach(f.Reasons, "; ", mdText))
	add("Renamed", mdEach(f.Renames, ", ", func(r finding.Rename) string {
		return fmt.Sprintf("%s → %s ×%d", mdCode(r.Origin), mdCode(r.Target), r.Count)
	}))
	add("Agreement", strings.Join(agreement(f), "; "))
	add("What the code says", mdEach(f.Attributions, "; ", m.notice))
	add("Dates", datesWords(mdText(f.DirectionReason), f.Direction))
	add("History", m.history(f))
	add("New in this change", changedWords(f))
	if f.Allowed != nil {
		ps = append(ps, mdAllowance(f.Allowed))
	}
	return append(ps, "Finding "+mdCode(f.ID))
}

func mdRule(f *finding.Finding) string {
	if f.Rule == "" {
		return ""
	}
	return " (by rule " + mdCode(f.Rule) + " of the policy)"
}

func mdOrigin(f *finding.Finding, o finding.Origin) string {
	before, after := relation(f)
	s := fmt.Sprintf("%s %s %s of %s, licence %s", upperFirst(before), mdCode(o.Path), lineRange(o.StartLine, o.EndLine), mdLink(mdCode(o.PURL), o.URL), mdCode(o.License))
	if from := readFrom(&o); from != "" {
		s += " (" + mdText(from) + ")"
	}
	s += after
	if o.Released != nil {
		s += ", released " + date(*o.Released)
	}
	if v := o.Versions; v != nil {
		s += fmt.Sprintf("; in %s from %s to %s", plural(v.Count, "version"), mdCode(v.First), mdCode(v.Last))
	}
	if n := f.OriginCount - 1; n > 0 {
		s += fmt.Sprintf("; also in %s (%s in all)", plural(n, "other place"), plural(f.PackageCount, "package"))
	}
	if c := compatibility(f); c != "" {
		s += "; " + mdText(c)
	}
	if len(f.Licenses) > 1 {
		s += "; the licences of all of them disagree: " + mdEach(f.Licenses, ", ", mdCode)
	}
	return s
}

// extent says how much was copied.
func extent(f *finding.Finding) string {
	s := fmt.Sprintf("%s, %s of the file", plural(f.Tokens, "token"), percent(f.FileShare))
	if fn := f.Function; fn != nil {
		s += ", " + percent(fn.Share) + " of function"
		if fn.Name != "" {
			s += " " + mdCode(fn.Name)
		}
	}
	return s + "; " + cloneType(f.CloneType)
}

// mdEach writes the first of a list.
func mdEach[T any](list []T, sep string, show func(T) string) string {
	var out []string
	for i, x := range list {
		if i == maxRenames {
			out = append(out, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		out = append(out, show(x))
	}
	return strings.Join(out, sep)
}

func (m *markdown) notice(n finding.Notice) string {
	at := fmt.Sprintf("line %d", n.Line)
	if n.Path != "" {
		at = m.fileLink(n.Path, mdCode(n.Path), n.Line, n.Line) + " " + at
	}
	return fmt.Sprintf("%s (%s), which names %s", mdCode(n.Text), at, namesWords(n.Names))
}

// namesWords says what of the origin a notice names.
func namesWords(names string) string {
	switch names {
	case "package", "license", "holder":
		return "the origin's " + strings.Replace(names, "license", "licence", 1)
	case "other":
		return "something else"
	}
	return "nothing of the origin"
}

func (m *markdown) history(f *finding.Finding) string {
	var out []string
	if c := f.Introduced; c != nil {
		out = append(out, "here since "+mdCommit(*c))
	}
	if n := len(f.Edits); n > 0 {
		last := f.Edits[n-1]
		what := ""
		if len(last.Changes) > 0 {
			what = ": " + mdText(strings.Join(last.Changes, ", "))
		}
		out = append(out, fmt.Sprintf("%s since, the last on %s%s", plural(n, "change"), mdCommit(last), what))
	}
	if c := f.Left; c != nil {
		out = append(out, "gone since "+mdCommit(*c))
	}
	if len(f.Tip) > 0 {
		out = append(out, "at the tip in "+mdEach(f.Tip, ", ", func(l finding.Location) string {
			return mdCode(l.Path) + " " + lineRange(l.StartLine, l.EndLine)
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

func mdCommit(c finding.Commit) string {
	return fmt.Sprintf("%s (commit %s by %s)", date(c.Time), mdCode(shorten(c.Commit)), mdCode(c.Author))
}

// mdFoot says what was examined, what was not, and against what.
func mdFoot(r *finding.Report) string {
	s, b := &r.Summary, &r.Baseline
	in := plural(s.Files, "file")
	if s.Commits > 0 {
		in += " of " + plural(s.Commits, "commit")
	}
	ledger := "Everything was examined."
	if counts := countReasons(r.Ledger); len(counts) > 0 {
		ledger = "Not or only partly examined: " + mdEach(counts, ", ", func(c reasonCount) string { return group(c.n) + " " + mdText(clip(Escape(string(c.reason)), 40)) }) + "."
	}
	return fmt.Sprintf("---\n\n%s\n\nExamined: %s, %s. Baseline %s: %s, %s. git-provenance %s.\n", ledger, in, plural(s.Tokens, "token"),
		mdCode(shorten(b.Digest)), plural(b.Packages, "package"), plural(b.Documents, "document"), mdCode(clip(Escape(r.Tool.Version), 60)))
}
