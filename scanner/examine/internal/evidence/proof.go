// Package evidence defines Proof, a verified match with one document, and Judge, which computes the information of a proof in bits:
// from names and literals, the imports of the text, fixed signatures, and the comments beside the match.
package evidence

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// Proof is a verified match with one document.
type Proof struct {
	Doc *library.Document
	match.Match
	From, To uint32  // target tokens
	Most     float64 // its upper bound, in bits
	Derived  bool    // it is an alignment of edited code
}

// Of makes a proof of a match.
func Of(d *library.Document, m match.Match) Proof {
	p := Proof{Doc: d}
	p.Set(m.Runs)
	return p
}

// Set gives a proof other runs.
func (p *Proof) Set(runs []match.Run) {
	p.Runs = runs
	p.From, p.To = p.Target()
}

// Span is the target tokens between its first and its last.
func (p *Proof) Span() match.Interval { return match.Interval{From: int(p.From), To: int(p.To)} }

// Core returns the runs without what can be an accident at either end.
func (p *Proof) Core(st *text.Stream) []match.Run { return p.core(st, Edge) }

// Lines are those that a match is shown with.
func (p *Proof) Lines(st *text.Stream) git.Range {
	from, to := p.Shown(st).Target()
	return git.Range{First: st.Line(from), Last: st.LastLine(to - 1)}
}

// Edge is how many tokens of either end of a match can be an accident of what
// stands next to it: the end of one function, the signature of another.
const Edge = 24

// shownPart is the part of a match that its lines leave out at either end, at
// most: the brace that closes the function before, the first word of the next.
const shownPart = 1.0 / 10

// Shown returns the match whose lines are those of a finding.
func (p *Proof) Shown(st *text.Stream) match.Match {
	return match.Match{Runs: p.core(st, min(Edge, uint32(shownPart*float64(p.Tokens()))))}
}

// core returns the runs of a match from where a line begins on both sides to
// where one ends on both, if such occurrences are no more than edge tokens from its
// ends. A line that only closes what was opened before the match is none to begin
// with.
func (p *Proof) core(st *text.Stream, edge uint32) []match.Run {
	runs := slices.Clone(p.Runs)
	if st.Language == lang.Words() { // prose is broken into lines anew
		return runs
	}
	first := &runs[0]
	for i := range min(edge+1, first.Len) {
		t, o := first.Target+i, first.Origin+i
		if st.Begins(t) && p.Doc.Begins(o) && !bytes.Contains([]byte("})];,"), st.Text[st.Tokens[t].Start:st.Tokens[t].End]) {
			*first = match.Run{Target: t, Origin: o, Len: first.Len - i}
			break
		}
	}
	last := &runs[len(runs)-1]
	for i := range min(edge+1, last.Len) {
		if n := last.Len - i; st.Begins(last.Target+n) && p.Doc.Begins(last.Origin+n) {
			last.Len = n
			break
		}
	}
	return runs
}

// With returns a match with the runs of another with the same document between its own, and how many tokens of those are
// lost. What does not ascend on both sides is lost, and stretches shorter than shortest that are cut off.
func (p Proof) With(o Proof, shortest int) (both Proof, lost int) {
	runs := slices.Clone(p.Runs)
	for _, r := range o.Runs {
		for _, l := range r.Outside(p.Runs) {
			f := l.Between(p.Runs)
			if int(f.Len) < shortest && f.Len < r.Len && !slices.ContainsFunc(p.Runs, func(r match.Run) bool { return match.Follows(r, f) || match.Follows(f, r) }) {
				f.Len = 0
			}
			if lost += int(l.Len - f.Len); f.Len > 0 {
				runs = append(runs, f)
			}
		}
	}
	slices.SortFunc(runs, func(a, b match.Run) int { return cmp.Compare(a.Target, b.Target) })
	p.Runs = runs[:1]
	for _, r := range runs[1:] {
		if last := &p.Runs[len(p.Runs)-1]; match.Follows(*last, r) {
			last.Len += r.Len
		} else {
			p.Runs = append(p.Runs, r)
		}
	}
	p.Set(p.Runs)
	return p, lost
}
