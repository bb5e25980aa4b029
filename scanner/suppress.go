package scanner

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// allow finds the marks of a text and the findings they cover.
func (w *worker) allow(in input, st stream, fs []traced) []Inline {
	marks := attribution.Allows(st.text, false, st.quotes())
	if len(marks) == 0 {
		return nil
	}
	var added []git.Range
	if in.added != nil {
		added = in.added(st.text)
	}
	out := make([]Inline, len(marks))
	for i, m := range marks {
		out[i] = Inline{Allow: m, Path: st.path, Added: slices.ContainsFunc(added, func(r git.Range) bool { return r.First <= m.Line && m.Line <= r.Last })}
	}
	for i := range fs {
		f := &fs[i]
		function := 0
		if f.Function != nil {
			function = f.Function.StartLine
		}
		for j := range out {
			m := &out[j]
			if !m.Allow.Covers(f.core.First, f.core.Last, function) && !m.Allow.Covers(f.StartLine, f.EndLine, function) || m.Origin != "" && !purl.Match(m.Origin, f.Origins[0].PURL) {
				continue
			}
			m.Covers++
			if f.Inline == nil || f.Inline.Err != nil {
				f.Inline = m
			}
		}
	}
	return out
}
