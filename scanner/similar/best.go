package similar

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/sketch"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// provedUpTo is the largest collection of which every pair is proved.
const provedUpTo = 1000

// likely is, by round, the part of a group's share that Candidate.Likely must reach for a
// pair to be tried as a link. Each round tries the best pair between any two groups. In
// 24,000 files of six languages one pair in 17 to 20 below it is a link, and most of these
// files are linked by other pairs.
var likely = [...]float64{0.15, 0.4, 0.4}

// bounded reports whether pairs are ranked before they are proved. Submissions are few, and some options need all pairs.
func (g *gather) bounded() bool {
	o := g.o
	return g.large() && o.Pairs > 0 && !o.Two && o.Common == 0 && o.Filter.Sort != BySimilarity
}

// large reports whether many units of one file each are compared with each other.
func (g *gather) large() bool { return g.single && !g.o.Query && len(g.units) > provedUpTo }

// arranged is the part of a group's share that the runs through seeds must reach for a link to be examined further: shorter
// runs beside them rarely add the rest.
const arranged = 0.7

// best proves the pairs that have most fingerprints in common, and those that link groups.
func (g *gather) best(ctx context.Context, q collection.Query) error {
	b := &best{g: g, q: q, rest: make([]uint32, len(g.set.Docs)), linked: sketch.NewDisjointSets(len(g.set.Docs)), noted: make(map[collection.ID][]finding.Entry)}
	list := &shortlist{docs: g.set.Docs, n: g.o.Pairs, group: g.o.Filter.Group, slack: slack, by: func(c collection.Candidate) float32 { return c.Tokens }}
	if g.o.Filter.Sort == ByShare {
		list.by = func(c collection.Candidate) float32 {
			return float32(lessIfBrief(float64(c.Likely), float64(c.Tokens)))
		}
	}
	if err := g.set.Rank(ctx, q, func(r collection.Ranked) error {
		b.take(r)
		list.add(r.Pairs)
		return nil
	}); err != nil {
		return err
	}
	var first []collection.Candidate
	first, b.links = list.settled()
	for _, least := range likely {
		links := b.linking(float32(least * g.o.Filter.Group))
		if len(first)+len(links) == 0 {
			break
		}
		if err := b.prove(ctx, first, links); err != nil {
			return err
		}
		first = nil
	}
	for d, n := range b.rest {
		if n > 0 {
			g.note(collection.ID(d), finding.Entry{Reason: finding.ReasonOutranked, Detail: finding.Count(int(n), "pair") + " of the file with files behind it: others have more fingerprints in common"})
		}
	}
	return nil
}

// best finds the best pairs.
type best struct {
	g      *gather
	q      collection.Query
	links  []collection.Candidate // those that may link a group, best first
	linked sketch.DisjointSets    // contents of one group
	rest   []uint32               // of a content: its pairs that are not listed
	noted  map[collection.ID][]finding.Entry
}

func (b *best) take(r collection.Ranked) {
	b.g.note(r.ID, r.Ledger...)
	b.g.equal(r.ID)
	b.rest[r.ID] = uint32(len(r.Pairs))
}

// linking takes out the links to be tried next: for any two groups the best one. It assumes that this one will be proved.
func (b *best) linking(least float32) (picked []collection.Candidate) {
	linked := slices.Clone(b.linked)
	b.links = slices.DeleteFunc(b.links, func(c collection.Candidate) bool {
		if c.Likely < least {
			return true
		}
		if same(linked, c) {
			return same(b.linked, c)
		}
		linked.Join(int(c.Target), int(c.Origin))
		picked = append(picked, c)
		return true
	})
	return picked
}

// round is the candidates of a round, by target and origin.
type round []collection.Candidate

func (r round) sort() {
	slices.SortFunc(r, func(a, b collection.Candidate) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Origin, b.Origin))
	})
}

// of returns the candidates of a target.
func (r round) of(target collection.ID) round {
	from, _ := slices.BinarySearchFunc(r, target, func(c collection.Candidate, id collection.ID) int { return cmp.Compare(c.Target, id) })
	n := 0
	for from+n < len(r) && r[from+n].Target == target {
		n++
	}
	return r[from : from+n]
}

// has reports whether two contents are a candidate.
func (r round) has(target, origin collection.ID) bool {
	of := r.of(target)
	_, ok := slices.BinarySearchFunc(of, origin, func(c collection.Candidate, id collection.ID) int { return cmp.Compare(c.Origin, id) })
	return ok
}

// among limits a query to the candidates of a sorted round.
func (r round) among(q collection.Query) collection.Query {
	q.Docs = nil
	for _, c := range r {
		if n := len(q.Docs); n == 0 || q.Docs[n-1] != c.Target {
			q.Docs = append(q.Docs, c.Target)
		}
	}
	q.Only = func(id collection.ID) (only []collection.ID) {
		for _, c := range r.of(id) {
			only = append(only, c.Origin)
		}
		return only
	}
	return q
}

// prove compares the first pairs and the links. It keeps a link only if it joins two groups.
func (b *best) prove(ctx context.Context, first, links round) error {
	for _, c := range first {
		b.rest[c.Target]--
	}
	all := slices.Concat(first, links)
	all.sort()
	links.sort()
	q, group := all.among(b.q), b.g.o.Filter.Group
	docs := b.g.set.Docs
	q.Runs = func(id, other collection.ID, tokens int) bool {
		return !links.has(id, other) || share(tokens, min(docs[id].Own, docs[other].Own)) >= arranged*group
	}
	q.Keep = func(id collection.ID, p *collection.Pair) bool {
		return b.q.Keep(id, p) && (!links.has(id, p.ID) || b.g.shares(id, p) >= group)
	}
	return b.g.set.Compare(ctx, q, func(c collection.Compared) error {
		for _, e := range c.Ledger { // a content may be compared in several rounds
			if !slices.Contains(b.noted[c.ID], e) {
				b.noted[c.ID] = append(b.noted[c.ID], e)
				b.g.note(c.ID, e)
			}
		}
		for _, p := range c.Pairs {
			if b.g.shares(c.ID, &p) >= group {
				b.linked.Join(int(c.ID), int(p.ID))
			}
			if links.has(c.ID, p.ID) {
				b.rest[c.ID]--
			}
		}
		return b.g.proved(c)
	})
}

// same reports whether the contents of a candidate are in one group already.
func same(linked sketch.DisjointSets, c collection.Candidate) bool {
	return linked.Find(int(c.Target)) == linked.Find(int(c.Origin))
}

// bare reports whether matches are judged only for the pairs that are shown. In a large collection these are few, and judging takes
// a quarter of the CPU.
func (g *gather) bare() bool {
	return g.large() && g.o.Listed > 0 && g.o.Filter.Sort != ByBits
}

// judge compares the files of pairs again, and adds bits and matches. Each unit is one file.
func (g *gather) judge(ctx context.Context, pairs []UnitPair) error {
	shown := make(map[[2]collection.ID][]*UnitPair) // equal files are in several pairs
	var all round
	for i := range pairs {
		p := &pairs[i]
		if p.Equal || len(p.Files) == 0 {
			continue
		}
		a, b := p.Files[0].docA, p.Files[0].docB
		key := [2]collection.ID{min(a, b), max(a, b)}
		if shown[key] == nil {
			all = append(all, collection.Candidate{Target: key[0], Origin: key[1]})
		}
		shown[key] = append(shown[key], p)
	}
	all.sort()
	return g.set.Compare(ctx, all.among(collection.Query{Want: g.inDifferentUnits}), func(c collection.Compared) error {
		for _, found := range c.Pairs {
			var judged Pair
			if err := g.weigh(&judged, found.Matches); err != nil {
				return err
			}
			for _, p := range shown[[2]collection.ID{c.ID, found.ID}] {
				f := &p.Files[0]
				f.Bits, f.kept, p.Bits = judged.Bits, judged.kept, judged.Bits
				f.kept.swapped = f.docA != c.ID
			}
		}
		return nil
	})
}
