package derived

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/pairs"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/sharedcomments"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
)

// Limits of the search for documents that the target may have been edited from. Most hits are idioms. So a document is aligned
// only if it shares a rare fingerprint or a pair of names, and the names around it.
const (
	rareHits      = 32 // most positions of a fingerprint in the baseline for it to be followed
	rarePositions = 8  // most positions in the target
	fewestNames   = 12 // bits of the names around a seed that the document must have, at least
	namesShare    = 0.20
	closeNames    = 24 // bits of the names of a function that the document must have to be searched for it as a whole, at least
	closeShare    = 0.6
	mostLeads     = 32 // documents that are aligned with one text, for each kind of lead
)

// lead is a document that the target may have been edited from.
type lead struct {
	key   lookup.Key
	names float64 // the most bits of names that it has around one seed
	seeds []match.Seed
	close []match.Seed // those in a function of which it has most names
}

// leads collects the seeds by document.
type leads struct {
	names func(lookup.Key) (store.NameSet, error) // names of a document
	at    map[lookup.Key]int                      // index into found
	found []lead
}

func (se *Search) newLeads() leads {
	return leads{names: se.text.Rules.Documents.Names, at: make(map[lookup.Key]int)}
}

// best lists the mostLeads documents with most names around a seed. more is the number of the others.
func (l *leads) best() (most []lead, more int) {
	slices.SortFunc(l.found, func(a, b lead) int {
		return cmp.Or(cmp.Compare(b.names, a.names), a.key.Compare(b.key))
	})
	n := min(len(l.found), mostLeads)
	return l.found[:n], len(l.found) - n
}

// add notes a seed if its document has enough of the names around it.
func (l *leads) add(key lookup.Key, s match.Seed, a text.Around) error {
	set, err := l.names(key)
	if err != nil {
		return err
	}
	bits, inside := 0.0, 0.0
	for _, n := range a.Names {
		if n.In(set) {
			bits += n.Bits
			if n.Inside {
				inside += n.Bits
			}
		}
	}
	if !enoughNames(bits, inside, a, 1) {
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
	if inside >= max(closeNames, closeShare*a.Inside) {
		l.found[i].close = append(l.found[i].close, s)
	}
	return nil
}

// byRare finds the documents that share rare fingerprints.
func (se *Search) byRare(_ context.Context, done []match.Interval) (leads, error) {
	l := se.newLeads()
	if err := se.fetchNamesOfRare(done); err != nil {
		return l, err
	}
	err := se.text.Hits.Rare(rarePositions, rareHits, func(at []fingerprint.Fingerprint, hits []lookup.Hit) error {
		for _, f := range at {
			if match.Contains(done, int(f.Pos)) {
				continue
			}
			around := se.text.NamesAround(int(f.Pos))
			for _, hit := range hits {
				if err := l.add(hit.Key, match.Seed{Target: f.Pos, Origin: hit.Pos}, around); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return l, err
}

// fetchNamesOfRare fetches the names of documents that have a rare hit.
func (se *Search) fetchNamesOfRare(done []match.Interval) error {
	if !slices.ContainsFunc(se.text.Rules.Baselines, (*baseline.Baseline).Shared) { // the usual case
		return nil
	}
	var ask []lookup.Key
	err := se.text.Hits.Rare(rarePositions, rareHits, func(at []fingerprint.Fingerprint, hits []lookup.Hit) error {
		if !slices.ContainsFunc(at, func(f fingerprint.Fingerprint) bool { return !match.Contains(done, int(f.Pos)) }) {
			return nil // no seed is outside done
		}
		for _, hit := range hits {
			if se.text.Rules.Documents.Remote(hit.Key.Baseline) {
				ask = append(ask, hit.Key)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return se.text.Rules.Documents.FetchNames(ask)
}

// byPairs finds the documents that have two neighbouring rare names of the target.
func (se *Search) byPairs(ctx context.Context, done []match.Interval) (leads, error) {
	l := se.newLeads()
	se.pairs, se.pairHashes = se.pairs[:0], se.pairHashes[:0]
	named := pairs.Text{Language: se.text.Language, Content: se.text.Text, Tokens: se.text.Tokens, EitherQuotes: se.text.Side().Quotes}
	for _, v := range done {
		named.Known = append(named.Known, [2]int{v.From, v.To})
	}
	for _, k := range se.text.Rules.Keys {
		se.pairs = se.pairer.Prints(se.pairs, k, named)
	}
	if len(se.text.Rules.Keys) > 1 {
		slices.SortFunc(se.pairs, func(a, b fingerprint.Fingerprint) int { return cmp.Compare(a.Hash, b.Hash) })
		se.pairs = slices.CompactFunc(se.pairs, func(a, b fingerprint.Fingerprint) bool { return a.Hash == b.Hash })
	}
	se.pairs = slices.DeleteFunc(se.pairs, func(f fingerprint.Fingerprint) bool { return match.Contains(done, int(f.Pos)) })
	for _, f := range se.pairs {
		se.pairHashes = append(se.pairHashes, f.Hash)
	}
	found, err := se.lookupPairs(ctx)
	if err != nil {
		return l, err
	}
	var around text.Around
	at := uint32(math.MaxUint32)
	for _, f := range found {
		if f.seed.Target != at {
			at = f.seed.Target
			around = se.text.NamesAround(int(at))
		}
		if err := l.add(f.key, f.seed, around); err != nil {
			return l, err
		}
	}
	return l, nil
}

// pairHit is a position of a pair in the baselines.
type pairHit struct {
	key  lookup.Key
	seed match.Seed
}

// lookupPairs lists the positions of the target's rare pairs, and fetches the names of their documents.
func (se *Search) lookupPairs(ctx context.Context) (found []pairHit, err error) {
	var ask []lookup.Key
	for base, b := range se.text.Rules.Baselines {
		err := b.Lookup(ctx, se.pairHashes, func(i int, count uint64, ps []baseline.Posting) error {
			if count > rareHits {
				return nil
			}
			for _, p := range ps {
				key := lookup.Key{Baseline: base, ID: p.Doc}
				found = append(found, pairHit{key, match.Seed{Target: se.pairs[i].Pos, Origin: p.Pos}})
				if se.text.Rules.Documents.Remote(base) {
					ask = append(ask, key)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, se.text.Rules.Documents.FetchNames(ask)
}

// enoughNames reports whether a document has enough of the names around a seed, or enough of those in the seed's function: a short
// function stands among the names of other functions. bits and inside are the bits of the names that the document has. share scales
// the requirement: 1 is all of it, 0.5 half.
func enoughNames(bits, inside float64, a text.Around, share float64) bool {
	enough := func(has, all float64) bool { return has >= share*max(fewestNames, namesShare*all) }
	return enough(bits, a.Bits) || enough(inside, a.Inside)
}

// byComments finds the documents that share comments. Comments next to an alignment with the same document are left out.
func (se *Search) byComments(rs []sharedcomments.Run, ps []evidence.Proof, done []match.Interval) (leads, error) {
	l := se.newLeads()
	for _, r := range rs {
		at := min(r.Behind, len(se.text.Tokens)-1)
		if match.Contains(done, at) || slices.ContainsFunc(ps, func(p evidence.Proof) bool {
			return p.Doc.Key == r.Doc.Key && int(p.From) <= at+evidence.Margin && at <= int(p.To)+evidence.Margin
		}) {
			continue
		}
		s := match.Seed{Target: uint32(at), Origin: uint32(min(r.OriginBehind, r.Doc.Stream.Len()-1))}
		if err := l.add(r.Doc.Key, s, se.text.NamesAround(at)); err != nil {
			return l, err
		}
	}
	return l, nil
}
