package derived

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Limits of candidates.
const (
	denseRun     = 40  // tokens of a certain run; no derived code is searched within it
	beyondDoubt  = 120 // bits of a match whose long runs are certain
	leastDerived = 40  // bits of an alignment that is a finding at any score
	leastOwn     = 34  // the same for an alignment of a function whose rare name both sides declare
	leastGrowth  = 1.2 // an alignment around a match needs this many times its tokens to replace it
)

// CertainRuns lists the long runs of candidates with at least beyondDoubt bits, whatever the threshold is.
func CertainRuns(cs []region.Candidate) (out []match.Interval) {
	for _, c := range cs {
		for _, r := range c.Best.Runs {
			if c.Evidence.Bits-c.Evidence.Comments >= beyondDoubt && r.Len >= denseRun { // comments do not show where code ends
				out = append(out, match.Interval{From: int(r.Target), To: int(r.TargetEnd())})
			}
		}
	}
	return match.Union(out)
}

// candidates makes candidates of alignments, the best first. origins are documents that part of the target comes from.
func (se *Search) candidates(ps []evidence.Proof, judged []score.Evidence, others region.Others, origins []*documents.Document) []region.Candidate {
	out := groupAlignments(ps, judged)
	for i := range out {
		out[i].Occurrences = out[i].Region.Ranked(others)
		se.chooseBest(&out[i], origins)
	}
	return out
}

// groupAlignments makes one candidate of the alignments around the same tokens, those with most bits first. It leaves out alignments
// with too few bits for any score.
func groupAlignments(ps []evidence.Proof, judged []score.Evidence) (out []region.Candidate) {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(judged[b].Bits, judged[a].Bits), ps[a].Compare(&ps[b]))
	})
	for _, i := range order {
		p, ev := ps[i], judged[i]
		if ev.Bits < leastDerived && (!ev.Named || ev.Bits < leastOwn) {
			continue
		}
		at := slices.IndexFunc(out, func(c region.Candidate) bool {
			return 2*match.Shared(c.Proofs[0].Runs, p.Runs) >= min(c.Proofs[0].Tokens(), p.Tokens())
		})
		if at < 0 {
			at = len(out)
			out = append(out, region.Candidate{Region: region.Region{From: p.From, To: p.To}, Judged: make(map[lookup.Key]score.Evidence)})
		}
		c := &out[at]
		if _, ok := c.Judged[p.Doc.Key]; !ok {
			c.Proofs, c.Judged[p.Doc.Key] = append(c.Proofs, p), ev
		}
	}
	return out
}

// chooseBest puts the occurrence with most bits first. If its bits are too few for a finding, it prefers an occurrence of one of
// origins that has enough for a comparison with one document.
func (se *Search) chooseBest(c *region.Candidate, origins []*documents.Document) {
	if c.PutBestFirst(func(lookup.Key) bool { return true }); c.Evidence.Bits >= se.text.NeededBy(c.Evidence, se.text.Rules.MinScore) {
		return
	}
	of := func(key lookup.Key) *documents.Document {
		at := slices.IndexFunc(origins, func(d *documents.Document) bool { return d.Key == key })
		if at < 0 || c.Judged[key].Bits < se.text.NeededIn(origins[at], se.text.Rules.MinScore) {
			return nil
		}
		return origins[at]
	}
	if c.PutBestFirst(func(key lookup.Key) bool { return of(key) != nil }) {
		c.Within = of(c.Best.Doc.Key)
	}
}

// merge adds alignments to the candidates. Where both cover the same tokens, relationOf decides which one stays.
func (se *Search) merge(cs, found []region.Candidate, strong region.Supports) []region.Candidate {
	for _, f := range found {
		keep, grown := true, -1 // grown is the candidate that became the alignment
		for i := range cs {
			c := &cs[i]
			switch se.relationOf(c, &f, strong) {
			case core:
				if keep = false; grown < 0 {
					grown = i
					f.Absorb(*c)
					*c = f
				} else {
					cs[grown].Absorb(*c)
					c.Proofs = nil
				}
			case stronger:
				keep = false
			case replaced:
				f.Occurrences = append(f.Occurrences, c.Occurrences...)
				c.Proofs = nil
			}
		}
		cs = slices.DeleteFunc(cs, func(c region.Candidate) bool { return c.Proofs == nil })
		if keep && (f.Evidence.Bits >= se.text.NeededBy(f.Evidence, se.text.Rules.MinScore) || f.Within != nil) {
			cs = append(cs, f)
		}
	}
	return cs
}

// relation says which of a candidate and an alignment stay.
type relation int

// Relations.
const (
	apart    relation = iota // both stay
	core                     // the candidate is part of an alignment with the same document, and becomes the whole alignment
	stronger                 // the candidate stays, the alignment is dropped
	replaced                 // the alignment stays, the candidate is dropped
)

// relationOf compares the candidate with the alignment f. The one with more bits stays, but a match with more than evidence.Margin
// tokens outside the alignment is never dropped. A candidate's support can keep the candidate, but cannot drop the alignment. So a
// higher threshold only shortens the list.
func (se *Search) relationOf(c, f *region.Candidate, strong region.Supports) relation {
	both := match.Shared(c.Best.Runs, f.Best.Runs)
	switch {
	case 2*both < min(c.Best.Tokens(), f.Best.Tokens()):
		return apart
	case isCore(c, f, both):
		return core
	case c.Evidence.Bits >= f.Evidence.Bits:
		return stronger
	case se.regions.Total(strong, c.Judgement()) <= f.Evidence.Bits && c.Best.Tokens()-both <= evidence.Margin:
		return replaced
	}
	return apart
}

// isCore reports whether a match is the core of an alignment with the same document, given the tokens that both have.
func isCore(m, whole *region.Candidate, both int) bool {
	return m.Best.Doc.Hash == whole.Best.Doc.Hash && 10*both >= 9*m.Best.Tokens() && float64(whole.Best.Tokens()) >= leastGrowth*float64(m.Best.Tokens())
}
