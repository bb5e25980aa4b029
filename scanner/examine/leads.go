package examine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// Bounds of the search for documents that may be what was edited. Most hits are idioms: a document is aligned if a rare
// fingerprint or a pair of names is in both and it has the names around it.
const (
	rareHits      = 32 // positions in the baseline of a fingerprint that is followed
	rarePositions = 8  // and in the target
	nameReach     = 48 // tokens before and behind it whose names are asked for
	fewestNames   = 12 // bits of these names that the document has, at least
	namesShare    = 0.20
	mostLeads     = 32 // documents that are aligned with one text, by either way
)

// lead is a document that may have been edited to what the target has.
type lead struct {
	key   lookup.Key
	names float64 // bits, the most around one seed
	seeds []match.Seed
}

// leads gathers what leads to a document.
type leads struct {
	q     *query
	at    map[lookup.Key]int // in found
	found []lead
}

// best lists the documents with most names around a seed.
func (l *leads) best() []lead {
	slices.SortFunc(l.found, func(a, b lead) int {
		return cmp.Or(cmp.Compare(b.names, a.names), a.key.Compare(b.key))
	})
	l.q.crowd.edited += max(0, len(l.found)-mostLeads)
	return l.found[:min(len(l.found), mostLeads)]
}

// add notes a seed if its document has enough of the names around it.
func (l *leads) add(key lookup.Key, s match.Seed, names []around, enough float64) error {
	set, err := l.q.e.library.Names(key)
	if err != nil {
		return err
	}
	bits := 0.0
	for _, n := range names {
		if set.Has(n.hash) {
			bits += n.bits
		}
	}
	if bits < enough {
		return nil
	}
	i, ok := l.at[key]
	if !ok {
		i = len(l.found)
		l.at[key] = i
		l.found = append(l.found, lead{key: key})
	}
	l.found[i].names = max(l.found[i].names, bits)
	l.found[i].seeds = append(l.found[i].seeds, s)
	return nil
}

// byRare finds the documents that rare fingerprints lead to.
func (q *query) byRare(_ context.Context, done []match.Interval) (leads, error) {
	l := leads{q: q, at: make(map[lookup.Key]int)}
	if err := q.bringRare(); err != nil {
		return l, err
	}
	err := q.hits.Rare(rarePositions, rareHits, func(at []fingerprint.Fingerprint, hits []lookup.Hit) error {
		for _, f := range at {
			if match.Within(done, int(f.Pos)) {
				continue
			}
			names, all := q.namesAround(int(f.Pos))
			for _, hit := range hits {
				if err := l.add(hit.Key, match.Seed{Target: f.Pos, Origin: hit.Pos}, names, enoughNames(all)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return l, err
}

// bringRare fetches the names of documents that have a rare hit.
func (q *query) bringRare() error {
	if !slices.ContainsFunc(q.e.bases, (*baseline.Baseline).Shared) { // nearly always
		return nil
	}
	var ask []lookup.Key
	err := q.hits.Rare(rarePositions, rareHits, func(_ []fingerprint.Fingerprint, hits []lookup.Hit) error {
		for _, hit := range hits {
			if q.e.library.Remote(hit.Key.Base) {
				ask = append(ask, hit.Key)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return q.e.library.Bring(ask)
}

// byPairs finds the documents that have two rare names next to each other, as the target has them.
func (q *query) byPairs(ctx context.Context, done []match.Interval) (leads, error) {
	l := leads{q: q, at: make(map[lookup.Key]int)}
	q.pairs, q.pairHashes = q.pairs[:0], q.pairHashes[:0]
	for _, k := range q.e.keys {
		q.pairs = q.w.pairer.Pairs(q.pairs, k, q.Language, q.Text, q.Tokens)
	}
	if len(q.e.keys) > 1 {
		slices.SortFunc(q.pairs, func(a, b fingerprint.Fingerprint) int { return cmp.Compare(a.Hash, b.Hash) })
		q.pairs = slices.CompactFunc(q.pairs, func(a, b fingerprint.Fingerprint) bool { return a.Hash == b.Hash })
	}
	q.pairs = slices.DeleteFunc(q.pairs, func(f fingerprint.Fingerprint) bool { return match.Within(done, int(f.Pos)) })
	for _, f := range q.pairs {
		q.pairHashes = append(q.pairHashes, f.Hash)
	}
	found, err := q.lookupPairs(ctx)
	if err != nil {
		return l, err
	}
	var names []around
	all, at := 0.0, uint32(math.MaxUint32)
	for _, f := range found {
		if f.seed.Target != at {
			at = f.seed.Target
			names, all = q.namesAround(int(at))
		}
		if err := l.add(f.key, f.seed, names, enoughNames(all)); err != nil {
			return l, err
		}
	}
	return l, nil
}

// pairHit is a place of a pair in the baselines.
type pairHit struct {
	key  lookup.Key
	seed match.Seed
}

// lookupPairs lists the places of the rare pairs of the target, with the names of their documents at hand.
func (q *query) lookupPairs(ctx context.Context) (found []pairHit, err error) {
	var ask []lookup.Key
	for base, b := range q.e.bases {
		err := b.Lookup(ctx, q.pairHashes, func(i int, count uint64, ps []baseline.Posting) error {
			if count > rareHits {
				return nil
			}
			for _, p := range ps {
				key := lookup.Key{Base: base, ID: p.Doc}
				found = append(found, pairHit{key, match.Seed{Target: q.pairs[i].Pos, Origin: p.Pos}})
				if q.e.library.Remote(base) {
					ask = append(ask, key)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, q.e.library.Bring(ask)
}

// around is a name near a seed.
type around struct {
	hash uint32
	bits float64
}

// namesAround lists the distinct names around the k-gram at a token, and what they are worth.
func (q *query) namesAround(at int) (names []around, all float64) {
	c := q.costsOf()
	names = q.around[:0]
	for i := max(0, at-nameReach); i < min(len(q.Tokens), at+q.e.params.K+nameReach); i++ {
		hash, bits := c.Name(i)
		if hash == 0 || slices.ContainsFunc(names, func(n around) bool { return n.hash == hash }) {
			continue
		}
		names, all = append(names, around{hash, bits}), all+bits
	}
	q.around = names
	return names, all
}

// enoughNames are the bits of names that a document has to have of those around a seed.
func enoughNames(all float64) float64 { return max(fewestNames, namesShare*all) }
