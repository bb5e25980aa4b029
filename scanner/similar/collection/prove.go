package collection

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// promising reports whether seeds can belong to a match of enough tokens.
func (c *comparer) promising(m *candidate) bool {
	p := c.s.o.Params
	around := 2*(p.W-1) + p.K // the longest run that has one seed
	if m.n*around < c.least {
		return false
	}
	c.reach = match.Reach(c.reach[:0], m.seeds, p.K, p.W)
	switch n := match.Length(c.reach); {
	case n < c.least:
		return false
	case n >= farReach*c.least: // a closer look costs as much as the proof
		return true
	}
	return c.near.Groups(c.near.Stretches(m.seeds, p.K, p.W), c.p, func(g []match.Interval) bool { return match.Length(g) >= c.least })
}

// farReach is the reach of seeds, as a multiple of the least tokens of a match, from which on they are proved at once.
const farReach = 4

// prove verifies the seeds of a candidate. It returns false if it was cut short.
func (c *comparer) prove(m *candidate) (*Pair, bool, error) {
	t, err := c.read()
	if err != nil {
		return nil, false, err
	}
	o, err := c.Load(m.id)
	if err != nil {
		return nil, false, err
	}
	target, origin := t.side(), o.side()
	runs, whole := match.Runs(target, origin, m.seeds, c.p)
	if c.q.Runs != nil && !c.q.Runs(c.target, m.id, match.Match{Runs: runs}.Tokens()) {
		return nil, whole, nil
	}
	ms := c.matches(target, origin, runs, t.Masked)
	p := c.covered(runs, ms, t, o)
	p.ID = m.id
	if len(p.Target) == 0 && len(p.Origin) == 0 || c.q.Keep != nil && !c.q.Keep(c.target, &p) {
		return nil, whole, nil
	}
	p.Target, p.Origin = slices.Clone(p.Target), slices.Clone(p.Origin)
	p.Distinct = c.distinct(p.Target, ms, t, o)
	p.Matches = make([]Match, 0, len(ms))
	for _, m := range ms {
		if c.q.Bare {
			p.Matches = append(p.Matches, Match{Tokens: m.Tokens()})
		} else {
			p.Matches = append(p.Matches, c.judge(t, o, m))
		}
	}
	return &p, whole, nil
}

// covered returns a pair with the tokens of both sides in the runs and matches, in buffers that are valid until the next call.
func (c *comparer) covered(runs []match.Run, ms []match.Match, t, o *Loaded) Pair {
	p := Pair{Target: c.covers[0][:0], Origin: c.covers[1][:0]}
	p.add(runs, t, c.least)
	for _, m := range ms {
		p.add(m.Runs, nil, 1)
	}
	c.covers = [2][]match.Interval{p.Target, p.Origin}
	p.Target, p.Origin = match.Without(match.Union(p.Target), t.Masked), match.Without(match.Union(p.Origin), o.Masked)
	return p
}

// read returns the target.
func (c *comparer) read() (*Loaded, error) {
	if c.loaded == nil {
		var err error
		if c.loaded, err = c.Load(c.target); err != nil {
			return nil, err
		}
	}
	return c.loaded, nil
}

// whole returns the bits of the target, without its base code.
func (c *comparer) whole() (float64, error) {
	t, err := c.read()
	if err != nil {
		return 0, err
	}
	m := match.Match{Runs: []match.Run{{Len: uint32(len(t.Tokens))}}}
	if t.Masked != nil {
		m = basecode.Unmasked(m, t.Masked, c.p.MinFit)
	}
	if m.Tokens() == 0 {
		return 0, nil
	}
	return c.judge(t, t, m).Evidence.Bits, nil
}

// matches arranges runs, and drops matches that are too short without base code.
func (c *comparer) matches(target, origin match.Side, runs []match.Run, masked []bool) []match.Match {
	if !match.Contested(runs) { // otherwise names and layout decide which match gets the tokens
		target.Text, origin.Text = nil, nil
	}
	ms := match.Arrange(target, origin, runs, c.p)
	out := ms[:0]
	for _, m := range ms {
		if masked != nil {
			m = basecode.Unmasked(m, masked, c.p.MinFit)
		}
		if m.Tokens() >= c.least {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b match.Match) int { return cmp.Compare(a.Runs[0].Target, b.Runs[0].Target) })
	return out
}

// add notes the tokens of runs of at least least tokens. Masked tokens of the target do not count, unless it is nil.
func (p *Pair) add(runs []match.Run, target *Loaded, least int) {
	masked := 0
	if target != nil {
		masked = len(target.Tokens) - target.Own
	}
	for _, r := range runs {
		n := int(r.Len)
		if n >= least && n-masked < least {
			n -= match.Count(target.Masked[r.Target:r.TargetEnd()])
		}
		if n >= least {
			p.Target = append(p.Target, match.Interval{From: int(r.Target), To: int(r.Target + r.Len)})
			p.Origin = append(p.Origin, match.Interval{From: int(r.Origin), To: int(r.Origin + r.Len)})
		}
	}
}

// judge compares names and literals of a match, and computes its bits.
func (c *comparer) judge(t, o *Loaded, m match.Match) Match {
	if !c.weighs {
		c.weigh(t)
	}
	if c.q.Bits {
		return Match{Tokens: m.Tokens(), Evidence: score.Evidence{Bits: score.BitsOf(t.side(), o.side(), m, &c.costs)}}
	}
	out := Match{Tokens: m.Tokens(), Evidence: score.EvidenceOf(t.side(), o.side(), m, &c.costs), Runs: make([]finding.Run, 0, len(m.Runs))}
	for _, r := range m.Runs {
		out.Runs = append(out.Runs, span(t, o, r))
	}
	return out
}

// weigh prepares the costs of a target, from the frequency model and from the fingerprints that many directories of the
// collection have.
func (c *comparer) weigh(t *Loaded) {
	c.weighs = true
	known := model.Frequencies{model.Prior().Of(t.Language.Family), model.PlatformsOf(t.Language.Name, t.Language.Family, t.Text)}
	var often []score.Range
	for _, a := range c.s.index.of(c.target) {
		if n := int(c.s.index.frequent[a.group]); n > 0 && a.nth < maxRepeats {
			often = append(often, score.Range{From: int(a.at), To: int(a.at) + c.s.o.Params.K, Bits: known.Run(n)})
		}
	}
	c.costs.Reset(score.DefaultWeights(), t.side(), known, often, store.HasName)
}

// span returns a run with the lines and columns of both sides.
func span(t, o *Loaded, r match.Run) finding.Run {
	out := finding.Run{Tokens: int(r.Len)}
	out.StartLine, out.StartColumn, out.EndLine, out.EndColumn = t.span(r.Target, r.Len)
	out.OriginStartLine, out.OriginStartColumn, out.OriginEndLine, out.OriginEndColumn = o.span(r.Origin, r.Len)
	return out
}

func (d *Loaded) span(from, n uint32) (line, column, lastLine, lastColumn int) {
	start, end := d.Tokens[from].Start, d.Tokens[from+n-1].End
	return d.Lines().Line(start), d.column(start), d.Lines().Line(end - 1), d.column(end)
}

func (d *Loaded) column(at uint32) int {
	start := bytes.LastIndexByte(d.Text[:at], '\n') + 1
	return utf8.RuneCount(d.Text[start:at]) + 1
}
