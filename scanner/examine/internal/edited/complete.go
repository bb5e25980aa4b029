package edited

import (
	"context"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/functions"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// A finding ends where so much was edited that no evidence is left. If it has the head of a function, or half of it, the
// rest of that function comes from the same place, and is compared with nothing else. What agrees there is shown, and
// is no evidence.

// Bounds of that comparison.
const (
	restReach = 512 // tokens of either side beyond an end of a match that are aligned
	restLeast = 16  // of what is added, at least,
	restToken = 0.5 // and this for each token of the shorter rest
)

// GiveRoom tells each region that is a finding at the default threshold how far its rests may reach; others get none. It
// comes before --min-tokens takes regions away, and is the same at all thresholds, so that a threshold only cuts.
func (se *Search) GiveRoom(cs []region.Candidate) {
	needed := se.ByDefault()
	strong := region.Supporting(cs, needed)
	var sure []*region.Candidate
	var lines []git.Range // of each
	for i := range cs {
		c := &cs[i]
		if c.Within == nil && se.Total(strong, c.Judgement()) < se.Needs(c.Evidence, needed) {
			continue
		}
		sure, lines = append(sure, c), append(lines, c.Best.Lines(&se.Stream))
	}
	for i, r := range roomsOf(lines) {
		sure[i].Room = &r
	}
}

// roomsOf returns for each stretch of lines how far it may reach: half of what lies between it and the next one on either
// side, and not at all where another overlaps it.
func roomsOf(lines []git.Range) []git.Range {
	firsts, lasts := make([]int, len(lines)), make([]int, len(lines))
	for i, l := range lines {
		firsts[i], lasts[i] = l.First, l.Last
	}
	slices.Sort(firsts)
	slices.Sort(lasts)
	out := make([]git.Range, len(lines))
	for i, own := range lines {
		behind, _ := slices.BinarySearch(firsts, own.Last+1) // the first that begins behind it
		ahead, _ := slices.BinarySearch(lasts, own.First)    // so many end before it
		if behind-ahead > 1 {                                // others besides itself begin before its end and end behind its begin
			out[i] = git.Range{First: own.First, Last: own.Last}
			continue
		}
		out[i] = git.Range{First: 1, Last: math.MaxInt}
		if behind < len(firsts) {
			out[i].Last = (own.Last + firsts[behind]) / 2
		}
		if ahead > 0 {
			out[i].First = (lasts[ahead-1]+own.First)/2 + 1
		}
	}
	return out
}

// Complete adds to the regions what is left of the functions that they end in, as far as there is room. It comes last: what
// is no evidence decides neither which regions nor which origins there are.
func (se *Search) Complete(ctx context.Context, cs []region.Candidate, origins [][]region.Occurrence) error {
	if se.Language == lang.Words() {
		return nil
	}
	for i := range cs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if cs[i].Room == nil {
			continue
		}
		if err := se.completeOne(&cs[i], origins[i]); err != nil {
			return err
		}
	}
	return nil
}

// completeOne completes the match of a region with its first origin.
func (se *Search) completeOne(c *region.Candidate, origins []region.Occurrence) error {
	p, err := se.completed(c.Best.Proof, *c.Room)
	if err != nil || p.Tokens() == c.Best.Tokens() {
		return err
	}
	if c.Heaviest == nil {
		c.Heaviest = &region.Judgement{Proof: c.Best.Proof, Evidence: c.Evidence}
	}
	for _, os := range [][]region.Occurrence{c.Occurrences, origins} {
		for i := range os {
			if os[i].Doc.Key == p.Doc.Key {
				os[i].Proof = p
			}
		}
	}
	c.Best.Proof, c.Region = p, region.Region{From: p.From, To: p.To, Proofs: []evidence.Proof{p}}
	read, err := se.Weigh(p)
	c.Completed = &read
	return err
}

// completed returns a match with the rests of the functions that it begins and ends in.
func (se *Search) completed(p evidence.Proof, free git.Range) (evidence.Proof, error) {
	first, last := p.Runs[0], p.Runs[len(p.Runs)-1]
	t, o, err := se.rest(p, int(last.TargetEnd())-1, int(last.OriginEnd())-1)
	if err != nil {
		return p, err
	}
	t.From, t.To = int(last.TargetEnd()), min(t.To, int(last.TargetEnd())+restReach)
	for t.From < t.To && se.LastLine(uint32(t.To-1)) > free.Last {
		t.To--
	}
	o.From, o.To = int(last.OriginEnd()), min(o.To, int(last.OriginEnd())+restReach)
	behind := se.alignRests(p.Doc, t, o)
	if t, o, err = se.rest(p, int(first.Target), int(first.Origin)); err != nil {
		return p, err
	}
	t.From, t.To = max(t.From, int(first.Target)-restReach), min(t.To, int(first.Target))
	for t.From < t.To && se.Line(uint32(t.From)) < free.First {
		t.From++
	}
	o.From, o.To = max(o.From, int(first.Origin)-restReach), min(o.To, int(first.Origin))
	p.Set(slices.Concat(se.alignRests(p.Doc, t, o), p.Runs, behind))
	return p, nil
}

// rest returns the largest functions on both sides that a pair of matched tokens lies in and that are the same one; empty
// stretches if there are none.
func (se *Search) rest(p evidence.Proof, target, origin int) (t, o match.Interval, err error) {
	for _, f := range se.Functions() {
		if target < f.From || target >= f.To || f.To-f.From <= t.To-t.From {
			continue
		}
		if _, err := p.Doc.Read(); err != nil {
			return t, o, err
		}
		for _, g := range p.Doc.Functions() {
			if g.From <= origin && origin < g.To && se.sameFunction(p, f, g) {
				t, o = match.Interval{From: f.From, To: f.To}, match.Interval{From: g.From, To: g.To}
				break // outer ones come first
			}
		}
	}
	return t, o, nil
}

// sameFunction tells whether two functions that a match has parts of are one: they have one name, or their names are
// matched, or half of the one is in the other.
func (se *Search) sameFunction(p evidence.Proof, f, g functions.Function) bool {
	if se.NameAt(f.Name) == p.Doc.NameAt(g.Name) {
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
func (se *Search) alignRests(d *library.Document, target, origin match.Interval) []match.Run {
	n, m := target.To-target.From, origin.To-origin.From
	if n <= 0 || m <= 0 {
		return nil
	}
	runs, _ := se.alignBetween(d, target, origin, match.Seed{}, n+m, max(restLeast, int(restToken*float64(min(n, m)))))
	return runs
}
