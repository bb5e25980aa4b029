// Package prove verifies the proposals of the look-up on the tokens of both sides, document by document:
//
//	lookup.Hits   gives the proposals
//	filter        drops proposals that cannot become a finding, before their documents are loaded
//	match         finds the runs around the seeds, and aligns them
//	ProofsOf      drops matches that cannot become a finding, now that their runs are known
package prove

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/filter"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Prover proves matches of a text.
type Prover struct {
	text   *text.Examined
	filter *filter.Filter
	bounds []score.Bound // buffer of ProofsOf
	upper  []bound       // by match, buffer of ProofsOf
}

// Proved is the outcome of Prove.
type Proved struct {
	Proofs      []evidence.Proof
	Boilerplate []int           // numbers of its spans that were left out of matches
	Entries     []finding.Entry // hits that led to no proof
}

// bound is the upper bound of a match: see evidence.Proof.
type bound struct{ bits, uneven float64 }

// New returns a prover for the text that t currently holds.
func New(t *text.Examined) *Prover {
	return &Prover{text: t, filter: filter.New(filter.Rules{Params: t.Rules.Params, Match: t.Rules.Matching, Least: t.Rules.Least, Weights: t.Rules.Weights, Names: t.Rules.Documents.Names})}
}

// aroundChange is how many tokens beside a change are examined. Gaps are bridged up to this length.
const aroundChange = 64

// fetchNames fetches the names of documents whose hits are to be filtered.
func (pr *Prover) fetchNames(proposals []lookup.Proposal) error {
	var ask []lookup.Key
	for _, p := range proposals {
		if pr.text.Rules.Documents.Remote(p.Key.Baseline) && pr.filter.Changed(p.Seeds) && pr.filter.LongEnough(p.Seeds) {
			ask = append(ask, p.Key)
		}
	}
	return pr.text.Rules.Documents.FetchNames(ask)
}

// Prove verifies the hits that can become a finding, document by document. The other hits are below the threshold whatever their
// documents contain.
func (pr *Prover) Prove(ctx context.Context) (out Proved, err error) {
	proposals := pr.text.Hits.Proposals(pr.filter.LeastSeeds())
	pr.filter.Begin(filter.Text{Tokens: len(pr.text.Tokens), Hits: pr.text.Hits, Needed: pr.text.Needed(pr.text.Rules.MinScore), Costs: pr.text.Costs, Repeats: pr.text.Hits.Repeats(), Unchanged: pr.text.Unchanged(aroundChange)})
	if err := pr.fetchNames(proposals); err != nil {
		return out, err
	}
	var left unproved
	for _, p := range proposals {
		if err := ctx.Err(); err != nil { // a file can meet thousands of documents
			return out, err
		}
		decision, err := pr.filter.Ask(p)
		if err != nil {
			return out, err
		}
		switch decision.Answer {
		case filter.TooWeak:
			left.weak.Add(decision.First)
		case filter.Covered:
			left.covered.Add(decision.First)
		case filter.Possible:
			if err := pr.proveDocument(&out, &left, p.Key, decision.Seeds); err != nil {
				return out, err
			}
		}
	}
	out.Entries = left.entries(&pr.text.Stream)
	return out, nil
}

// proveDocument adds the matches with a document.
func (pr *Prover) proveDocument(out *Proved, left *unproved, key lookup.Key, seeds []match.Seed) error {
	d, err := pr.text.Rules.Documents.Load(key)
	if err != nil {
		return err
	}
	v, err := pr.verify(d, seeds)
	if err != nil {
		return err
	}
	if left.weak = left.weak.Plus(v.weak); v.cut {
		left.cut++
	}
	ps, removed, err := pr.WithoutBoilerplate(v.proofs)
	if err != nil {
		return err
	}
	out.Proofs, out.Boilerplate = append(out.Proofs, ps...), append(out.Boilerplate, removed...)
	return pr.noteCovering(ps)
}

// verified are the matches with one document.
type verified struct {
	proofs []evidence.Proof // those that can still become a finding
	weak   lookup.Tally     // the others
	cut    bool             // the comparison was cut short
}

// verify returns the matches with a document. If two runs overlap, names and layout decide which one gets the tokens. The
// document's text is read for this only if it has a match that is possible.
func (pr *Prover) verify(d *documents.Document, seeds []match.Seed) (v verified, err error) {
	side := d.Side()
	runs, whole := match.Runs(pr.text.Side(), side, seeds, pr.text.Rules.Matching)
	v.cut = !whole
	contested := match.Contested(runs)
	v.proofs, v.weak, err = pr.ProofsOf(d, match.Arrange(pr.text.Side(), side, runs, pr.text.Rules.Matching))
	if err != nil || !contested || len(v.proofs) == 0 {
		return v, err
	}
	if side.Text, err = d.Read(); err != nil {
		return v, err
	}
	v.proofs, v.weak, err = pr.ProofsOf(d, match.Arrange(pr.text.Side(), side, runs, pr.text.Rules.Matching))
	return v, err
}

// unproved counts the documents whose hits led to no proof.
type unproved struct {
	cut           int // comparisons that were cut short
	weak, covered lookup.Tally
}

// entries returns the ledger's entries.
func (u *unproved) entries(st *text.Stream) (out []finding.Entry) {
	if u.cut > 0 {
		out = append(out, finding.Entry{Path: st.Path, Reason: finding.ReasonRepetitive, Detail: "the comparison with " + finding.Count(u.cut, "document") + " was cut short: too many equal token sequences"})
	}
	if u.weak.N > 0 {
		out = append(out, finding.Entry{Path: st.Path, Reason: finding.ReasonBelowThreshold, Detail: fmt.Sprintf("hits in %s with too little information for a finding; the first at line %d", finding.Count(u.weak.N, "document"), st.Line(u.weak.First))})
	}
	if u.covered.N > 0 {
		out = append(out, finding.Entry{Path: st.Path, Reason: finding.ReasonWithin, Detail: fmt.Sprintf("hits in %s that are a small part of a verified match and were not followed; the first at line %d", finding.Count(u.covered.N, "document"), st.Line(u.covered.First))})
	}
	return out
}

// noteCovering reports the matches with other packages than the target's own to the filter. Smaller matches are part of their
// regions.
func (pr *Prover) noteCovering(ps []evidence.Proof) error {
	for _, p := range ps {
		occs, err := p.Doc.Occurrences()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(occs, func(o baseline.Occurrence) bool { return pr.text.Rules.Self.Declaration(o.PURL, o.Repository) == "" }) {
			pr.filter.Cover(p.Match)
		}
	}
	return nil
}

// ProofsOf returns the matches with a document that can still become a finding, now that their runs are known. It counts the
// others, and does not read the text.
func (pr *Prover) ProofsOf(d *documents.Document, ms []match.Match) (out []evidence.Proof, weak lookup.Tally, err error) {
	t := pr.text
	needed := t.Needed(t.Rules.MinScore)
	names, err := d.Names()
	if err != nil {
		return nil, weak, err
	}
	long, upper, best := ms[:0], pr.upper[:0], 0.0
	for _, m := range ms {
		if t.Masked != nil {
			m = basecode.Unmasked(m, t.Masked, t.Rules.Matching.MinFit)
		}
		if m.Tokens() < t.Rules.Least {
			continue
		}
		pr.bounds = pr.bounds[:0]
		for _, r := range m.Runs {
			pr.bounds = append(pr.bounds, t.Costs().UpperBound(int(r.Target), int(r.Target+r.Len), names.Has))
		}
		uneven := t.Costs().Uneven(m)
		bits := t.Rules.Weights.BoundOfRuns(pr.bounds, uneven)
		long, upper, best = append(long, m), append(upper, bound{bits, t.Rules.Weights.CostOfUneven(uneven)}), max(best, bits)
	}
	pr.upper = upper
	for i, m := range long {
		if best < needed || !t.Rules.Weights.Reaches(upper[i].bits, needed) {
			weak.Add(m.Runs[0].Target)
			continue
		}
		p := evidence.Of(d, m)
		p.Bound, p.Uneven = upper[i].bits, upper[i].uneven
		out = append(out, p)
	}
	return out, weak, nil
}
