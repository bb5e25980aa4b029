package scanner

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/match"
)

// What a report shows of one side of a finding: more nobody reads there, and a
// vendored file would double the report.
const (
	maxExcerptLines = 400
	maxExcerptBytes = 64 << 10
)

// NewExcerpt returns the lines of a text from first to last, both 1-based.
func NewExcerpt(text []byte, first, last int) Excerpt {
	e := Excerpt{StartLine: first, Lines: []string{}}
	for range first - 1 {
		_, text, _ = bytes.Cut(text, []byte{'\n'})
	}
	size, end, lines := 0, 0, last-first+1
	for n := range lines {
		line, _, _ := bytes.Cut(text[end:], []byte{'\n'})
		if size += len(line); size > maxExcerptBytes || n == maxExcerptLines {
			lines, e.Truncated = n, true
			break
		}
		end = min(end+len(line)+1, len(text))
	}
	rest := string(text[:end]) // at once: lines come by the hundred
	for range lines {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		e.Lines = append(e.Lines, strings.ToValidUTF8(strings.TrimSuffix(line, "\r"), string(utf8.RuneError)))
	}
	return e
}

// column returns the 1-based column, in code points, of the byte at off.
func column(text []byte, off uint32) int {
	start := bytes.LastIndexByte(text[:off], '\n') + 1
	return utf8.RuneCount(text[start:off]) + 1
}

// span is one run with the lines and columns of both sides.
func span(st stream, d *doc, r match.Run) Run {
	from, to := st.tokens[r.Target].Start, st.tokens[r.Target+r.Len-1].End
	oFrom, oTo := d.tokens[r.Origin].Start, d.tokens[r.Origin+r.Len-1].End
	return Run{
		StartLine: st.lines.Line(from), StartColumn: column(st.text, from),
		EndLine: st.lines.Line(to - 1), EndColumn: column(st.text, to),
		OriginStartLine: int(d.lines[r.Origin]), OriginStartColumn: column(d.text, oFrom),
		OriginEndLine: d.lastLine(r.Origin + r.Len - 1), OriginEndColumn: column(d.text, oTo),
		Tokens: int(r.Len),
	}
}
