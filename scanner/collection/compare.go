package collection

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/pool"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Compared is a document with everything that it shares with others.
type Compared struct {
	ID     ID
	Pairs  []Pair          // by document
	Ledger []finding.Entry // without paths
}

// Pair is everything that a document, the target, shares with another, the origin.
//
// Matches use each token of the target once, and omit remainders that are too short. Target and Origin are all tokens
// of each side in a match, or in a run of at least Options.MinTokens, wherever else those tokens are. They are disjoint
// and ascending, without base code.
type Pair struct {
	ID             ID
	Target, Origin []match.Interval
	Matches        []Match
}

// Match is a verified match of a pair.
type Match struct {
	Tokens   int
	Evidence score.Evidence
	Runs     []finding.Run
}

// Query selects the pairs to compare.
type Query struct {
	Docs []ID                                     // the targets, ascending
	All  bool                                     // with any origin; otherwise only with origins behind the target
	Want func(target, origin ID) bool             // called often, by all workers at once
	Only func(target ID) []ID                     // the origins that a target is compared with, among the wanted ones; nil: all. The ledger then has only notes that Rank does not give
	Runs func(target, origin ID, tokens int) bool // called for pairs whose runs are known, with their tokens in all: whether the runs are arranged to matches; nil: all
	Keep func(target ID, p *Pair) bool            // called for pairs without their matches, which are judged only if the pair is kept; nil keeps all
}

// Compare compares documents. take is called with the targets in their order.
func (s *Set) Compare(ctx context.Context, q Query, take func(Compared) error) error {
	p := pool.Pool[*comparer]{Workers: max(s.o.Workers, 1), New: func() *comparer { return s.newComparer(&q) }, Progress: s.o.Comparing}
	return pool.List(ctx, p, q.Docs, func(ctx context.Context, c *comparer, id ID) (Compared, error) { return c.compare(ctx, id) },
		func(_ ID, c Compared) error { return take(c) })
}

// comparer compares one target after the other and reuses its buffers.
type comparer struct {
	*Loader
	q     *Query
	p     match.Params
	least int // tokens of a match

	widespread int // number of documents from which on a fingerprint proposes no pair

	target ID
	loaded *Loaded  // the target, once it is needed
	only   []bool   // by document, if Query.Only is set
	number []uint32 // by document: 1 + its index in met
	met    []candidate
	hits   []hit
	seeds  []match.Seed
	near   match.Nearness
	reach  []match.Interval
	costs  score.Costs
	weighs bool // costs belong to the target
}

// candidate is a document that has fingerprints of the target.
type candidate struct {
	id    ID
	n     int
	seeds []match.Seed // ascending by target
}

// hit is a fingerprint of the target that a candidate has.
type hit struct{ candidate, target, origin uint32 }

func (s *Set) newComparer(q *Query) *comparer {
	c := &comparer{Loader: s.NewLoader(), q: q, p: match.Defaults(s.o.Params.K), least: max(1, s.o.MinTokens), number: make([]uint32, len(s.Docs))}
	c.p.Least = c.least
	if c.widespread = Widespread(len(s.Docs)); q.All {
		c.widespread = len(s.Docs)
	}
	if q.Only != nil {
		c.only = make([]bool, len(s.Docs))
	}
	return c
}

func (c *comparer) compare(ctx context.Context, id ID) (Compared, error) {
	out := Compared{ID: id}
	c.target, c.loaded, c.weighs = id, nil, false
	out.Ledger = c.propose(id)
	cut := 0
	for i := range c.met {
		if err := ctx.Err(); err != nil { // a document can meet thousands
			return out, err
		}
		if !c.promising(&c.met[i]) {
			continue
		}
		p, whole, err := c.prove(&c.met[i])
		if err != nil {
			return out, err
		}
		if !whole {
			cut++
		}
		if p != nil {
			out.Pairs = append(out.Pairs, *p)
		}
	}
	if cut > 0 {
		out.Ledger = append(out.Ledger, finding.Entry{Reason: finding.ReasonRepetitive, Detail: "the comparison with " + finding.Count(cut, "document") + " was cut short: too many equal token sequences"})
	}
	slices.SortFunc(out.Pairs, func(a, b Pair) int { return int(a.ID) - int(b.ID) })
	return out, nil
}

// propose collects the candidates of a target, with their seeds.
func (c *comparer) propose(id ID) (notes []finding.Entry) {
	for _, m := range c.met {
		c.number[m.id] = 0
	}
	c.met, c.hits = c.met[:0], c.hits[:0]
	if c.q.Only != nil {
		only := c.q.Only(id)
		for _, o := range only {
			c.only[o] = true
		}
		defer func() {
			for _, o := range only {
				c.only[o] = false
			}
		}()
	}
	repeated, common := c.ask(id)
	if c.q.Only == nil {
		notes = c.s.known(id, common, c.widespread)
	}
	if repeated > 0 {
		notes = append(notes, finding.Entry{Reason: finding.ReasonRepetitive, Detail: fmt.Sprintf("the fingerprints of %s occur more than %d times in the file or in another; not each place was compared with each", finding.Count(repeated, "place"), fewPlaces)})
	}
	c.deal()
	return notes
}

// known returns notes on the parts of a document that are not compared, as far as they are known before any comparison.
func (s *Set) known(id ID, common, widespread int) (notes []finding.Entry) {
	if d := &s.Docs[id]; d.Base > 0 {
		notes = append(notes, finding.Entry{Reason: finding.ReasonBaseCode, Detail: fmt.Sprintf("%d of %d tokens are base code", d.Base, d.Tokens)})
	}
	if common > 0 {
		notes = append(notes, finding.Entry{Reason: finding.ReasonCommon, Detail: fmt.Sprintf("%s of the file stand in more than %d files: files that share nothing else are no pair", finding.Count(common, "fingerprint"), widespread)})
	}
	return notes
}

// ask follows the fingerprints of a target to the documents that have them.
func (c *comparer) ask(id ID) (repeated, common int) {
	for _, a := range c.s.index.of(id) {
		if a.nth >= maxRepeats {
			if a.nth == maxRepeats {
				repeated++
			}
			continue
		}
		if int(c.s.index.holders[a.group]) > c.widespread {
			common++
			continue
		}
		ps := c.s.index.others(a, c.q.All)
		for len(ps) > 0 {
			if c.q.Only != nil && !c.only[ps[0].doc] { // few are wanted
				ps = ps[1:]
				continue
			}
			n := ofOne(ps)
			if c.wants(ps[0].doc) && c.follow(a, ps[:n]) {
				repeated++
			}
			ps = ps[n:]
		}
	}
	if common > 0 {
		c.complete()
	}
	return repeated, common
}

// wants reports whether the target is compared with a document.
func (c *comparer) wants(id ID) bool {
	return id != c.target && (c.q.Only == nil || c.only[id]) && c.q.Want(c.target, id)
}

// ofOne counts the postings of the first document.
func ofOne(ps []posting) int {
	n := 1
	for n < len(ps) && ps[n].doc == ps[0].doc {
		n++
	}
	return n
}

// A fingerprint that is frequent in both documents is followed from its first fewPlaces positions in one to those in
// the other. Every other position is paired only with positions at most nearPlaces before or behind it in order.
// Otherwise a table and its copy would have as many pairs as the square of their rows.
const (
	fewPlaces  = 32
	nearPlaces = 2
)

// follow adds the hits of a fingerprint in one document. It reports whether positions were left out.
func (c *comparer) follow(a asked, ps []posting) (left bool) {
	for i, p := range ps {
		switch near := i - int(a.nth); {
		case p.at&selected == 0:
		case (i >= fewPlaces || a.nth >= fewPlaces) && (near > nearPlaces || near < -nearPlaces):
			left = true
		default:
			c.hit(p.doc, a.at, p.at&tokenOf)
		}
	}
	return left
}

// complete adds the hits of widespread fingerprints in the candidates.
func (c *comparer) complete() {
	for _, a := range c.s.index.of(c.target) {
		if a.nth >= maxRepeats || int(c.s.index.holders[a.group]) <= c.widespread {
			continue
		}
		ps := c.s.index.others(a, c.q.All)
		for i := range c.met {
			m := &c.met[i]
			at := behind(ps, m.id)
			if at < len(ps) && ps[at].doc == m.id {
				c.follow(a, ps[at:at+ofOne(ps[at:])])
			}
		}
	}
	slices.SortStableFunc(c.hits, func(a, b hit) int { return cmp.Compare(a.target, b.target) })
}

func (c *comparer) hit(id ID, target, origin uint32) {
	n := c.number[id]
	if n == 0 {
		c.met = append(c.met, candidate{id: id})
		n = uint32(len(c.met))
		c.number[id] = n
	}
	c.met[n-1].n++
	c.hits = append(c.hits, hit{n - 1, target, origin})
}

// deal gives each candidate its seeds, ascending by target.
func (c *comparer) deal() {
	c.seeds = slices.Grow(c.seeds[:0], len(c.hits))[:len(c.hits)]
	at := 0
	for i := range c.met {
		m := &c.met[i]
		m.seeds = c.seeds[at : at : at+m.n]
		at += m.n
	}
	for _, h := range c.hits {
		m := &c.met[h.candidate]
		m.seeds = append(m.seeds, match.Seed{Target: h.target, Origin: h.origin})
	}
}

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
	if c.loaded == nil {
		var err error
		if c.loaded, err = c.Load(c.target); err != nil {
			return nil, false, err
		}
	}
	t := c.loaded
	o, err := c.Load(m.id)
	if err != nil {
		return nil, false, err
	}
	target, origin := t.side(), o.side()
	runs, whole := match.Runs(target, origin, m.seeds, c.p)
	if c.q.Runs != nil && !c.q.Runs(c.target, m.id, match.Match{Runs: runs}.Tokens()) {
		return nil, whole, nil
	}
	p := &Pair{ID: m.id}
	p.add(runs, t.Masked, c.least)
	ms := c.matches(target, origin, runs, t.Masked)
	for _, m := range ms {
		p.add(m.Runs, nil, 1)
	}
	p.Target, p.Origin = match.Without(match.Union(p.Target), t.Masked), match.Without(match.Union(p.Origin), o.Masked)
	if len(p.Target) == 0 && len(p.Origin) == 0 || c.q.Keep != nil && !c.q.Keep(c.target, p) {
		return nil, whole, nil
	}
	for _, m := range ms {
		p.Matches = append(p.Matches, c.judge(t, o, m))
	}
	return p, whole, nil
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

// add notes the tokens of runs of at least least tokens. Masked tokens do not count.
func (p *Pair) add(runs []match.Run, masked []bool, least int) {
	for _, r := range runs {
		n := int(r.Len)
		if n >= least && masked != nil {
			n -= match.Count(masked[r.Target:r.TargetEnd()])
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
	out := Match{Tokens: m.Tokens(), Evidence: score.Judge(t.side(), o.side(), m, &c.costs)}
	for _, r := range m.Runs {
		out.Runs = append(out.Runs, span(t, o, r))
	}
	return out
}

// weigh prepares the costs of a target, from the frequency model and from the fingerprints that many directories of the
// collection have.
func (c *comparer) weigh(t *Loaded) {
	c.weighs = true
	known := model.Common{model.Prior().Of(t.Language.Family), model.API().Of(t.Language.Family)}
	var often []score.Range
	for _, a := range c.s.index.of(c.target) {
		if n := int(c.s.index.frequent[a.group]); n > 0 && a.nth < maxRepeats {
			often = append(often, score.Range{From: int(a.at), To: int(a.at) + c.s.o.Params.K, Bits: known.Run(n)})
		}
	}
	c.costs.Reset(score.Standing(), t.side(), known, often, store.HasName)
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
