package examine

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/functions"
	"github.com/git-provenance/git-provenance/scanner/git"
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
	for _, hit := range match.Covered(len(st.Tokens), runs)[f.From:f.To] {
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
func (q *query) functions(d *library.Document, runs []match.Run) (out []finding.Pair) {
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
			OriginName: origin.nameAt(o.Name), OriginStartLine: d.Stream.Line(uint32(o.From)), OriginEndLine: d.LastLine(uint32(o.To - 1)), OriginShare: round(float64(in[best]) / float64(o.To-o.From)),
		})
	}
	return out
}

// listed is a document with its functions.
type listed struct {
	Stream
	list []functions.Function // that lie in no other
	all  []functions.Function
}

// bodiesOf reads the functions of a document.
func (q *query) bodiesOf(d *library.Document) listed {
	if q.origin.Text != nil && q.originKey == d.Key {
		return q.origin
	}
	toks, _ := d.Stream.All()
	st := Stream{Language: cmp.Or(lang.ByName(d.Language), lang.Words()), Text: d.Text(), Tokens: toks, own: len(toks), Lines: lang.Lines(d.Text())}
	all := st.functions()
	q.origin, q.originKey = listed{st, functions.Outermost(all), all}, d.Key
	return q.origin
}

// functions reads the functions of a text off its tokens.
func (s Stream) functions() []functions.Function { return functions.In(s.Language, s.Text, s.Tokens) }

// nameAt is a name as a report has it: not too long, and text.
func (s Stream) nameAt(i int) string {
	t := s.Tokens[i]
	return string(bytes.ToValidUTF8(s.Text[t.Start:min(t.End, t.Start+80)], []byte("\uFFFD")))
}

// A finding ends where so much was edited that no evidence is left. If it has the head of a function, or half of it, the
// rest of that function comes from the same place, and is compared with nothing else. What agrees there is shown, and
// is no evidence.

// Bounds of that comparison.
const (
	restReach = 512 // tokens of either side beyond an end of a match that are aligned
	restLeast = 16  // of what is added, at least,
	restToken = 0.5 // and this for each token of the shorter rest
)

// room is how far the rests of a region may reach: half of the lines to the next region on either side.
type room struct{ first, last int } // lines

// giveRoom tells each region that is a finding at the default threshold how far its rests may reach; others get none. It
// comes before --min-tokens takes regions away, and is the same at all thresholds, so that a threshold only cuts.
func (q *query) giveRoom(cs []candidate) {
	needed := q.neededByDefault()
	strong := supports(cs, needed)
	var sure []*candidate
	var lines []git.Range // of each
	for i := range cs {
		c := &cs[i]
		if c.within == nil && q.total(strong, c.judgement()) < q.needs(c.ev, needed) {
			continue
		}
		sure, lines = append(sure, c), append(lines, q.lines(c.best.proof))
	}
	for i, r := range roomsOf(lines) {
		sure[i].room = &r
	}
}

// roomsOf returns for each stretch of lines how far it may reach: half of what lies between it and the next one on either
// side, and not at all where another overlaps it.
func roomsOf(lines []git.Range) []room {
	firsts, lasts := make([]int, len(lines)), make([]int, len(lines))
	for i, l := range lines {
		firsts[i], lasts[i] = l.First, l.Last
	}
	slices.Sort(firsts)
	slices.Sort(lasts)
	out := make([]room, len(lines))
	for i, own := range lines {
		behind, _ := slices.BinarySearch(firsts, own.Last+1) // the first that begins behind it
		ahead, _ := slices.BinarySearch(lasts, own.First)    // so many end before it
		if behind-ahead > 1 {                                // others besides itself begin before its end and end behind its begin
			out[i] = room{own.First, own.Last}
			continue
		}
		out[i] = room{1, math.MaxInt}
		if behind < len(firsts) {
			out[i].last = (own.Last + firsts[behind]) / 2
		}
		if ahead > 0 {
			out[i].first = (lasts[ahead-1]+own.First)/2 + 1
		}
	}
	return out
}

// complete adds to the regions what is left of the functions that they end in, as far as there is room. It comes last: what
// is no evidence decides neither which regions nor which origins there are.
func (q *query) complete(ctx context.Context, cs []candidate, all []others) error {
	if q.Language == lang.Words() {
		return nil
	}
	for i := range cs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if cs[i].room == nil {
			continue
		}
		if err := q.completeOne(&cs[i], all[i].whole); err != nil {
			return err
		}
	}
	return nil
}

// completeOne completes the match of a region with its first origin.
func (q *query) completeOne(c *candidate, origins []occurrence) error {
	p, err := q.completed(c.best.proof, *c.room)
	if err != nil || p.Tokens() == c.best.Tokens() {
		return err
	}
	if c.heaviest == nil {
		c.heaviest = &judgement{c.best.proof, c.ev}
	}
	for _, os := range [][]occurrence{c.occurrences, origins} {
		for i := range os {
			if os[i].doc.Key == p.doc.Key {
				os[i].proof = p
			}
		}
	}
	c.best.proof, c.region = p, region{p.from, p.to, []proof{p}}
	read, err := q.judge(p)
	c.completed = &read
	return err
}

// completed returns a match with the rests of the functions that it begins and ends in.
func (q *query) completed(p proof, free room) (proof, error) {
	first, last := p.Runs[0], p.Runs[len(p.Runs)-1]
	t, o, err := q.rest(p, int(last.TargetEnd())-1, int(last.OriginEnd())-1)
	if err != nil {
		return p, err
	}
	t.From, t.To = int(last.TargetEnd()), min(t.To, int(last.TargetEnd())+restReach)
	for t.From < t.To && q.Lines.Line(q.Tokens[t.To-1].End-1) > free.last {
		t.To--
	}
	o.From, o.To = int(last.OriginEnd()), min(o.To, int(last.OriginEnd())+restReach)
	behind := q.alignRests(p.doc, t, o)
	if t, o, err = q.rest(p, int(first.Target), int(first.Origin)); err != nil {
		return p, err
	}
	t.From, t.To = max(t.From, int(first.Target)-restReach), min(t.To, int(first.Target))
	for t.From < t.To && q.Lines.Line(q.Tokens[t.From].Start) < free.first {
		t.From++
	}
	o.From, o.To = max(o.From, int(first.Origin)-restReach), min(o.To, int(first.Origin))
	p.Runs = slices.Concat(q.alignRests(p.doc, t, o), p.Runs, behind)
	p.from, p.to = p.Target()
	return p, nil
}

// rest returns the largest functions on both sides that a pair of matched tokens lies in and that are the same one; empty
// stretches if there are none.
func (q *query) rest(p proof, target, origin int) (t, o match.Interval, err error) {
	for _, f := range q.bodies() {
		if target < f.From || target >= f.To || f.To-f.From <= t.To-t.From {
			continue
		}
		if _, err := p.doc.Read(); err != nil {
			return t, o, err
		}
		there := q.bodiesOf(p.doc)
		for _, g := range there.all {
			if g.From <= origin && origin < g.To && q.sameFunction(p, f, g, there) {
				t, o = match.Interval{From: f.From, To: f.To}, match.Interval{From: g.From, To: g.To}
				break // outer ones come first
			}
		}
	}
	return t, o, nil
}

// sameFunction tells whether two functions that a match has parts of are one: they have one name, or their names are
// matched, or half of the one is in the other.
func (q *query) sameFunction(p proof, f, g functions.Function, there listed) bool {
	if q.nameAt(f.Name) == there.nameAt(g.Name) {
		return true
	}
	n := 0
	for _, r := range p.Runs {
		ahead := int(r.Target) - int(r.Origin)
		if int(r.Target) <= f.Name && f.Name < int(r.TargetEnd()) {
			return f.Name == g.Name+ahead
		}
		n += max(0, min(f.To, int(r.TargetEnd()), g.To+ahead)-max(f.From, int(r.Target), g.From+ahead))
	}
	return 2*n >= f.To-f.From
}

// alignRests aligns two stretches.
func (q *query) alignRests(d *library.Document, target, origin match.Interval) []match.Run {
	n, m := target.To-target.From, origin.To-origin.From
	if n <= 0 || m <= 0 {
		return nil
	}
	runs, _ := q.alignBetween(d, target, origin, match.Seed{}, n+m, max(restLeast, int(restToken*float64(min(n, m)))))
	return runs
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

// excerptOf leaves out the blanks in the place of comments that the baseline has not kept.
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

// span is one run with the lines and columns of both sides.
func span(st Stream, d *library.Document, r match.Run) finding.Run {
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
