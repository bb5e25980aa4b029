package describe

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// excerptOf returns lines of a document. It removes trailing blanks if the baseline stored blanks in place of comments.
func excerptOf(d *documents.Document, first, last int) finding.Excerpt {
	e := finding.NewExcerpt(d.Text(), first, last)
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
func span(st *text.Stream, d *documents.Document, r match.Run) finding.Run {
	from, to := st.Tokens[r.Target].Start, st.Tokens[r.Target+r.Len-1].End
	first, last := d.Stream.Span(r.Origin), d.Stream.Span(r.Origin+r.Len-1)
	return finding.Run{
		StartLine: st.Lines.Line(from), StartColumn: column(st.Text, from),
		EndLine: st.Lines.Line(to - 1), EndColumn: column(st.Text, to),
		OriginStartLine: d.Stream.Line(r.Origin), OriginStartColumn: column(d.Text(), first.Start),
		OriginEndLine: d.LastLine(r.Origin + r.Len - 1), OriginEndColumn: column(d.Text(), last.End),
		Tokens: int(r.Len),
	}
}
