package examine

import (
	"bytes"
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/functions"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// function returns the innermost function that holds a region, nil if none is
// seen, with the share of its tokens that the runs have.
func function(st Stream, r region, runs []match.Run) *finding.Function {
	slack := min(edge, int(r.to-r.from)/4) // edges of a match can be an accident of what stands next to it
	f := functions.Innermost(st.bodies(), int(r.from), int(r.to), slack)
	if f == nil {
		return nil
	}
	n := 0
	for _, hit := range covered(len(st.Tokens), runs)[f.From:f.To] {
		if hit {
			n++
		}
	}
	return &finding.Function{
		Name:      st.nameAt(f.Name),
		StartLine: st.Lines.Line(st.Tokens[f.From].Start), EndLine: st.Lines.Line(st.Tokens[f.To-1].End - 1),
		Share: round(float64(n) / float64(f.To-f.From)),
	}
}

// functions pairs the functions of the target of which runs have most with those of a document.
func (q *query) functions(d *doc, runs []match.Run) (out []finding.Pair) {
	from := make(map[int]uint32) // matched tokens of the target, where the document has them
	for _, r := range runs {
		for i := range r.Len {
			from[int(r.Target+i)] = r.Origin + i
		}
	}
	origin := q.bodiesOf(d)
	last := 0
	for _, b := range functions.Outermost(q.bodies()) {
		matched, in := 0, make([]int, len(origin.list))
		for i := max(b.From, last); i < b.To; i++ {
			at, ok := from[i]
			if !ok {
				continue
			}
			matched++
			for n, o := range origin.list {
				if o.From <= int(at) && int(at) < o.To {
					in[n]++
				}
			}
		}
		if 2*matched < b.To-b.From || len(in) == 0 {
			continue
		}
		best := 0
		for n := range in {
			if in[n] > in[best] {
				best = n
			}
		}
		if 2*in[best] < matched {
			continue
		}
		o := origin.list[best]
		last = b.To
		out = append(out, finding.Pair{
			Name: q.nameAt(b.Name), StartLine: q.Lines.Line(q.Tokens[b.From].Start), EndLine: q.Lines.Line(q.Tokens[b.To-1].End - 1), Share: round(float64(matched) / float64(b.To-b.From)),
			OriginName: origin.nameAt(o.Name), OriginStartLine: d.tokens.Line(uint32(o.From)), OriginEndLine: d.lastLine(uint32(o.To - 1)), OriginShare: round(float64(in[best]) / float64(o.To-o.From)),
		})
	}
	return out
}

// listed is a document with its outermost functions.
type listed struct {
	Stream
	list []functions.Function
}

// bodiesOf reads the functions of a document.
func (q *query) bodiesOf(d *doc) listed {
	if q.origin.Text != nil && q.originKey == d.key {
		return q.origin
	}
	toks, _ := d.tokens.All()
	st := Stream{Language: cmp.Or(lang.ByName(d.Language), lang.Words()), Text: d.text, Tokens: toks, own: len(toks), Lines: lang.Lines(d.text)}
	q.origin, q.originKey = listed{st, functions.Outermost(st.functions())}, d.key
	return q.origin
}

// functions reads the functions of a text off its tokens.
func (s Stream) functions() []functions.Function { return functions.In(s.Language, s.Text, s.Tokens) }

// nameAt is a name as a report has it: not too long, and text.
func (s Stream) nameAt(i int) string {
	t := s.Tokens[i]
	return string(bytes.ToValidUTF8(s.Text[t.Start:min(t.End, t.Start+80)], []byte("\uFFFD")))
}

// What a report shows of one side of a finding: more nobody reads there, and a
// vendored file would double the report.
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
	rest := string(text[:end]) // at once: lines come by the hundred
	for range lines {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		e.Lines = append(e.Lines, strings.ToValidUTF8(strings.TrimSuffix(line, "\r"), string(utf8.RuneError)))
	}
	return e
}

// excerpt leaves out the blanks in the place of comments that the baseline has not kept.
func (d *doc) excerpt(first, last int) finding.Excerpt {
	e := NewExcerpt(d.text, first, last)
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

// span is one run with the lines and columns of both sides.
func span(st Stream, d *doc, r match.Run) finding.Run {
	from, to := st.Tokens[r.Target].Start, st.Tokens[r.Target+r.Len-1].End
	first, last := d.tokens.Span(r.Origin), d.tokens.Span(r.Origin+r.Len-1)
	return finding.Run{
		StartLine: st.Lines.Line(from), StartColumn: column(st.Text, from),
		EndLine: st.Lines.Line(to - 1), EndColumn: column(st.Text, to),
		OriginStartLine: int(first.Line), OriginStartColumn: column(d.text, first.Start),
		OriginEndLine: d.lastLine(r.Origin + r.Len - 1), OriginEndColumn: column(d.text, last.End),
		Tokens: int(r.Len),
	}
}
