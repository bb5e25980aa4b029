package examine

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/attribution"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// quotes tells of the lines of a text whether a mark on them only quotes one. The
// tokens of code know: comments are not among them, strings are. Markdown has its
// code between fences.
func (st Stream) quotes() func(line int) bool {
	if !attribution.HasAllow(st.Text) {
		return nil
	}
	lines := bytes.Split(st.Text, []byte("\n"))
	if st.Language == lang.Words() {
		fenced := fences(st.Path, lines)
		return func(line int) bool { return fenced[line-1] }
	}
	starts := make([]int, len(lines))
	for i := range lines[1:] {
		starts[i+1] = starts[i] + len(lines[i]) + 1
	}
	return func(line int) bool { return st.inStrings(lines[line-1], starts[line-1]) }
}

// inStrings reports whether all marks of a line, which begins at an offset, stand
// in strings.
func (st Stream) inStrings(line []byte, start int) bool {
	mark := []byte(attribution.Mark)
	for at := 0; ; {
		i := bytes.Index(line[at:], mark)
		if i < 0 {
			return at > 0
		}
		if !st.inString(uint32(start + at + i)) {
			return false
		}
		at += i + len(mark)
	}
}

func (st Stream) inString(off uint32) bool {
	i, _ := slices.BinarySearchFunc(st.Tokens, off, func(t lang.Token, off uint32) int {
		if t.End <= off {
			return -1
		}
		return 1
	})
	return i < len(st.Tokens) && st.Tokens[i].Start <= off && st.Tokens[i].Class == lang.String
}

// fences tells which lines of a Markdown text stand between fences, as CommonMark
// has it; of another text none do.
func fences(name string, lines [][]byte) []bool {
	fenced := make([]bool, len(lines))
	if !slices.Contains([]string{".md", ".markdown", ".mdown", ".mdx"}, strings.ToLower(path.Ext(name))) {
		return fenced
	}
	open := ""
	for i, l := range lines {
		s := strings.TrimLeft(string(l[:min(len(l), maxFence)]), " >\t")
		run := s[:len(s)-len(strings.TrimLeft(s, s[:min(1, len(s))]))]
		switch {
		case open == "" && len(run) >= 3 && (run[0] == '`' || run[0] == '~'):
			open = run
		case open != "" && strings.HasPrefix(run, open) && strings.TrimSpace(s[len(run):]) == "":
			open = ""
		default:
			fenced[i] = open != ""
		}
	}
	return fenced
}

// maxFence is how much of a line is looked at for a fence.
const maxFence = 256

// allow finds the marks of a text and the findings they cover.
func (q *query) allow(in Input, fs []Found) []finding.Inline {
	marks := attribution.Allows(q.Text, false, q.quotes())
	if len(marks) == 0 {
		return nil
	}
	var added []git.Range
	if in.Added != nil {
		added = in.Added(q.Text)
	}
	out := make([]finding.Inline, len(marks))
	for i, m := range marks {
		out[i] = finding.Inline{Allow: m, Path: q.Path, Added: slices.ContainsFunc(added, func(r git.Range) bool { return r.First <= m.Line && m.Line <= r.Last })}
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
