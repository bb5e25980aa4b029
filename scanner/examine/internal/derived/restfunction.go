package derived

import (
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
)

// A finding ends where the edits leave no evidence. If it has the name of a function, or half of the function, the rest of the
// function is taken to come from the same origin, and is aligned with it. The tokens that agree are shown, but are no evidence.

// Limits of that comparison.
const (
	restReach = 512 // tokens beyond an end of a match that are aligned, on either side
	restLeast = 16  // least gain of the alignment,
	restToken = 0.5 // and least gain for each token of the shorter rest
)

// everywhere is the room of a match whose rests may reach any line.
var everywhere = linediff.Range{First: 1, Last: math.MaxInt}

// WithRoom sets the lines that the rests of each region may reach, for regions that are findings at the default threshold. It
// runs before --min-tokens removes regions and does not depend on the threshold, so a higher threshold only shortens the list.
func (se *Search) WithRoom(cs []region.Candidate) []region.Candidate {
	strong := region.Supporting(cs, se.text.Needed(score.Enough))
	var sure []*region.Candidate
	var lines []linediff.Range // of each of them
	for i := range cs {
		c := &cs[i]
		if c.Within == nil && se.regions.Total(strong, c.Judgement()) < se.text.NeededBy(c.Evidence, score.Enough) {
			continue
		}
		sure, lines = append(sure, c), append(lines, c.Best.Lines(&se.text.Stream))
	}
	for i, r := range roomsOf(lines) {
		sure[i].Room = &r
	}
	return cs
}

// roomsOf returns the lines that each stretch may reach: half of the lines to the next stretch on either side. A stretch that
// overlaps another one gets its own lines only.
func roomsOf(lines []linediff.Range) []linediff.Range {
	firsts, lasts := make([]int, len(lines)), make([]int, len(lines))
	for i, l := range lines {
		firsts[i], lasts[i] = l.First, l.Last
	}
	slices.Sort(firsts)
	slices.Sort(lasts)
	out := make([]linediff.Range, len(lines))
	for i, own := range lines {
		behind, _ := slices.BinarySearch(firsts, own.Last+1) // the first that begins after it
		ahead, _ := slices.BinarySearch(lasts, own.First)    // the number that end before it
		if behind-ahead > 1 {                                // others overlap it
			out[i] = linediff.Range{First: own.First, Last: own.Last}
			continue
		}
		out[i] = everywhere
		if behind < len(firsts) {
			out[i].Last = (own.Last + firsts[behind]) / 2
		}
		if ahead > 0 {
			out[i].First = (lasts[ahead-1]+own.First)/2 + 1
		}
	}
	return out
}

// Complete extends a region, and its origins, by the rests of the functions in which its match with the first origin begins and
// ends. The rests stay within c.Room. It runs last, because rests are no evidence and must change neither regions nor origins.
func (se *Search) Complete(c region.Candidate, origins []region.Occurrence) (region.Candidate, []region.Occurrence, error) {
	if c.Room == nil || se.text.Language == lang.Words() {
		return c, origins, nil
	}
	p, err := se.withFunctionRests(c.Best.Proof, *c.Room)
	if err != nil || p.Tokens() == c.Best.Tokens() {
		return c, origins, err
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
	read, err := se.judge.Weigh(p)
	c.Completed = &read
	return c, origins, err
}

// withFunctionRests returns a match with the rests of the functions that it begins and ends in, as far as they are on the lines
// free.
func (se *Search) withFunctionRests(p evidence.Proof, free linediff.Range) (evidence.Proof, error) {
	first, last := p.Runs[0], p.Runs[len(p.Runs)-1]
	t, o, err := se.sharedFunction(p, int(last.TargetEnd())-1, int(last.OriginEnd())-1)
	if err != nil {
		return p, err
	}
	t.From, t.To = int(last.TargetEnd()), min(t.To, int(last.TargetEnd())+restReach)
	for t.From < t.To && se.text.LastLine(uint32(t.To-1)) > free.Last {
		t.To--
	}
	o.From, o.To = int(last.OriginEnd()), min(o.To, int(last.OriginEnd())+restReach)
	behind := se.alignRestOfFunction(p.Doc, t, o)
	if t, o, err = se.sharedFunction(p, int(first.Target), int(first.Origin)); err != nil {
		return p, err
	}
	t.From, t.To = max(t.From, int(first.Target)-restReach), min(t.To, int(first.Target))
	for t.From < t.To && se.text.Line(uint32(t.From)) < free.First {
		t.From++
	}
	o.From, o.To = max(o.From, int(first.Origin)-restReach), min(o.To, int(first.Origin))
	p.Set(slices.Concat(se.alignRestOfFunction(p.Doc, t, o), p.Runs, behind))
	return p, nil
}

// sharedFunction returns the largest pair of functions that contains a pair of matched tokens and is the same function on both sides. It
// returns empty intervals if there is none.
func (se *Search) sharedFunction(p evidence.Proof, target, origin int) (t, o match.Interval, err error) {
	for _, f := range se.text.Functions() {
		if target < f.From || target >= f.To || f.To-f.From <= t.To-t.From {
			continue
		}
		if _, err := p.Doc.Read(); err != nil {
			return t, o, err
		}
		for _, g := range p.Doc.Functions() {
			if g.From <= origin && origin < g.To && se.sameFunction(p, f, g) {
				t, o = match.Interval{From: f.From, To: f.To}, match.Interval{From: g.From, To: g.To}
				break // outer functions come first
			}
		}
	}
	return t, o, nil
}

// sameFunction reports whether two functions that a match covers in part are the same one: they have the same name, or their
// names are matched, or the match has half of f in g.
func (se *Search) sameFunction(p evidence.Proof, f, g functions.Function) bool {
	if se.text.NameAt(f.Name) == p.Doc.NameAt(g.Name) {
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

// alignRestOfFunction aligns the rests of a function on both sides.
func (se *Search) alignRestOfFunction(d *documents.Document, target, origin match.Interval) []match.Run {
	n, m := target.To-target.From, origin.To-origin.From
	if n <= 0 || m <= 0 {
		return nil
	}
	runs, _ := se.alignStretches(d, stretches{target: target, origin: origin, band: n + m}, max(restLeast, int(restToken*float64(min(n, m)))))
	return runs
}
