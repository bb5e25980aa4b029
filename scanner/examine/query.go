package examine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/edited"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/origins"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/prove"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/remarks"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/helpers"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// query runs the steps from look-up to findings for one text. Each step has a package, and keeps only buffers for the next text.
type query struct {
	teller
	prove   *prove.Prover
	regions *region.Gatherer
	remarks *remarks.Reader
	edited  *edited.Search
	origins origins.Splitter
}

// newQuery sets up the steps for the texts of a worker.
func newQuery(w *Worker) query {
	r := &w.e.rules
	t := &text.Target{Rules: r, Hits: lookup.New(lookup.Index{Bases: r.Bases, Keys: r.Keys, Params: r.Params, BaseCode: r.BaseCode})}
	p, g := prove.New(t), &region.Gatherer{Judge: &evidence.Judge{Target: t}}
	return query{teller: teller{Target: t, e: w.e, w: w}, prove: p, regions: g, remarks: &remarks.Reader{Target: t}, edited: edited.New(g, p), origins: origins.Splitter{Gatherer: g}}
}

// lookup collects the hits of the text by document. It masks base code.
func (q *query) lookup(ctx context.Context) (notes []finding.Entry, err error) {
	left, err := q.Hits.Find(ctx, q.Language, q.Tokens)
	if err != nil {
		return nil, err
	}
	if left.Masked != nil {
		n := match.Count(left.Masked)
		q.Masked, q.Unmasked = left.Masked, len(q.Tokens)-n
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonBaseCode, Detail: fmt.Sprintf("%d of %d tokens are base code", n, len(q.Tokens))})
	}
	if left.Capped.N > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonCommon, Detail: fmt.Sprintf("%d of %d fingerprints occur in the baseline more often than the %d positions that the index stores; the first at line %d",
			left.Capped.N, left.Fingerprints, baseline.MaxPostings, q.Line(left.Capped.First))})
	}
	if left.Repeated.N > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonRepetitive, Detail: fmt.Sprintf("%d fingerprints occur more than %d times in the file; the first at line %d",
			left.Repeated.N, lookup.MaxRepeats, q.Line(left.Repeated.First))})
	}
	return notes, nil
}

// findings turns the proofs of a stream, and the comments that it shares, into findings above the thresholds.
func (q *query) findings(ctx context.Context, ps []evidence.Proof) ([]Found, []finding.Entry, error) {
	rs, only, notes, err := q.remarks.Find(ctx)
	if err != nil {
		return nil, nil, err
	}
	q.edited.Crowd = edited.Crowd{Remarks: only}
	out, cs, more, err := q.ofCode(ctx, ps, rs)
	if err != nil {
		return nil, nil, err
	}
	documented, err := q.documentation(ctx, rs, cs)
	return append(out, documented...), append(more, notes...), err
}

// ofCode turns the proofs of a stream into findings above the thresholds. It also returns their candidates.
func (q *query) ofCode(ctx context.Context, ps []evidence.Proof, rs []remarks.Remark) (out []Found, cs []region.Candidate, notes []finding.Entry, err error) {
	if len(ps) > 0 && q.Language == lang.Words() {
		maskFixed(&q.Stream)
	}
	own, weak := make(map[string]int), lookup.Tally{}
	cs, strong, err := q.candidates(ctx, ps, rs, own, &weak)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := q.edited.AddNamed(ctx, cs); err != nil {
		return nil, nil, nil, err
	}
	if err := q.regions.PreferNamed(cs); err != nil {
		return nil, nil, nil, err
	}
	splits, err := q.origins.Split(ctx, cs)
	if err != nil {
		return nil, nil, nil, err
	}
	whole := make([][]region.Occurrence, len(cs))
	for i := range splits {
		whole[i] = splits[i].Origins
	}
	if err := q.edited.Complete(ctx, cs, whole); err != nil {
		return nil, nil, nil, err
	}
	out = make([]Found, len(cs))
	for i, c := range cs {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		if err := ofModules(splits[i].Origins); err != nil {
			return nil, nil, nil, err
		}
		if out[i], err = q.scored(ctx, c, splits[i], cs, strong); err != nil {
			return nil, nil, nil, err
		}
	}
	q.continued(out)
	for i, c := range cs {
		if q.e.unwanted(out[i].Score) {
			weak.Add(c.Best.From)
		}
	}
	out = slices.DeleteFunc(out, func(f Found) bool { return q.e.unwanted(f.Score) })
	return out, cs, append(q.notes(own, weak), q.edited.Entries(q.Path)...), nil
}

// candidates gathers the proofs into regions that have enough information:
//
//	Regions          proofs → regions, each with its best origin
//	Supporting       bits that regions of one document add to each other; regions with too few bits are dropped
//	Fold             if two regions mostly overlap, one is kept
//	edited.Find      edited code beside the regions, and in documents without a proof
//	Join             regions of one file of a package that share lines become one
//	edited.GiveRoom  how far the rests of their functions may reach
//	minimum          --min-tokens, last, so that a larger minimum only shortens the list
func (q *query) candidates(ctx context.Context, ps []evidence.Proof, rs []remarks.Remark, own map[string]int, weak *lookup.Tally) (cs []region.Candidate, strong region.Supports, err error) {
	if cs, err = q.regions.Regions(ps, own); err != nil {
		return nil, nil, err
	}
	needed := q.Asked()
	strong = region.Supporting(cs, needed)
	certain := edited.CertainRuns(cs)
	cs = slices.DeleteFunc(cs, func(c region.Candidate) bool {
		below := q.regions.Total(strong, c.Judgement()) < needed // compared in bits, because the score is rounded
		if below {
			weak.Add(c.Best.From)
		}
		return below
	})
	if cs, err = q.edited.Find(ctx, q.regions.Fold(cs), certain, strong, rs); err != nil {
		return nil, nil, err
	}
	if cs, err = q.regions.Join(cs); err != nil {
		return nil, nil, err
	}
	q.edited.GiveRoom(cs)
	return slices.DeleteFunc(cs, func(c region.Candidate) bool {
		short := c.Best.Tokens() < q.MinTokens
		if short {
			weak.Add(c.Best.From)
		}
		return short
	}), strong, nil
}

// scored makes a finding of candidate c; all holds all candidates.
func (q *query) scored(ctx context.Context, c region.Candidate, split origins.Split, all []region.Candidate, strong region.Supports) (f Found, err error) {
	f, err = q.finding(c, split)
	if err != nil {
		return Found{}, err
	}
	needed, support := q.Needs(c.Evidence, q.ByDefault()), q.regions.Support(strong, c)
	if c.Within != nil { // compared with one document; support has already led to that document
		needed, support = q.NeededAmong(score.Enough, c.Within.Len()), 0
	}
	above := q.Weights.Supported(c.Evidence.Bits, support) - needed
	traits := c.Evidence.Traits(above, support > 0)
	f.Score, f.Support = q.Likely.Score(traits), finding.Round(support)
	f.ScoredBy = finding.Traits{Above: finding.Round(traits.Above), Order: finding.Round(traits.Order), Unchanged: finding.Round(traits.Unchanged), Supported: traits.Supported}
	if err := q.attribute(ctx, split, &f.Finding); err != nil || q.e.unwanted(f.Score) {
		return f, err
	}
	if slices.ContainsFunc(all, func(b region.Candidate) bool {
		return b.Best.Doc.Key == c.Best.Doc.Key && (b.Evidence.Aligned || b.Aligned)
	}) {
		f.Functions = q.pairs(c.Best.Doc, c.Best.Runs)
	}
	f.Reasons = q.reasons(&f.Finding, c, traits)
	if q.e.o.Weighed != nil {
		err = q.weighed(f.Finding, c)
	}
	return f, err
}

// weighed reports a finding and its readings to Options.Weighed.
func (q *query) weighed(f finding.Finding, c region.Candidate) error {
	best := c.Found()
	r, err := q.regions.Readings(best.Proof)
	if err != nil {
		return err
	}
	for i := range r.Runs {
		r.Runs[i].Tokens = slices.Clone(r.Runs[i].Tokens)
	}
	r.Directories = q.Hits.Directories(best.Match)
	from, to := best.Match.Origin()
	x := Weighed{Finding: f, Readings: r, Evidence: best.Evidence, Joined: c.Joined, Document: best.Doc.Hash.String(),
		From: int(from), To: int(to), Tokens: len(q.Tokens), Baseline: q.Known}
	if c.Within != nil {
		x.Within, x.Baseline = true, uint64(c.Within.Len())
	} else {
		x.Fewer = q.ByDefault() - q.Needs(best.Evidence, q.ByDefault())
	}
	q.e.o.Weighed(x)
	return nil
}

// notes lists matches that became no finding: those with the target's own packages, and those with too little information.
func (q *query) notes(own map[string]int, weak lookup.Tally) []finding.Entry {
	var notes []finding.Entry
	for _, name := range slices.Sorted(maps.Keys(own)) {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonOwnPackage, Detail: finding.Count(own[name], "origin") + " in " + name})
	}
	if weak.N > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonBelowThreshold, Detail: fmt.Sprintf("%s with too little information for a finding; the first at line %d", finding.Count(weak.N, "match"), q.Line(weak.First))})
	}
	return notes
}

// maskFixed removes licence texts and the frames of pages from the evidence. A grammar drops licence texts with the comments, but
// the word front-end does not know comments.
func maskFixed(st *text.Stream) {
	spans := license.Spans(st.Text)
	for _, f := range helpers.Frames(st.Text) {
		spans = append(spans, license.Span{From: f.From, To: f.To})
	}
	slices.SortStableFunc(spans, func(a, b license.Span) int { return cmp.Compare(a.From, b.From) })
	for i := range st.Tokens {
		t := &st.Tokens[i]
		for len(spans) > 0 && spans[0].To <= int(t.Start) {
			spans = spans[1:]
		}
		if len(spans) > 0 && spans[0].From <= int(t.Start) {
			t.Flags |= lang.FlagImport
		}
	}
}
