// Package sides aligns the two sides of a finding: it turns excerpts into rows of a side-by-side view.
package sides

import (
	"strings"
	"unicode"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// row is one line of a side-by-side view: indexes into the lines of both sides, -1 if a side has none.
type row struct{ Target, Origin int }

// Align aligns the two sides of a finding. Lines that are equal after renaming share a row, as many as keep their
// order. The lines between them are paired from the top.
func Align(s *finding.Sides, renames []finding.Rename) []row {
	names := make(map[string]string, len(renames))
	for _, r := range renames {
		names[r.Origin] = r.Target
	}
	t, o := make([]string, len(s.Target.Lines)), make([]string, len(s.Origin.Lines))
	for i, l := range s.Target.Lines {
		t[i] = bare(l, nil)
	}
	for i, l := range s.Origin.Lines {
		o[i] = bare(l, names)
	}
	var out []row
	at, to := 0, 0
	for _, p := range append(common(t, o), row{len(t), len(o)}) {
		for at < p.Target || to < p.Origin {
			r := row{-1, -1}
			if at < p.Target {
				r.Target, at = at, at+1
			}
			if to < p.Origin {
				r.Origin, to = to, to+1
			}
			out = append(out, r)
		}
		if p.Target < len(t) {
			out = append(out, p)
		}
		at, to = p.Target+1, p.Origin+1
	}
	return out
}

// common returns the longest common subsequence of lines. Excerpts are bounded, and so is its table.
func common(a, b []string) []row {
	n := len(b) + 1
	longest := make([]uint16, (len(a)+1)*n)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] && a[i] != "" {
				longest[i*n+j] = longest[(i+1)*n+j+1] + 1
			} else {
				longest[i*n+j] = max(longest[(i+1)*n+j], longest[i*n+j+1])
			}
		}
	}
	var out []row
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j] && a[i] != "":
			out = append(out, row{i, j})
			i, j = i+1, j+1
		case longest[(i+1)*n+j] >= longest[i*n+j+1]:
			i++
		default:
			j++
		}
	}
	return out
}

// bare returns a line without blanks, with its words replaced by names.
func bare(line string, names map[string]string) string {
	var b strings.Builder
	for _, w := range SplitWords(line) {
		if to, ok := names[w]; ok {
			w = to
		}
		b.WriteString(strings.TrimSpace(w))
	}
	return b.String()
}

// SplitWords cuts a line into identifiers and the text between them.
func SplitWords(line string) []string {
	var out []string
	start, in := 0, false
	for i, r := range line {
		if w := r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r); w != in {
			if i > start {
				out = append(out, line[start:i])
			}
			start, in = i, w
		}
	}
	return append(out, line[start:])
}

// MatchedLines reports for each line of an excerpt whether a matched run covers it.
func MatchedLines(e *finding.Excerpt, runs []finding.Run, lines func(finding.Run) (from, to int)) []bool {
	out := make([]bool, len(e.Lines))
	for _, r := range runs {
		from, to := lines(r)
		for l := max(from, e.StartLine); l <= to && l-e.StartLine < len(out); l++ {
			out[l-e.StartLine] = true
		}
	}
	return out
}

// TargetLines returns the lines of a run in the target.
func TargetLines(r finding.Run) (from, to int) { return r.StartLine, r.EndLine }

// OriginLines returns the lines of a run in the origin.
func OriginLines(r finding.Run) (from, to int) { return r.OriginStartLine, r.OriginEndLine }
