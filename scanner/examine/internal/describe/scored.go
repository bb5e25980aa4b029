package describe

import (
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/origins"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// scored makes a finding of region s, with its score; all are the regions of the text.
func (d *Describer) scored(ctx context.Context, s origins.Divided, all []origins.Divided, strong region.Supports) (f Found, err error) {
	c := s.Candidate
	if f, err = d.drafter.finding(s); err != nil {
		return Found{}, err
	}
	if d.drafter.settings.Dates {
		f.Signature = signatureOf(&d.text.Stream, c.Best.Doc, c.Best.Runs)
	}
	needed, support := d.text.NeededBy(c.Evidence, score.Enough), d.regions.Support(strong, c)
	if c.Within != nil { // compared with one document; support has already led to that document
		needed, support = d.text.NeededIn(c.Within, score.Enough), 0
	}
	above := d.text.Rules.Weights.Supported(c.Evidence.Bits, support) - needed
	f.above, f.unsupported.above = above, c.Evidence.Bits-needed
	f.unsupported.score = d.text.Score(d.text.Traits(c.Evidence, f.unsupported.above, 0, f.Tokens))
	traits := d.text.Traits(c.Evidence, above, support, f.Tokens)
	f.Score, f.Support = d.text.Score(traits), finding.Round(support)
	if d.text.IsTableInCode(c.Best.Runs) {
		f.Score = score.OfTable(f.Score)
	}
	f.ScoredBy = finding.Traits{Above: finding.Round(traits.Above), Order: finding.Round(traits.Order), Unchanged: finding.Round(traits.Unchanged), Supported: traits.Supported}
	if err := d.drafter.attribute(ctx, s, &f); err != nil || d.drafter.unwanted(f.Score) {
		return f, err
	}
	if derived := derivedFrom(c.Best.Doc, all); derived || f.CloneType == 3 {
		f.Functions = d.drafter.pairs(c.Best.Doc, c.Best.Runs)
		if !derived && len(f.Functions) < 2 {
			f.Functions = nil // source and amount already say which one it is
		}
	}
	f.Reasons = d.drafter.reasons(&f.Finding, c, traits)
	if d.drafter.settings.Weighed != nil {
		err = d.weighed(f.Finding, c)
	}
	return f, err
}

// derivedFrom reports whether a region of the text is derived from a document.
func derivedFrom(d *documents.Document, all []origins.Divided) bool {
	return slices.ContainsFunc(all, func(o origins.Divided) bool {
		b := &o.Candidate
		return b.Best.Doc.Key == d.Key && (b.Evidence.Derived || b.Derived)
	})
}

// weighed reports a finding and its readings to Settings.Weighed.
func (d *Describer) weighed(f finding.Finding, c region.Candidate) error {
	best := c.FoundBy()
	r, err := d.judge.Readings(best.Proof)
	if err != nil {
		return err
	}
	for i := range r.Runs {
		r.Runs[i].Tokens = slices.Clone(r.Runs[i].Tokens)
	}
	r.Directories = d.text.Hits.Directories(best.Match)
	from, to := best.Match.Origin()
	x := Weighed{Finding: f, Readings: r, Evidence: best.Evidence, Joined: c.Joined, Document: best.Doc.Hash.String(),
		From: int(from), To: int(to), Tokens: len(d.text.Tokens), Baseline: d.text.Rules.BaselineTokens}
	if c.Within != nil {
		x.Within, x.Baseline = true, uint64(c.Within.Len())
	} else {
		x.Discount = d.text.Discount(best.Evidence)
	}
	d.drafter.settings.Weighed(x)
	return nil
}

// reasons explains in words why a finding has its score.
func (t *drafter) reasons(f *finding.Finding, c region.Candidate, by score.Traits) []string {
	ev := c.Evidence
	ev.Bits = f.Bits // rounded, as it is reported
	a := score.Account{
		Evidence: ev, Support: f.Support, MinScore: t.text.Rules.MinScore, Score: f.Score, ScoredBy: by, Tokens: f.Tokens, Runs: len(f.Runs), File: len(t.text.Tokens),
		Baseline: t.text.Rules.BaselineTokens, Packages: f.PackageCount, Plain: t.text.Plain(), Table: t.text.IsTableInCode(c.Best.Runs),
	}
	switch {
	case c.Within != nil:
		a.Within = c.Within.Len()
	default:
		a.Less = t.text.Discount(ev)
	}
	if c.Completed != nil {
		core := c.FoundBy()
		a.Tokens, a.Runs, a.Rest = core.Tokens(), len(core.Runs), f.Tokens-core.Tokens()
	}
	return t.text.Rules.Weights.Reasons(a)
}
