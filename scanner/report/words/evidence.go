package words

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// OriginTitle names the file of the first origin.
func OriginTitle(f *finding.Finding) string {
	if len(f.Origins) == 0 {
		return ""
	}
	return escape.Line(f.Origins[0].PURL) + " " + escape.Line(f.Origins[0].Path)
}

// Match says where a match lies and what was changed.
func Match(m similar.Match) []string {
	var parts []string
	if n := len(m.Runs); n > 0 { // a saved result may have been made by anybody
		first, last := m.Runs[0], m.Runs[n-1]
		parts = append(parts, fmt.Sprintf("%d-%d = %d-%d", first.StartLine, last.EndLine, first.OriginStartLine, last.OriginEndLine))
	}
	parts = append(parts, Plural(m.Tokens, "token"), CloneType(m.CloneType))
	if m.Identifiers.Total > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d names unchanged", m.Identifiers.Unchanged, m.Identifiers.Total))
	}
	return parts
}

// MaxRenames is how many pairs of a rename map are shown: enough to see whether
// the map makes sense, and still one line of a wide terminal.
const MaxRenames = 8

// Origin is an origin with its place and licence.
func Origin(o *finding.Origin) string {
	return fmt.Sprintf("%s %s (%s)", escape.Line(o.PURL), Span(o.Path, o.StartLine, o.EndLine), escape.Line(cmp.Or(o.License, "NOASSERTION")))
}

// CloneType names the types of the clone detection literature in words.
func CloneType(n int) string {
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

// Renames lists renamed identifiers, a few or all.
func Renames(rs []finding.Rename, all bool) []string {
	shown := rs
	if !all && len(rs) > MaxRenames {
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

// Agreement counts what names and literals agree in.
func Agreement(f *finding.Finding) []string {
	ids, lits := f.Identifiers, f.Literals
	out := []string{"no identifiers"}
	if ids.Total > 0 {
		out[0] = fmt.Sprintf("%s (%s kept, %s renamed, %s inconsistent)",
			Plural(ids.Total, "identifier"), Number(ids.Unchanged), Number(ids.Renamed), Number(ids.Inconsistent))
	}
	if lits.Total > 0 {
		out = append(out, fmt.Sprintf("%s of %s equal", Number(lits.Equal), Plural(lits.Total, "literal")))
	}
	return out
}

// When tells the dates and what they mean, as far as they are known.
func When(f *finding.Finding) []string {
	var out []string
	if f.DirectionReason != "" {
		out = append(out, Dates(escape.Line(f.DirectionReason), f.Direction))
	} else if len(f.Origins) > 0 && f.Origins[0].Released != nil {
		out = append(out, "origin released "+Date(*f.Origins[0].Released))
	}
	if len(f.Origins) > 0 && f.Origins[0].Versions != nil {
		v := f.Origins[0].Versions
		out = append(out, fmt.Sprintf("in %s from %s to %s", Plural(v.Count, "version"), escape.Line(v.First), escape.Line(v.Last)))
	}
	if in := f.Introduced; in != nil {
		out = append(out, introduced(in, f.DirectionReason))
	}
	return out
}

// introduced names the commit by which a region entered, with its date unless that
// was said.
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

// Author leaves the address out.
func Author(s string) string {
	name, _, _ := strings.Cut(s, " <")
	return cmp.Or(strings.TrimSpace(name), s)
}
