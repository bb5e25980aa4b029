package describe

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/syntax/annotations"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
)

// function returns the innermost function that contains a region, with the share of its tokens that the runs match. It returns
// nil if no function does.
func (t *drafter) function(r region.Region, runs []match.Run) *finding.Function {
	slack := min(evidence.Margin, int(r.To-r.From)/4) // tokens at either end of a match can be accidental
	f := functions.Innermost(t.text.Functions(), int(r.From), int(r.To), slack)
	if f == nil {
		return nil
	}
	n := 0
	for _, hit := range match.Covered(len(t.text.Tokens), runs)[f.From:f.To] {
		if hit {
			n++
		}
	}
	return &finding.Function{
		Name:      t.text.NameAt(f.Name),
		StartLine: t.text.Line(uint32(f.From)), EndLine: t.text.LastLine(uint32(f.To - 1)),
		Share: finding.Round(float64(n) / float64(f.To-f.From)),
	}
}

// pairs pairs functions of the target with functions of a document, if the runs match at least half of the target's function.
func (t *drafter) pairs(d *documents.Document, runs []match.Run) (out []finding.Pair) {
	from := make(map[int]uint32) // token of the target → matched token of the document
	begin, end := len(t.text.Tokens), 0
	for _, r := range runs {
		begin, end = min(begin, int(r.Target)), max(end, int(r.TargetEnd()))
		for i := range r.Len {
			from[int(r.Target+i)] = r.Origin + i
		}
	}
	there := functions.Outermost(d.Functions())
	last := 0
	for _, f := range functions.Outermost(t.text.Functions()) {
		if f.To <= begin || f.From >= end {
			continue // a file can have many regions and many functions
		}
		matched, shared, at := partner(match.Interval{From: max(f.From, last), To: f.To}, from, there)
		if 2*matched < f.To-f.From || 2*shared < matched || at < 0 {
			continue
		}
		g := there[at]
		last = f.To
		out = append(out, finding.Pair{
			Name: t.text.NameAt(f.Name), StartLine: t.text.Line(uint32(f.From)), EndLine: t.text.LastLine(uint32(f.To - 1)), Share: finding.Round(float64(matched) / float64(f.To-f.From)),
			OriginName: d.NameAt(g.Name), OriginStartLine: d.Stream.Line(uint32(g.From)), OriginEndLine: d.LastLine(uint32(g.To - 1)), OriginShare: finding.Round(float64(shared) / float64(g.To-g.From)),
		})
	}
	return out
}

// partner finds the function of a document that has most of the matched tokens in a stretch v of the target. from maps tokens of
// the target to the tokens that they match. there lists functions by position, none inside another. matched counts the matched
// tokens of v, shared those that lie in the function there[at]. at is -1 if there is no such function.
func partner(v match.Interval, from map[int]uint32, there []functions.Function) (matched, shared, at int) {
	in := make(map[int]int) // function → tokens
	at = -1
	for i := v.From; i < v.To; i++ {
		o, ok := from[i]
		if !ok {
			continue
		}
		matched++
		n, _ := slices.BinarySearchFunc(there, int(o)+1, func(g functions.Function, to int) int { return cmp.Compare(g.To, to) })
		if n == len(there) || int(o) < there[n].From {
			continue
		}
		if in[n]++; in[n] > shared || in[n] == shared && n < at {
			at, shared = n, in[n]
		}
	}
	return matched, shared, at
}

// typed lists the languages whose annotations of types can be left out.
var typed = []string{"python", "tsx", "typescript"}

// annotated counts the gaps between runs in which the target has the tokens of the document with type annotations added.
func (t *drafter) annotated(d *documents.Document, runs []match.Run) (n int) {
	if !slices.Contains(typed, t.text.Language.Name) {
		return 0
	}
	for i := 1; i < len(runs); i++ {
		before, after := runs[i-1], runs[i]
		for before.Len > 0 && !bytes.Equal(t.text.TextAt(before.TargetEnd()-1), d.TextAt(before.OriginEnd()-1)) {
			before.Len-- // a name that is equal only in kind, often of a type
		}
		for after.Len > 0 && !bytes.Equal(t.text.TextAt(after.Target), d.TextAt(after.Origin)) {
			after.Target, after.Origin, after.Len = after.Target+1, after.Origin+1, after.Len-1
		}
		if after.Target < before.TargetEnd() || after.Origin < before.OriginEnd() {
			continue // another order
		}
		if before.Len > 0 {
			before.Len-- // annotations.Added also reads the equal token in front
		}
		here := texts(before.TargetEnd(), after.Target, t.text.TextAt)
		if there := texts(before.OriginEnd(), after.Origin, d.TextAt); annotations.Added(here, there) {
			n++
		}
	}
	return n
}

// texts returns the texts of the tokens [from, to).
func texts(from, to uint32, at func(uint32) []byte) (out []string) {
	for i := from; i < to; i++ {
		out = append(out, string(at(i)))
	}
	return out
}
