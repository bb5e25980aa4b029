package markdown

import (
	"cmp"
	"fmt"
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
	add("Part of it also", parts(f))
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

// maxParts is how many part origins a document for GitHub lists: most are accidents.
const maxParts = 3

// parts lists the part origins of a finding.
func parts(f *finding.Finding) string {
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
