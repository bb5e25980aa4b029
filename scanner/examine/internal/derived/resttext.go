package derived

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// The rest of the target is compared with a document that is known to be the origin of another part. This needs no fingerprint.
// Fewer bits are enough, since only one document is compared.

// Limits of that comparison.
const (
	mostKnownOrigins = 4       // documents with which the rest of one text is compared
	mostRestTokens   = 1 << 16 // of either side
	ballot           = 96      // tokens of the target that vote for one position together
	restGain         = 60      // least gain of a short alignment there for a full one
	mostBallots      = 64      // positions that are tried with one document
)

// knownOrigin is a document that part of the target comes from, with the bits that show it.
type knownOrigin struct {
	doc  *documents.Document
	bits float64
}

// knownOrigins lists the documents that part of the target comes from: first origins of a finding, and documents whose alignments
// have enough bits together. The best alignment with a document counts in full. Every other one counts without the bits that it
// needs by itself, because it could be at many positions.
func (ps *pass) knownOrigins(cs []region.Candidate, judged []score.Evidence) []*documents.Document {
	needed := ps.text.Needed(ps.text.Rules.MinScore)
	var all []knownOrigin
	add := func(d *documents.Document, bits float64) {
		at := slices.IndexFunc(all, func(s knownOrigin) bool { return s.doc.Key == d.Key })
		if at < 0 {
			at = len(all)
			all = append(all, knownOrigin{doc: d})
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
		} else if more := judged[i].Bits - ps.text.Rules.Weights.NeededForOne(uint64(p.Doc.Stream.Len()), len(ps.text.Tokens)); more > 0 {
			add(p.Doc, more)
		}
	}
	all = slices.DeleteFunc(all, func(s knownOrigin) bool { return s.bits < needed })
	whole := len(all)
	all = slices.DeleteFunc(all, func(s knownOrigin) bool { return s.doc.Stream.Len() > mostRestTokens })
	ps.omitted.rest = len(all) < whole || len(all) > 0 && len(ps.text.Tokens) > mostRestTokens
	slices.SortFunc(all, func(a, b knownOrigin) int {
		return cmp.Or(cmp.Compare(b.bits, a.bits), a.doc.Key.Compare(b.doc.Key))
	})
	var out []*documents.Document
	for _, s := range all[:min(len(all), mostKnownOrigins)] {
		out = append(out, s.doc)
	}
	return out
}

// alignRestOfText adds alignments of the rest of the target with the origin of another part, at the positions on which most rare
// names agree.
func (ps *pass) alignRestOfText(ctx context.Context, d *documents.Document, done []match.Interval) error {
	if len(ps.text.Tokens) > mostRestTokens {
		return nil
	}
	if _, err := d.Read(); err != nil {
		return err
	}
	seen := spansWith(ps.proofs, d)
	positions := sync.OnceValue(func() map[uint32][]uint32 { return ps.search.namePositions(d) }) // computed only if part of the target is not in done
	tried := 0
	for from := 0; from < len(ps.text.Tokens) && tried < mostBallots; from += ballot {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, ok := ps.search.elect(positions, from, min(from+ballot, len(ps.text.Tokens)), append(seen, done...))
		if !ok {
			continue
		}
		tried++
		p, ok, err := ps.addAround(d, s, restGain)
		if err != nil {
			return err
		}
		if ok && p.Tokens() >= ps.text.Rules.Least {
			seen = append(seen, p.Span())
		}
	}
	return nil
}

// spansWith lists the target tokens of the alignments with a document. It compares keys, not pointers: the library may drop a
// document and load it again, depending on what other workers read.
func spansWith(ps []evidence.Proof, d *documents.Document) (out []match.Interval) {
	for _, p := range ps {
		if p.Doc.Key == d.Key {
			out = append(out, p.Span())
		}
	}
	return out
}
