package collection

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/hashes"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/pool"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Compared is a document with everything that it shares with others.
type Compared struct {
	ID     ID
	Pairs  []Pair          // by document
	Bits   float64         // of all its tokens, if Query.Whole asks for them
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
	Distinct       int // tokens of Target that do not repeat others; a value that is equal on both sides does not repeat another one
}

// Match is a verified match of a pair.
type Match struct {
	Tokens   int
	Evidence score.Evidence // only its bits, if Query.Bits is set
	Runs     []finding.Run
}

// Query selects the pairs to compare.
type Query struct {
	Docs  []ID                                     // the targets, ascending
	All   bool                                     // with any origin; otherwise only with origins behind the target
	Want  func(target, origin ID) bool             // called often, by all workers at once
	Only  func(target ID) []ID                     // the origins that a target is compared with, among the wanted ones; nil: all. The ledger then has only notes that Rank does not give
	Runs  func(target, origin ID, tokens int) bool // called for pairs whose runs are known, with their tokens in all: whether the runs are arranged to matches; nil: all
	Keep  func(target ID, p *Pair) bool            // called for pairs without their matches, which are judged only if the pair is kept; nil keeps all
	Whole bool                                     // judge each target as a copy of itself, too
	Bare  bool                                     // matches have only their tokens: they are not judged
	Bits  bool                                     // matches have only their tokens and bits
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
	near   match.Grouper
	reach  []match.Interval
	covers [2][]match.Interval // buffers of covered
	seen   hashes.Set          // of the current pair
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
	if c.q.Whole {
		bits, err := c.whole()
		if err != nil {
			return out, err
		}
		out.Bits = bits
	}
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
	if d := &s.Docs[id]; d.BaseCode > 0 {
		notes = append(notes, finding.Entry{Reason: finding.ReasonBaseCode, Detail: fmt.Sprintf("%d of %d tokens are base code", d.BaseCode, d.Tokens)})
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
	const few = 8 // most documents have one
	for n := 1; n < few; n++ {
		if n == len(ps) || ps[n].doc != ps[0].doc {
			return n
		}
	}
	return few + behind(ps[few:], ps[0].doc+1)
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
	from, to := 0, max(fewPlaces, int(a.nth)+nearPlaces+1)
	if a.nth >= fewPlaces {
		from = int(a.nth) - nearPlaces
	}
	from, to = min(from, len(ps)), min(to, len(ps))
	for _, p := range ps[from:to] {
		if p.at&selected != 0 {
			c.hit(p.doc, a.at, p.at&tokenOf)
		}
	}
	return anySelected(ps[:from]) || anySelected(ps[to:])
}

// anySelected reports whether a document is found by one of its postings.
func anySelected(ps []posting) bool {
	return slices.ContainsFunc(ps, func(p posting) bool { return p.at&selected != 0 })
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
