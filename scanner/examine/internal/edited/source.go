package edited

import (
	"cmp"
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/algorithms/derived"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// The rest of the target is compared with a document that is known to be the source of another part. This needs no fingerprint.
// Fewer bits are enough, since only one document is compared.

// Limits of that comparison.
const (
	mostSources = 4       // documents with which the rest of one text is compared
	mostTokens  = 1 << 16 // of either side
	rareName    = 3       // bits of a name that votes for a place
	rareThere   = 4       // most positions of such a name in the document
	ballot      = 96      // tokens of the target that vote for one place together
	leastVotes  = 16      // bits of the names that agree on a place, at least
	restGain    = 60      // least gain of a short alignment there for a full one
	mostBallots = 64      // places that are tried with one document
)

// source is a document that part of the target comes from, with the bits that show it.
type source struct {
	doc  *library.Document
	bits float64
}

// proven lists the documents that part of the target comes from: first origins of a finding, and documents whose alignments have
// enough bits together. Every alignment but the best pays for the number of places where it could be.
func (ps *pass) proven(cs []region.Candidate, judged []score.Evidence) []*library.Document {
	needed := ps.Asked()
	var all []source
	add := func(d *library.Document, bits float64) {
		at := slices.IndexFunc(all, func(s source) bool { return s.doc.Key == d.Key })
		if at < 0 {
			at = len(all)
			all = append(all, source{doc: d})
		}
		all[at].bits += bits
	}
	for _, c := range cs {
		if c.Evidence.Bits >= needed {
			add(c.Best.Doc, c.Evidence.Bits)
		}
	}
	best := make(map[lookup.Key]int)
	for i, p := range ps.proofs {
		if at, ok := best[p.Doc.Key]; !ok || judged[i].Bits > judged[at].Bits {
			best[p.Doc.Key] = i
		}
	}
	for i, p := range ps.proofs {
		if best[p.Doc.Key] == i {
			add(p.Doc, judged[i].Bits)
		} else if match.Shared(p.Runs, ps.proofs[best[p.Doc.Key]].Runs) > 0 {
			continue
		} else if more := judged[i].Bits - ps.Weights.NeededForOne(uint64(p.Doc.Stream.Len()), len(ps.Tokens)); more > 0 {
			add(p.Doc, more)
		}
	}
	all = slices.DeleteFunc(all, func(s source) bool { return s.bits < needed })
	whole := len(all)
	all = slices.DeleteFunc(all, func(s source) bool { return s.doc.Stream.Len() > mostTokens })
	ps.omitted.rest = len(all) < whole || len(all) > 0 && len(ps.Tokens) > mostTokens
	slices.SortFunc(all, func(a, b source) int {
		return cmp.Or(cmp.Compare(b.bits, a.bits), a.doc.Key.Compare(b.doc.Key))
	})
	var out []*library.Document
	for _, s := range all[:min(len(all), mostSources)] {
		out = append(out, s.doc)
	}
	return out
}

// alignRest adds alignments of the rest of the target with a source, at the places where most rare names agree.
func (ps *pass) alignRest(ctx context.Context, d *library.Document, done []match.Interval) error {
	if len(ps.Tokens) > mostTokens {
		return nil
	}
	if _, err := d.Read(); err != nil {
		return err
	}
	seen := spansWith(ps.proofs, d)
	places := ps.places(d)
	tried := 0
	for from := 0; from < len(ps.Tokens) && tried < mostBallots; from += ballot {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, ok := ps.elect(places, from, min(from+ballot, len(ps.Tokens)), append(seen, done...))
		if !ok {
			continue
		}
		tried++
		p, ok, err := ps.align(d, s, restGain)
		if err != nil {
			return err
		}
		if ok && p.Tokens() >= ps.Least {
			seen = append(seen, p.Span())
		}
	}
	return nil
}

// spansWith lists the target tokens of the alignments with a document. It compares keys, not pointers: the library may drop a
// document and load it again, depending on what other workers read.
func spansWith(ps []evidence.Proof, d *library.Document) (out []match.Interval) {
	for _, p := range ps {
		if p.Doc.Key == d.Key {
			out = append(out, p.Span())
		}
	}
	return out
}

// places lists the positions of each name in a document. A name with more than rareThere positions has one position too many in
// its list.
func (se *Search) places(d *library.Document) map[uint32][]uint32 {
	out := make(map[uint32][]uint32)
	for i := range uint32(d.Stream.Len()) {
		t := d.Stream.At(i)
		if !store.HasName(t) {
			continue
		}
		hash := max(1, hashOf(t, d.Text()))
		if at := out[hash]; len(at) <= rareThere {
			out[hash] = append(at, i)
		}
	}
	return out
}

// elect finds the place in the document on which most names of a stretch of the target agree. Tokens in taken do not vote.
func (se *Search) elect(places map[uint32][]uint32, from, to int, taken []match.Interval) (match.Seed, bool) {
	best, bits := derived.Elect(se.votes(match.Interval{From: from, To: to}, func(i int, hash uint32) []uint32 {
		if at := places[hash]; len(at) <= rareThere && !match.Within(taken, i) {
			return at
		}
		return nil
	}))
	return best, bits >= leastVotes
}

// votes lists the positions that the rare names of a stretch of the target have in a document. at returns the positions of the
// name at a token.
func (se *Search) votes(v match.Interval, at func(token int, hash uint32) []uint32) (votes []derived.Vote) {
	for i := v.From; i < v.To; i++ {
		hash, bits := se.Costs().Name(i)
		if hash == 0 || bits < rareName {
			continue
		}
		for _, o := range at(i, hash) {
			votes = append(votes, derived.Vote{Seed: match.Seed{Target: uint32(i), Origin: o}, Name: hash, Bits: bits})
		}
	}
	return votes
}
