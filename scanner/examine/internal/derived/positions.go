package derived

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/alignment"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
)

// A seed often leads to the wrong position in a document: the index has one position of each pair, and names recur. So positions
// with most of the names around the seed are tried first. If a position has no alignment, the next one is tried.

// Limits of the positions that are tried.
const (
	mostAligned = 4  // alignments with one document
	mostAround  = 4  // alignments around one token
	mostRanked  = 32 // positions in a document with names around them, and as many without
	mostWhole   = 2  // stretches of the target whose names are searched in a whole document
)

// alignLead adds the alignments around the seeds of a document. If there are none, it searches the rest of the document for the
// names around the seeds.
func (ps *pass) alignLead(l lead) error {
	d, err := ps.text.Rules.Documents.Load(l.key)
	if err != nil {
		return err
	}
	if _, err := d.Read(); err != nil {
		return err
	}
	slices.SortFunc(l.seeds, func(a, b match.Seed) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Origin, b.Origin))
	})
	var t tries
	for _, s := range ps.search.ranked(d, l.seeds) {
		if t.n == mostAligned {
			break
		}
		if match.CountContaining(ps.tried, int(s.Target)) >= mostAround {
			continue
		}
		if err := ps.try(d, s, &t); err != nil {
			return err
		}
	}
	if len(t.seen) > 0 {
		return nil
	}
	names, err := d.Names()
	if err != nil {
		return err
	}
	if s, ok := ps.search.bestInWhole(d, names, l.seeds); ok {
		if err := ps.try(d, s, &t); err != nil || len(t.seen) > 0 {
			return err
		}
	}
	if s, ok := ps.search.bestByGrams(d, l.close); ok {
		return ps.try(d, s, &t)
	}
	return nil
}

// tries records the positions at which a document was aligned with the target.
type tries struct {
	n      int
	seen   []match.Interval // target tokens of alignments
	failed []match.Seed     // seeds without an alignment
}

// try adds the alignment around a seed, unless the position was tried or an alignment covers it.
func (ps *pass) try(d *documents.Document, s match.Seed, t *tries) error {
	if match.Contains(t.seen, int(s.Target)) || slices.ContainsFunc(t.failed, func(f match.Seed) bool { return ps.search.near(f, s) }) {
		return nil
	}
	t.n++
	p, ok, err := ps.addAround(d, s, probeGain)
	v := match.Interval{From: int(s.Target), To: int(s.Target) + ps.text.Rules.Params.K}
	if !ok {
		t.failed, ps.tried = append(t.failed, s), append(ps.tried, v)
		return err
	}
	v = match.Interval{From: min(v.From, int(p.From)), To: max(v.To, int(p.To))}
	t.seen, ps.tried = append(t.seen, v), append(ps.tried, v)
	return err
}

// near reports whether two seeds lead to nearly the same alignment.
func (se *Search) near(a, b match.Seed) bool {
	apart := func(x, y int) int { return max(x-y, y-x) }
	return apart(int(a.Target), int(b.Target)) <= se.text.Rules.Params.K &&
		apart(int(a.Origin)-int(a.Target), int(b.Origin)-int(b.Target)) <= probeBand/2
}

// ranked lists the positions of seeds that have at least half of the required names, those with most first. Most documents have the
// names elsewhere and are not aligned.
func (se *Search) ranked(d *documents.Document, seeds []match.Seed) (out []match.Seed) {
	type ranked struct {
		match.Seed
		bits float64
	}
	var list []ranked
	apart := 0
	for _, s := range seeds {
		if apart == mostRanked || len(list) == mostRanked {
			break
		}
		if slices.ContainsFunc(list, func(p ranked) bool { return se.near(p.Seed, s) }) {
			continue
		}
		if bits, enough := se.namesAt(d, s); enough {
			list = append(list, ranked{s, bits})
		} else {
			apart++
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(b.bits, a.bits) })
	for _, p := range list {
		out = append(out, p.Seed)
	}
	return out
}

// namesAt returns the bits of the names around a seed that the document has there, and whether they are half of what enoughNames
// requires.
func (se *Search) namesAt(d *documents.Document, s match.Seed) (bits float64, enough bool) {
	a := se.text.NamesAround(int(s.Target))
	origin := window(s.Origin, probeReach, se.text.Rules.Params.K, d.Stream.Len())
	last, inside := uint32(0), 0.0
	var room [2*probeReach + 64]lang.Token
	for _, t := range d.Stream.AppendTokens(room[:0], uint32(origin.From), uint32(origin.To)) {
		if t.Class != lang.Identifier && t.Class != lang.String {
			continue
		}
		hash := hashOf(t, d.Text())
		if hash == last {
			continue
		}
		last = hash
		if at := slices.IndexFunc(a.Names, func(n text.Name) bool { return n.Hash == hash }); at >= 0 {
			n := &a.Names[at]
			if bits += n.Bits; n.Inside {
				inside += n.Bits
			}
			n.Bits = 0 // count each name once
		}
	}
	return bits, enoughNames(bits, inside, a, 0.5)
}

// surroundings returns what is around the first seeds of which none is in what is around another, mostWhole at most.
func surroundings(seeds []match.Seed, around func(match.Seed) match.Interval) (out []match.Interval) {
	for _, s := range seeds {
		if len(out) == mostWhole {
			break
		}
		if !match.Contains(out, int(s.Target)) {
			out = append(out, around(s))
		}
	}
	return out
}

// nearby returns the tokens around a seed, whatever function they are in.
func (se *Search) nearby(s match.Seed) match.Interval {
	return window(s.Target, probeReach, se.text.Rules.Params.K, len(se.text.Tokens))
}

// bestInWhole finds the position in a whole document on which most of the rare names around one of the seeds agree.
func (se *Search) bestInWhole(d *documents.Document, names store.NameSet, seeds []match.Seed) (best match.Seed, ok bool) {
	most := float64(leastVotes)
	for _, around := range surroundings(seeds, se.nearby) {
		if se.mostVotes(names, around) < most {
			continue
		}
		if at, bits := alignment.Elect(se.votesOn(d, names, around)); bits >= most {
			best, most, ok = at, bits, true
		}
	}
	return best, ok
}
