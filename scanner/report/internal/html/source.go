package html

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/internal/sides"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// source holds the aligned lines of both sides of a finding.
type source struct {
	Here  string       `json:"here"`
	There string       `json:"there"`
	Rows  []sourceLine `json:"rows"`
	Cut   bool         `json:"cut,omitempty"` // the report holds only a part of the region
}

// sourceLine is a row of the side-by-side view: number and pieces of each side's line, null if that side has none.
type sourceLine struct {
	Here  *pieces `json:"a,omitempty"`
	There *pieces `json:"b,omitempty"`
}

type pieces struct {
	Line    int     `json:"n"`
	Matched bool    `json:"m,omitempty"`
	Pieces  []piece `json:"p"`
}

// piece is a text with one style.
type piece struct {
	Text    string `json:"t"`
	Matched bool   `json:"m,omitempty"`
	Escaped bool   `json:"e,omitempty"` // a character that cannot be shown as it is
	Rename  int    `json:"r,omitempty"` // number of the rename, from 1
}

// maxSideLines bounds the lines that are aligned. A scan keeps 400 lines of each side, but a report can come from
// anybody, and the table grows with the square.
const maxSideLines = 1000

func newSource(f *finding.Finding) *source {
	if f.Text == nil {
		return nil
	}
	both := *f.Text
	bound(&both.Target)
	bound(&both.Origin)
	s := &source{Here: escape.Line(f.Path), There: words.OriginTitle(f), Cut: both.Target.Truncated || both.Origin.Truncated}
	here := newSide(&both.Target, f, false)
	there := newSide(&both.Origin, f, true)
	for _, r := range sides.Align(&both, f.Renames) {
		s.Rows = append(s.Rows, sourceLine{here.line(r.Target), there.line(r.Origin)})
	}
	return s
}

func bound(e *finding.Excerpt) {
	if len(e.Lines) > maxSideLines {
		e.Lines, e.Truncated = e.Lines[:maxSideLines], true
	}
}

// side is one side of a finding: its lines, the columns of matched runs on each line, and the numbers of its renamed
// names.
type side struct {
	excerpt *finding.Excerpt
	inked   []columnRange // of each line: without blanks at either end
	matched [][]columnRange
	names   map[string]int
}

// columnRange counts code points from 0 and excludes its end.
type columnRange struct{ from, to int }

func newSide(e *finding.Excerpt, f *finding.Finding, origin bool) *side {
	s := &side{e, make([]columnRange, len(e.Lines)), make([][]columnRange, len(e.Lines)), make(map[string]int)}
	for i, l := range e.Lines {
		end := utf8.RuneCountInString(strings.TrimRightFunc(l, unicode.IsSpace))
		s.inked[i] = columnRange{utf8.RuneCountInString(l) - utf8.RuneCountInString(strings.TrimLeftFunc(l, unicode.IsSpace)), end}
	}
	for i, r := range f.Renames {
		name := r.Target
		if origin {
			name = r.Origin
		}
		if _, ok := s.names[name]; !ok {
			s.names[name] = i + 1
		}
	}
	for _, r := range f.Runs {
		if origin {
			s.mark(r.OriginStartLine, r.OriginStartColumn, r.OriginEndLine, r.OriginEndColumn)
		} else {
			s.mark(r.StartLine, r.StartColumn, r.EndLine, r.EndColumn)
		}
	}
	return s
}

// mark notes a run: on its first line from its first column, on its last line up to its last column, and the lines
// between without the blanks at either end.
func (s *side) mark(line, column, endLine, endColumn int) {
	first := s.excerpt.StartLine
	for l := max(line, first); l <= min(endLine, first+len(s.inked)-1); l++ {
		c := s.inked[l-first]
		if l == line {
			c.from = max(0, column-1)
		}
		if l == endLine {
			c.to = min(c.to, endColumn-1)
		}
		if c.from < c.to {
			s.matched[l-first] = append(s.matched[l-first], c)
		}
	}
}

// line cuts a line into pieces with one style each.
func (s *side) line(at int) *pieces {
	if at < 0 {
		return nil
	}
	out := &pieces{Line: s.excerpt.StartLine + at, Matched: len(s.matched[at]) > 0, Pieces: []piece{}}
	var last piece
	var text strings.Builder
	flush := func() {
		if last.Text = text.String(); last.Text != "" {
			out.Pieces = append(out.Pieces, last)
		}
		text.Reset()
	}
	column := 0
	for _, word := range sides.SplitWords(s.excerpt.Lines[at]) {
		number := 0
		if s.inRun(at, column) {
			number = s.names[word]
		}
		for _, c := range word {
			look := piece{Matched: s.inRun(at, column), Escaped: c != '\t' && !escape.Printable(c), Rename: number}
			if last.Text = ""; look != last {
				flush()
				last = look
			}
			text.WriteString(visible(c))
			column++
		}
	}
	flush()
	return out
}

func (s *side) inRun(at, column int) bool {
	for _, c := range s.matched[at] {
		if c.from <= column && column < c.to {
			return true
		}
	}
	return false
}

func visible(c rune) string {
	if c == '\t' {
		return "\t"
	}
	return escape.Line(string(c))
}
