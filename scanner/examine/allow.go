package examine

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// allow finds the allow marks of a text and notes which findings they cover.
func allow(in Input, st *Stream, fs []Found) []finding.Inline {
	marks := verdict.Allows(st.Path, st.Language, st.Text, st.Tokens)
	if len(marks) == 0 {
		return nil
	}
	var added []linediff.Range
	if in.Added != nil {
		added = in.Added(st.Text)
	}
	out := make([]finding.Inline, len(marks))
	for i, m := range marks {
		out[i] = finding.Inline{Allow: m, Path: st.Path, Added: slices.ContainsFunc(added, func(r linediff.Range) bool { return r.First <= m.Line && m.Line <= r.Last })}
	}
	for i := range fs {
		f := &fs[i]
		function := 0
		if f.Function != nil {
			function = f.Function.StartLine
		}
		for j := range out {
			m := &out[j]
			if !m.Allow.Covers(f.Core.First, f.Core.Last, function) && !m.Allow.Covers(f.StartLine, f.EndLine, function) || m.Origin != "" && !purl.Match(m.Origin, f.Origins[0].PURL) {
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
