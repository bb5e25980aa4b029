package examine

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// Limits of the text that a report shows of one side of a finding. A whole vendored file would double the report, and nobody
// reads it there.
const (
	maxExcerptLines = 400
	maxExcerptBytes = 64 << 10
)

// NewExcerpt returns the lines of a text from first to last, both 1-based.
func NewExcerpt(text []byte, first, last int) finding.Excerpt {
	e := finding.Excerpt{StartLine: first, Lines: []string{}}
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
	rest := string(text[:end]) // one copy for all lines
	for range lines {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		e.Lines = append(e.Lines, strings.ToValidUTF8(strings.TrimSuffix(line, "\r"), string(utf8.RuneError)))
	}
	return e
}

// excerptOf returns lines of a document. It removes trailing blanks if the baseline stored blanks in place of comments.
func excerptOf(d *library.Document, first, last int) finding.Excerpt {
	e := NewExcerpt(d.Text(), first, last)
	for i := range e.Lines {
		if d.Bare {
			e.Lines[i] = strings.TrimRight(e.Lines[i], " ")
		}
	}
	return e
}

// column returns the 1-based column, in code points, of the byte at off.
func column(text []byte, off uint32) int {
	start := bytes.LastIndexByte(text[:off], '\n') + 1
	return utf8.RuneCount(text[start:off]) + 1
}

// span returns a run with the lines and columns of both sides.
func span(st *text.Stream, d *library.Document, r match.Run) finding.Run {
	from, to := st.Tokens[r.Target].Start, st.Tokens[r.Target+r.Len-1].End
	first, last := d.Stream.Span(r.Origin), d.Stream.Span(r.Origin+r.Len-1)
	return finding.Run{
		StartLine: st.Lines.Line(from), StartColumn: column(st.Text, from),
		EndLine: st.Lines.Line(to - 1), EndColumn: column(st.Text, to),
		OriginStartLine: int(first.Line), OriginStartColumn: column(d.Text(), first.Start),
		OriginEndLine: d.LastLine(r.Origin + r.Len - 1), OriginEndColumn: column(d.Text(), last.End),
		Tokens: int(r.Len),
	}
}
