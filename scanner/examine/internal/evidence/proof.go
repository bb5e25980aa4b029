// Package evidence defines Proof, a verified match with one document, and Judge, which computes the information of a proof in bits.
// Package score weighs what is counted. This package decides what counts:
//
//	proof.go       Proof: the match, and the part of it that a report shows
//	judge.go       Judge.Weigh: the order of the other files
//	imported.go    names that the target imports from the document's package are no evidence
//	ownlibrary.go  names that a library and its users write are no evidence
//	contract.go    signatures that a trait or an interface fixes are no evidence
//	noevidence.go  matches that are worth nothing: the text of a generator, of a licence
//	comments.go    comments beside the match add evidence
package evidence

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
)

// Proof is a verified match with one document.
type Proof struct {
	Doc *documents.Document
	match.Match
	From, To uint32  // target tokens
	Bound    float64 // its upper bound, in bits
	Uneven   float64 // the least number of bits that unpaired brackets will take off Bound
	Derived  bool    // it is an alignment of derived code
}

// Of makes a proof of a match.
func Of(d *documents.Document, m match.Match) Proof {
	p := Proof{Doc: d}
	p.Set(m.Runs)
	return p
}

// Set replaces the runs of a proof.
func (p *Proof) Set(runs []match.Run) {
	p.Runs = runs
	p.From, p.To = p.Target()
}

// Compare orders proofs by their place in the target, then by document. The order is the same for any number of workers.
func (p *Proof) Compare(o *Proof) int {
	return cmp.Or(cmp.Compare(p.From, o.From), bytes.Compare(p.Doc.Hash[:], o.Doc.Hash[:]), cmp.Compare(p.Doc.Key.Baseline, o.Doc.Key.Baseline))
}

// Span returns the target tokens from the first matched one to the last, gaps included.
func (p *Proof) Span() match.Interval { return match.Interval{From: int(p.From), To: int(p.To)} }

// Core returns the runs without the tokens at either end that may agree by accident.
func (p *Proof) Core(st *text.Stream) []match.Run { return p.core(st, Margin) }

// Lines returns the first and last line that a report shows for the match.
func (p *Proof) Lines(st *text.Stream) linediff.Range {
	from, to := p.Shown(st).Target()
	return linediff.Range{First: st.Line(from), Last: st.LastLine(to - 1)}
}

// Margin is the largest number of tokens at either end of a match that may agree by accident, such as the end of the previous
// function or the signature of the next one.
const Margin = 24

// shownPart is the largest part of a match that its lines leave out at either end, such as the brace that closes the previous
// function or the first word of the next one.
const shownPart = 1.0 / 10

// Shown returns the part of the match that gives a finding its lines.
func (p *Proof) Shown(st *text.Stream) match.Match {
	return match.Match{Runs: p.core(st, min(Margin, uint32(shownPart*float64(p.Tokens()))))}
}

// core returns the runs of a match from the first line that begins on both sides to the last line that ends on both. Either
// may be at most margin tokens from the end of the match. A line that only closes brackets of the code before the match is not
// taken as a beginning.
func (p *Proof) core(st *text.Stream, margin uint32) []match.Run {
	runs := slices.Clone(p.Runs)
	if st.Language == lang.Words() { // the same prose may have other line breaks
		return runs
	}
	first := &runs[0]
	for i := range min(margin+1, first.Len) {
		t, o := first.Target+i, first.Origin+i
		if st.Begins(t) && p.Doc.Begins(o) && !bytes.Contains([]byte("})];,"), st.TextAt(t)) {
			*first = match.Run{Target: t, Origin: o, Len: first.Len - i}
			break
		}
	}
	last := &runs[len(runs)-1]
	for i := range min(margin+1, last.Len) {
		if n := last.Len - i; st.Begins(last.Target+n) && p.Doc.Begins(last.Origin+n) {
			last.Len = n
			break
		}
	}
	return runs
}

// With inserts the runs of another match with the same document between the runs of a match. lost counts the tokens of the other
// match that are dropped: of runs that do not ascend on both sides, and of cut pieces shorter than shortest.
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
