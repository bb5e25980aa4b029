package collection

import (
	"context"
	"sort"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/pool"
)

// Candidate is two documents that have fingerprints in common: what they share is not
// proved, and is estimated by the places of these.
type Candidate struct {
	Target, Origin ID
	Share          float32 // of the tokens of either, the larger
	Tokens         float32 // of either, the larger number
	Common         float32 // of the fingerprints of either that the other has, the larger share
}

// Ranked is a document with those behind it that it has fingerprints in common with.
type Ranked struct {
	ID     ID
	Pairs  []Candidate
	Ledger []finding.Entry // without paths
}

// Rank lists the pairs of a query, for each target in its turn, by fingerprints alone: so
// a large collection can be ranked before a pair is proved.
func (s *Set) Rank(ctx context.Context, q Query, take func(Ranked) error) error {
	p := pool.Pool[*ranker]{Workers: max(s.o.Workers, 1), New: func() *ranker {
		return &ranker{s: s, want: q.Want, widespread: Widespread(len(s.Docs)), number: make([]uint32, len(s.Docs))}
	}}
	return pool.List(ctx, p, q.Docs, func(_ context.Context, r *ranker, id ID) (Ranked, error) { return r.rank(id), nil },
		func(_ ID, r Ranked) error { return take(r) })
}

// ranker counts what documents have in common; its buffers live on.
type ranker struct {
	s          *Set
	want       func(target, origin ID) bool
	widespread int
	number     []uint32 // of a document: its place in met and 1
	met        []counts
	common     []asked
}

// counts are what a target and a candidate have in common.
type counts struct {
	id      ID
	end     uint32 // of the tokens of the target that are covered
	covered uint32
	places  uint32 // of fingerprints in the target
	found   uint32 // and in the candidate
}

func (*ranker) Close() {}

func (r *ranker) rank(id ID) Ranked {
	for _, m := range r.met {
		r.number[m.id] = 0
	}
	r.met, r.common = r.met[:0], r.common[:0]
	x := &r.s.index
	for _, a := range x.of(id) {
		if a.nth >= maxRepeats {
			continue
		}
		if int(x.holders[a.group]) > r.widespread {
			r.common = append(r.common, a)
			continue
		}
		for ps := x.places(a.group, id+1); len(ps) > 0; {
			n := ofOne(ps)
			r.meet(id, a, ps[:n])
			ps = ps[n:]
		}
	}
	for i := range r.met {
		r.met[i].end = 0
	}
	r.complete(id)
	return Ranked{id, r.candidates(id), r.s.known(id, len(r.common), r.widespread)}
}

// meet counts a fingerprint that a document has.
func (r *ranker) meet(id ID, a asked, ps []posting) {
	n := found(ps)
	if n == 0 {
		return
	}
	at := r.number[ps[0].doc]
	if at == 0 {
		if !r.want(id, ps[0].doc) {
			return
		}
		r.met = append(r.met, counts{id: ps[0].doc})
		at = uint32(len(r.met))
		r.number[ps[0].doc] = at
	}
	r.met[at-1].add(a, n, &r.s.o.Params)
}

// add counts a place of a fingerprint in the target that has n in the candidate.
func (m *counts) add(a asked, n uint32, p *fingerprint.Params) {
	from, to := a.at-min(a.at, uint32(p.W-1)), a.at+uint32(p.K+p.W-1)
	m.covered += to - max(from, min(m.end, to))
	m.end = max(m.end, to)
	if m.places++; a.nth == 0 {
		m.found += n
	}
}

// found counts the places that a document is found by.
func found(ps []posting) (n uint32) {
	for _, p := range ps {
		if p.at&selected != 0 {
			n++
		}
	}
	return n
}

// complete counts what those that were met have of widespread fingerprints.
func (r *ranker) complete(id ID) {
	x := &r.s.index
	for _, a := range r.common {
		ps := x.places(a.group, id+1)
		if len(ps) < 8*len(r.met) { // than to look each up
			for len(ps) > 0 {
				n := ofOne(ps)
				if r.number[ps[0].doc] != 0 {
					r.meet(id, a, ps[:n])
				}
				ps = ps[n:]
			}
			continue
		}
		for _, m := range r.met {
			at := sort.Search(len(ps), func(k int) bool { return ps[k].doc >= m.id })
			if at < len(ps) && ps[at].doc == m.id {
				r.meet(id, a, ps[at:at+ofOne(ps[at:])])
			}
		}
	}
}

func (r *ranker) candidates(id ID) []Candidate {
	out := make([]Candidate, 0, len(r.met))
	t := &r.s.Docs[id]
	for _, m := range r.met {
		o := &r.s.Docs[m.id]
		if min(t.Own, o.Tokens) < r.s.o.MinTokens {
			continue // no match has room
		}
		a, b := min(float32(m.covered), float32(t.Own)), min(m.inOrigin(&r.s.o.Params), float32(o.Own))
		out = append(out, Candidate{Target: id, Origin: m.id, Share: max(a/float32(max(t.Own, 1)), b/float32(max(o.Own, 1))), Tokens: max(a, b), Common: max(part(m.places, t.asks), part(m.found, o.found))})
	}
	return out
}

// inOrigin estimates the tokens of the candidate that are covered, of which only the number
// of places is known: as many as in the target, for each, or one run that has them all.
func (m *counts) inOrigin(p *fingerprint.Params) float32 {
	alike := float32(m.covered) * float32(m.found) / float32(m.places)
	one := float32(m.found-1)*float32(p.W+1)/2 + float32(p.K+2*(p.W-1))
	return max(alike, one)
}

func part(n, of uint32) float32 { return min(1, float32(n)/float32(max(1, of))) }
