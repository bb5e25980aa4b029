package words

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// OriginTitle names the file of the first origin, and says if its comments are not shown.
func OriginTitle(f *finding.Finding) string {
	if len(f.Origins) == 0 {
		return ""
	}
	title := escape.Line(f.Origins[0].PURL) + " " + escape.Line(f.Origins[0].Path)
	if f.Origins[0].WithoutText {
		return title + " (" + WithoutText + ")"
	}
	return title
}

// WithoutText labels an excerpt whose text the baseline does not have.
const WithoutText = "code only: the baseline has no text"

// Match returns the location of a match and what was changed.
func Match(m similar.Match) []string {
	var parts []string
	if n := len(m.Runs); n > 0 { // a saved result may come from anybody
		first, last := m.Runs[0], m.Runs[n-1]
		parts = append(parts, fmt.Sprintf("%d-%d = %d-%d", first.StartLine, last.EndLine, first.OriginStartLine, last.OriginEndLine))
	}
	parts = append(parts, Plural(m.Tokens, "token"), Change(m.CloneType, m.Identifiers, m.Literals))
	if m.Identifiers.Total > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s unchanged", Number(m.Identifiers.Unchanged), Plural(m.Identifiers.Total, "name occurrence")))
	}
	return parts
}

// MaxRenames is how many pairs of a rename map are shown: enough to judge the map, and still one line of a wide
// terminal.
const MaxRenames = 8

// Origin returns an origin with its location and licence.
func Origin(o *finding.Origin) string {
	return fmt.Sprintf("%s %s (%s)", escape.Line(o.PURL), Span(o.Path, o.StartLine, o.EndLine), escape.Line(cmp.Or(o.License, "NOASSERTION")))
}

// Change says what was changed, with the clone type of the literature.
func Change(cloneType int, names finding.Names, literals finding.Literals) string {
	switch cloneType {
	case 1:
		return "same tokens, layout or comments may differ (type 1)"
	case 2:
		var what []string
		if names.Unchanged < names.Total {
			what = append(what, "names")
		}
		if literals.Equal < literals.Total {
			what = append(what, "literals")
		}
		return "same structure, " + cmp.Or(strings.Join(what, " and "), "names or literals") + " changed (type 2)"
	case 3:
		return "edited (type 3)"
	}
	return fmt.Sprintf("type %d", cloneType)
}

// Renames lists renamed identifiers.
func Renames(rs []finding.Rename, e Extent) []string {
	shown := rs
	if e == Brief && len(rs) > MaxRenames {
		shown = rs[:MaxRenames]
	}
	out := make([]string, 0, len(shown)+1)
	for _, r := range shown {
		out = append(out, fmt.Sprintf("%s → %s ×%d", escape.Line(r.Origin), escape.Line(r.Target), r.Count))
	}
	if n := len(rs) - len(shown); n > 0 {
		out = append(out, fmt.Sprintf("+%d more", n))
	}
	return out
}

// History says since when the target has the region, and its later events.
func History(f *finding.Finding, e Extent) []string {
	var out []string
	if in := f.Introduced; in != nil {
		out = append(out, introduced(in, f.DirectionReason))
	}
	return append(out, story(f, e)...)
}

// introduced names the commit by which a region entered. It adds the date unless said contains it.
func introduced(in *finding.Commit, said string) string {
	s := fmt.Sprintf("introduced by commit %s of %s", escape.Line(Shorten(in.Commit)), escape.Line(in.Author))
	if !strings.Contains(said, Date(in.Time)) {
		s += " on " + Date(in.Time)
	}
	if in.Path != "" {
		s += " in " + escape.Line(in.Path)
	}
	return s
}

// Author returns an author without the address.
func Author(s string) string {
	name, _, _ := strings.Cut(s, " <")
	return cmp.Or(strings.TrimSpace(name), s)
}

// Linked says how much each unit of a group shares with another unit of it, or how alike the two are if pairs are ranked by similarity.
func Linked(least float64, by string) string {
	part := Percent(least)
	if least <= 0.99 { // otherwise it is "over 99%", or all
		part = "at least " + part
	}
	if by == similar.BySimilarity {
		return "is " + part + " like another"
	}
	return "shares " + part + " with another"
}

// NoRun says that two units share no run of the least tokens.
func NoRun(least int) string {
	return fmt.Sprintf("no run of %s is in both", Plural(least, "token"))
}

// Apart says that two units have no languages that are compared with each other, by their names and languages.
func Apart(a, b string, languages [][]string) string {
	read := func(unit string, of []string) string {
		return escape.Line(unit) + " is read as " + strings.Join(of, ", ")
	}
	return read(a, languages[0]) + ", " + read(b, languages[1]) + "; these are not compared with each other"
}

// PercentRange names the similarities that a number of a distribution counts.
func PercentRange(i int) string { return fmt.Sprintf("%d%% to %d%%", 10*i, 10*(i+1)) }

// NoCode counts the units without code that can be compared.
func NoCode(of, all int) string {
	if of == 1 {
		return fmt.Sprintf("1 of %s has no code that can be compared", Plural(all, "unit"))
	}
	return fmt.Sprintf("%s of %s have no code that can be compared", Number(of), Plural(all, "unit"))
}

// plainReasons say in words why a submission has no code. The names of the other reasons say enough.
var plainReasons = map[string]string{
	string(similar.ReasonSuffix):     "files with another ending than --suffix names",
	string(lang.Binary):              "no text (such as a PDF or a Word document)",
	string(finding.ReasonUnreadable): "cannot be read (such as a RAR or damaged archive)",
	"unsupported-compression":        "an archive that is encrypted or has an unknown compression",
}

// Why says why a unit has no code that can be compared: "" if nothing is known.
func Why(u similar.EmptyUnit) string {
	if len(u.Reasons) == 0 {
		return ""
	}
	why := make([]string, len(u.Reasons))
	for i, r := range u.Reasons {
		why[i] = cmp.Or(plainReasons[r], r)
	}
	return ": " + escape.Line(strings.Join(why, ", "))
}

// Others says how many other units also have the code that two files share, as a mean over its tokens. It returns "" if there are
// none.
func Others(p similar.Pair) string {
	if p.Others == 0 {
		return ""
	}
	return ", on average also in " + Plural(p.Others, "other unit")
}

// Alone says how many of the tokens that two units share are in no third unit. It returns "" if that is unknown.
func Alone(p *similar.UnitPair) string {
	switch {
	case p.Alone == nil:
		return ""
	case *p.Alone == 0:
		return ", each also in a third unit"
	}
	return fmt.Sprintf(", %s of them in no third unit", Number(*p.Alone))
}
