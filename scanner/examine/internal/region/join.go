package region

import (
	"cmp"
	"slices"
	"sort"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Fold keeps one of two regions that mostly overlap: the one with more bits. The occurrences of the other are added to it. The
// tokens that only the dropped region covers must be too few for a finding.
func (g *Gatherer) Fold(cs []Candidate) []Candidate {
	order := make([]int, len(cs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cs[b].Evidence.Bits, cs[a].Evidence.Bits) })
	gone := make([]bool, len(cs))
	for i, a := range order {
		for _, b := range order[:i] {
			if !gone[b] && g.isPartOf(cs[a].Best.Match, cs[b].Best.Match) {
				cs[b].Occurrences = append(cs[b].Occurrences, cs[a].Occurrences...)
				gone[a] = true
				break
			}
		}
	}
	var out []Candidate
	for i, c := range cs {
		if !gone[i] {
			out = append(out, c)
		}
	}
	return out
}

// isPartOf reports whether most of the shorter of two matches is shared, and the tokens of a beyond b are too few for a finding.
func (g *Gatherer) isPartOf(a, b match.Match) bool {
	if from, to := b.Target(); a.Runs[len(a.Runs)-1].Target < from || a.Runs[0].Target >= to {
		return false
	}
	both := match.Shared(a.Runs, b.Runs)
	return 2*both > min(a.Tokens(), b.Tokens()) && a.Tokens()-both < g.text.Rules.Least
}

// Join joins regions that share lines and come from one file of a package, if their order agrees. The region with most bits takes
// up the others. Join runs before the minimum of tokens is applied, so a larger minimum only shortens the list.
func (g *Gatherer) Join(cs []Candidate) ([]Candidate, error) {
	slices.SortStableFunc(cs, func(a, b Candidate) int { return cmp.Compare(b.Evidence.Bits, a.Evidence.Bits) })
	for i := 0; i < len(cs); i++ {
		joined := false
		for j := i + 1; j < len(cs); {
			if !g.overlap(&cs[i], &cs[j]) || !cs[i].join(cs[j], g.text.Rules.Matching.MinFit, g.text.Rules.Least) {
				j++
				continue
			}
			cs, joined, j = slices.Delete(cs, j, j+1), true, i+1 // other regions may overlap now
		}
		if !joined {
			continue
		}
		if err := g.weighAgain(&cs[i]); err != nil {
			return nil, err
		}
	}
	return g.divide(cs)
}

// divide assigns each line to one region of a file of a package: the one with most bits. A lighter region keeps the lines
// outside; if these are too few, it becomes a part origin of the heavier one.
func (g *Gatherer) divide(cs []Candidate) (out []Candidate, err error) {
	for _, c := range cs {
		rest, heavier := []Candidate{c}, -1
		for i := range out {
			var next []Candidate
			for _, r := range rest {
				if !g.overlap(&out[i], &r) {
					next = append(next, r)
					continue
				}
				next, heavier = append(next, g.outside(r, out[i].Best.Lines(&g.text.Stream))...), i
			}
			rest = next
		}
		if len(rest) == 0 {
			out[heavier].Parts = append(out[heavier].Parts, c.Best)
		}
		for i := 0; i < len(rest) && heavier >= 0; i++ {
			if err := g.weighAgain(&rest[i]); err != nil {
				return nil, err
			}
		}
		out = append(out, rest...)
	}
	return out, nil
}

// outside returns the parts of a region before and after some lines.
func (g *Gatherer) outside(c Candidate, lines linediff.Range) (out []Candidate) {
	n := len(g.text.Tokens)
	before := sort.Search(n, func(i int) bool { return g.text.LastLine(uint32(i)) >= lines.First })
	behind := sort.Search(n, func(i int) bool { return g.text.Line(uint32(i)) > lines.Last })
	for _, v := range []match.Interval{{From: 0, To: before}, {From: behind, To: n}} {
		p := c.Best.Proof
		if p.Runs = match.Clip(p.Runs, v); p.Tokens() < g.text.Rules.Least {
			continue
		}
		p.Set(p.Runs)
		r := c
		r.Occurrences = slices.Clone(c.Occurrences)
		for i := range r.Occurrences {
			if o := &r.Occurrences[i]; o.Doc.Key == p.Doc.Key {
				o.Proof = p
			}
		}
		r.Best, r.Region = r.Occurrences[0], Region{p.From, p.To, []evidence.Proof{p}}
		if r.Heaviest == nil {
			r.Heaviest = &Judgement{c.Best.Proof, c.Evidence}
		}
		r.Joined = true
		out = append(out, r)
	}
	return out
}

// overlap reports whether two regions share a line and come from one file of a package.
func (g *Gatherer) overlap(a, b *Candidate) bool {
	if a.Best.Path != b.Best.Path || purl.Key(a.Best.PURL) != purl.Key(b.Best.PURL) {
		return false
	}
	x, y := a.Best.Lines(&g.text.Stream), b.Best.Lines(&g.text.Stream)
	return x.First <= y.Last && y.First <= x.Last
}

// join takes up another region, if fewer than least tokens of it would be lost.
func (c *Candidate) join(b Candidate, shortest, least int) bool {
	whole := make(map[lookup.Key]evidence.Proof)
	for _, o := range b.Occurrences {
		at := slices.IndexFunc(c.Occurrences, func(p Occurrence) bool { return p.Doc.Key == o.Doc.Key })
		if _, ok := whole[o.Doc.Key]; ok || at < 0 {
			continue
		}
		if p, lost := c.Occurrences[at].Proof.With(o.Proof, shortest); lost < least {
			whole[o.Doc.Key] = p
		}
	}
	best, ok := whole[c.Best.Doc.Key]
	if !ok {
		return false
	}
	if c.Heaviest == nil {
		c.Heaviest = &Judgement{c.Best.Proof, c.Evidence}
	}
	c.Joined = true
	c.Occurrences = append(slices.Clone(c.Occurrences), slices.DeleteFunc(slices.Clone(b.Occurrences), func(o Occurrence) bool {
		return slices.ContainsFunc(c.Occurrences, func(p Occurrence) bool { return p.Doc.Key == o.Doc.Key })
	})...)
	for i := range c.Occurrences {
		o := &c.Occurrences[i]
		if p, ok := whole[o.Doc.Key]; ok {
			o.Proof = p
		}
		o.Share = finding.Round(min(1, float64(o.Tokens())/float64(best.Tokens())))
	}
	c.Best, c.Region = c.Occurrences[0], Region{best.From, best.To, []evidence.Proof{best}}
	c.Judged = nil // computed without the other region
	c.Derived = c.Derived || b.Derived || b.Evidence.Derived
	return true
}

// weighAgain computes the evidence of a region whose runs changed. The bits never fall: a joined region keeps those of its
// heaviest part, a cut one those it had before.
func (g *Gatherer) weighAgain(c *Candidate) error {
	ev, err := g.judge.Weigh(c.Best.Proof)
	if err != nil {
		return err
	}
	if ev = g.text.MinusFrequency(ev, c.Best.Match, g.text.Needed(g.text.Rules.MinScore)); ev.Bits < c.Evidence.Bits {
		ev = ev.WithBitsOf(c.Evidence)
	}
	ev.Derived = c.Evidence.Derived
	c.Evidence, c.Judged = ev, map[lookup.Key]score.Evidence{c.Best.Doc.Key: ev}
	return nil
}
