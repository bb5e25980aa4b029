package examine

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// Which function a region lies in is read off the tokens: the streams have no
// tree. It serves people as a landmark and is no evidence, so what looks like
// one is good enough.

// body is a pair of braces that a parameter list precedes, or an indented block.
type body struct {
	name     uint32 // token
	from, to int    // tokens, from the name to the end
}

// function returns the innermost function that holds a region, nil if none is
// seen, with the share of its tokens that the runs have.
func function(st Stream, r region, runs []match.Run) *finding.Function {
	b := innermost(st.bodies(), r)
	if b == nil {
		return nil
	}
	n := 0
	for _, hit := range covered(len(st.Tokens), runs)[b.from:b.to] {
		if hit {
			n++
		}
	}
	return &finding.Function{
		Name:      st.nameAt(b.name),
		StartLine: st.Lines.Line(st.Tokens[b.from].Start), EndLine: st.Lines.Line(st.Tokens[b.to-1].End - 1),
		Share: round(float64(n) / float64(b.to-b.from)),
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
	for _, b := range outermost(q.bodies()) {
		matched, in := 0, make([]int, len(origin.list))
		for i := max(b.from, last); i < b.to; i++ {
			at, ok := from[i]
			if !ok {
				continue
			}
			matched++
			for n, o := range origin.list {
				if o.from <= int(at) && int(at) < o.to {
					in[n]++
				}
			}
		}
		if 2*matched < b.to-b.from || len(in) == 0 {
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
		last = b.to
		out = append(out, finding.Pair{
			Name: q.nameAt(b.name), StartLine: q.Lines.Line(q.Tokens[b.from].Start), EndLine: q.Lines.Line(q.Tokens[b.to-1].End - 1), Share: round(float64(matched) / float64(b.to-b.from)),
			OriginName: origin.nameAt(o.name), OriginStartLine: d.tokens.Line(uint32(o.from)), OriginEndLine: d.lastLine(uint32(o.to - 1)), OriginShare: round(float64(in[best]) / float64(o.to-o.from)),
		})
	}
	return out
}

// outermost are the functions that lie in no other, by where they begin.
func outermost(bodies []body) (out []body) {
	all := slices.Clone(bodies)
	slices.SortFunc(all, func(a, b body) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	end := 0
	for _, b := range all {
		if b.from >= end {
			out, end = append(out, b), b.to
		}
	}
	return out
}

// listed is a document with its outermost functions.
type listed struct {
	Stream
	list []body
}

// bodiesOf reads the functions of a document.
func (q *query) bodiesOf(d *doc) listed {
	if q.origin.Text != nil && q.originKey == d.key {
		return q.origin
	}
	toks, _ := d.tokens.All()
	st := Stream{Language: cmp.Or(lang.ByName(d.Language), lang.Words()), Text: d.text, Tokens: toks, own: len(toks), Lines: lang.Lines(d.text)}
	q.origin, q.originKey = listed{st, outermost(st.findBodies())}, d.key
	return q.origin
}

// nameAt is a name as a report has it: not too long, and text.
func (s Stream) nameAt(i uint32) string {
	t := s.Tokens[i]
	return string(bytes.ToValidUTF8(s.Text[t.Start:min(t.End, t.Start+80)], []byte("\uFFFD")))
}

func innermost(bodies []body, r region) *body {
	slack := min(edge, int(r.to-r.from)/4) // edges of a match can be an accident of what stands next to it
	var best *body
	for i := range bodies {
		b := &bodies[i]
		if b.from <= int(r.from)+slack && int(r.to) <= b.to+slack && (best == nil || b.from > best.from) {
			best = b
		}
	}
	return best
}

func (s Stream) findBodies() []body {
	if s.Language.Family == "python" {
		return indentedBodies(s)
	}
	return bracedBodies(s)
}

// heads are the words before a parenthesis that make a statement of it, not a
// function.
var heads = []string{"if", "for", "while", "switch", "catch", "with", "foreach", "using", "lock", "synchronized", "match", "when", "elseif", "elif"}

// bracedBodies finds NAME ( … ) … { … }: nothing but names and operators of a
// result type may stand between.
func bracedBodies(st Stream) []body {
	var out []body
	var open []int // index in out, or -1
	for i := range st.Tokens {
		switch st.word(i) {
		case "{":
			open = append(open, -1)
			if name := st.headOf(i); name >= 0 {
				open[len(open)-1] = len(out)
				out = append(out, body{name: uint32(name), from: name})
			}
		case "}":
			if n := len(open); n > 0 {
				if at := open[n-1]; at >= 0 {
					out[at].to = i + 1
				}
				open = open[:n-1]
			}
		}
	}
	for i := range out {
		if out[i].to == 0 {
			out[i].to = len(st.Tokens)
		}
	}
	return out
}

// Between parameters and body may stand a result type, an initialiser list or
// thrown types; the lists themselves are bounded, as every brace looks for one.
const (
	longestResult = 24
	longestHead   = 512
)

// headOf returns the name whose parameters precede the brace at i, or -1.
func (s Stream) headOf(i int) int {
	depth := 0
	for at := i - 1; at > 0 && at >= i-longestHead && (depth > 0 || at >= i-longestResult); at-- {
		switch s.word(at) {
		case ")":
			depth++
		case "(":
			if depth--; depth == 0 {
				if s.declares(at - 1) {
					return at - 1
				}
				if slices.Contains(heads, s.word(at-1)) || s.Tokens[at-1].Class == lang.Identifier {
					return -1
				}
			}
		case ";", "{", "}", "=":
			if depth == 0 {
				return -1
			}
		}
	}
	return -1
}

// calls are the words before a name that is called there, not declared.
var calls = []string{".", "!", "=", ":=", "==", "!=", "<", "<=", ">=", "&&", "||", "+", "-", "/", "%", "(", ",", "?", "return", "range", "in", "await", "new", "not", "and", "or"}

// declares tells whether a function is declared by the name at i.
func (s Stream) declares(i int) bool {
	if s.Tokens[i].Class != lang.Identifier || slices.Contains(heads, s.word(i)) {
		return false
	}
	before := ""
	if i > 0 {
		before = s.word(i - 1)
	}
	if s.Language.Family == "go" {
		return before == "func" || before == ")"
	}
	return !slices.Contains(calls, before) && !slices.Contains(heads, before)
}

// word is the text of a token if it is short enough for a keyword or operator.
func (s Stream) word(i int) string {
	if t := s.Tokens[i]; t.End-t.Start <= 12 {
		return string(s.Text[t.Start:t.End])
	}
	return ""
}

// indentedBodies finds "def NAME" and what is indented further below it.
func indentedBodies(st Stream) []body {
	var out []body
	indent := func(i int) int {
		start := bytes.LastIndexByte(st.Text[:st.Tokens[i].Start], '\n') + 1
		return len(st.Text[start:]) - len(bytes.TrimLeft(st.Text[start:], " \t"))
	}
	for i := 0; i+1 < len(st.Tokens); i++ {
		if st.word(i) != "def" {
			continue
		}
		depth, to := indent(i), i+1
		first := st.Lines.Line(st.Tokens[i].Start)
		for to < len(st.Tokens) && (!st.begins(uint32(to)) || indent(to) > depth || st.Lines.Line(st.Tokens[to].Start) == first || closes(st, to)) {
			to++
		}
		out = append(out, body{uint32(i + 1), i, to})
	}
	return out
}

// closes tells whether a line only ends the list of parameters before it.
func closes(st Stream, i int) bool {
	w := st.word(i)
	return w == ")" || w == "]" || w == "}"
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
