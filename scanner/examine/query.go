package examine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/contract"
	"github.com/git-provenance/git-provenance/scanner/derived"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/filter"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/helpers"
	"github.com/git-provenance/git-provenance/scanner/imports"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// query is a text on its way from look-up to findings: lookup, prove, candidates, findings. It also holds what is read off
// the target once, and room that lives on for the next text.
type query struct {
	w *Worker
	e *Examiner
	Stream

	// made by steps
	hits    *lookup.Hits   // by lookup
	filter  *filter.Filter // by prove, of the hits
	written map[int]bool   // by withoutHelpers: helpers that were taken out of matches, by their number
	crowd   crowd          // by derive: what it left out

	// of the target, each read at the first need
	helpers   func() []helpers.Stretch
	imports   func() []imports.Import
	contracts func() []contract.Stretch
	generated func() bool // whether the target says that a program wrote it

	// room for single steps
	prints     []fingerprint.Fingerprint // lookupTables, lookupComments
	weight     score.Costs               // costsOf
	bounds     []score.Bound             // addPossible
	pairs      []fingerprint.Fingerprint // byPairs: of rare names
	pairHashes []uint64
	around     []around            // namesAround
	tried      []match.Interval    // alignAll: stretches that were aligned
	symbols    [2][]derived.Symbol // align: of the target and of the origin
	aligner    derived.Aligner
	origin     listed // bodiesOf: the document asked for last, with its functions
	originKey  lookup.Key
}

// ask begins a query of a text.
func (w *Worker) ask(st Stream) *query {
	q := &w.query
	q.w, q.e, q.Stream, q.origin = w, w.e, st, listed{}
	q.written, q.crowd = make(map[int]bool), crowd{}
	q.imports = sync.OnceValue(func() []imports.Import { return imports.In(q.Language, q.Text, q.Tokens) })
	q.bodies = sync.OnceValue(q.Stream.functions)
	q.generated = sync.OnceValue(func() bool { return lang.SaysGenerated(q.Text) })
	q.helpers = sync.OnceValue(func() []helpers.Stretch { return helpers.Find(q.Text, q.Tokens) })
	q.contracts = sync.OnceValue(func() []contract.Stretch { return contract.Find(q.Language, q.Text, q.Tokens) })
	return q
}

// lookup collects the hits of the text, by document, and takes base code out of it.
func (q *query) lookup(ctx context.Context) (notes []finding.Entry, err error) {
	left, err := q.hits.Find(ctx, q.Language, q.Tokens)
	if err != nil {
		return nil, err
	}
	if left.Masked != nil {
		n := match.Count(left.Masked)
		q.masked, q.own = left.Masked, len(q.Tokens)-n
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonBaseCode, Detail: fmt.Sprintf("%d of %d tokens are base code", n, len(q.Tokens))})
	}
	if left.Capped.N > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonCommon, Detail: fmt.Sprintf("%d of %d fingerprints occur in the baseline more often than the %d positions that the index stores; the first at line %d",
			left.Capped.N, left.Fingerprints, baseline.MaxPostings, q.lineOf(left.Capped))})
	}
	if left.Repeated.N > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonRepetitive, Detail: fmt.Sprintf("%d fingerprints occur more than %d times in the file; the first at line %d",
			left.Repeated.N, lookup.MaxRepeats, q.lineOf(left.Repeated))})
	}
	return notes, nil
}

// lineOf is the line of the lowest token that was counted.
func (q *query) lineOf(t lookup.Tally) int { return q.Lines.Line(q.Tokens[t.First].Start) }

// costsOf prepares the costs of the stream just looked up, at the first need.
func (q *query) costsOf() *score.Costs {
	if q.costs != nil {
		return q.costs
	}
	c := q.e.common(q.Language.Family)
	var frequent []score.Range
	q.hits.Frequent(func(pos, units int) {
		frequent = append(frequent, score.Range{From: pos, To: pos + q.e.params.K, Bits: c.Run(units)})
	})
	q.weight.Reset(q.e.weights, q.side(), c, frequent, store.HasName)
	q.costs = &q.weight
	return q.costs
}

// bitsFor are the bits from which on a match has a score, if it is looked for among so many known tokens: those of all
// baselines, or of the one document that something else has led to.
func (q *query) bitsFor(score float64, among uint64) float64 {
	return q.e.weights.Needed(score, among, len(q.Tokens))
}

// neededByDefault are the bits that the default threshold takes. What decides by them is the same at every threshold, so
// that a threshold only cuts.
func (q *query) neededByDefault() float64 { return q.bitsFor(DefaultMinScore, q.e.tokens) }

// quiet are the families of languages in which alignments with nothing in common stop well short of what a match needs. In
// Ruby, Swift, C# and others two that extend one framework come as close as a copy does.
var quiet = []string{"c", "go", "java", "js", "kotlin", "php", "python", "rust"}

// needs are the bits that evidence needs where a match needs so many.
func (q *query) needs(e score.Evidence, match float64) float64 {
	if slices.Contains(quiet, q.Language.Family) {
		return q.e.derived.Needed(e, match)
	}
	return match
}

// proof is a verified match with one document.
type proof struct {
	doc *library.Document
	match.Match
	from, to uint32  // target tokens
	most     float64 // its upper bound, in bits
	derived  bool    // it is an alignment of edited code
}

// bringNames fetches the names of documents whose hits are to be filtered.
func (q *query) bringNames(proposals []lookup.Proposal) error {
	var ask []lookup.Key
	for _, p := range proposals {
		if q.e.library.Remote(p.Key.Base) && q.filter.LongEnough(p.Seeds) {
			ask = append(ask, p.Key)
		}
	}
	return q.e.library.Bring(ask)
}

// prove verifies, document by document, the hits that can amount to a finding.
// The others are below the threshold whatever their documents look like.
func (q *query) prove(ctx context.Context) ([]proof, []finding.Entry, error) {
	var out []proof
	var weak, covered lookup.Tally
	cut := 0
	needed := q.e.needed(len(q.Tokens))
	proposals := q.hits.Proposals(q.e.rules().LeastSeeds())
	q.filter.Begin(filter.Text{Tokens: len(q.Tokens), Hits: q.hits, Needed: needed, Costs: q.costsOf})
	if err := q.bringNames(proposals); err != nil {
		return nil, nil, err
	}
	for _, p := range proposals {
		if err := ctx.Err(); err != nil { // a file can meet thousands of documents
			return nil, nil, err
		}
		answer, first, err := q.filter.Ask(p)
		if err != nil {
			return nil, nil, err
		}
		switch answer {
		case filter.TooWeak:
			weak.Add(first)
		case filter.Covered:
			covered.Add(first)
		}
		if answer != filter.Possible {
			continue
		}
		d, err := q.e.library.Load(p.Key)
		if err != nil {
			return nil, nil, err
		}
		before := len(out)
		whole := false
		if out, whole, err = q.verify(out, d, p.Seeds, needed, &weak); err != nil {
			return nil, nil, err
		}
		if !whole {
			cut++
		}
		if out, err = q.withoutHelpers(out, before); err != nil {
			return nil, nil, err
		}
		if err := q.noteCovering(out[before:]); err != nil {
			return nil, nil, err
		}
	}
	return out, q.unproved(cut, weak, covered), nil
}

// verify appends the matches with a document that can still come to a finding. It
// is not whole when the comparison was cut short. Where it takes names and layout
// to tell whose the tokens are, the text is read if there is a finding in it.
func (q *query) verify(out []proof, d *library.Document, seeds []match.Seed, needed float64, weak *lookup.Tally) (ps []proof, whole bool, err error) {
	side := d.Side()
	runs, whole := match.Runs(q.side(), side, seeds, q.e.match)
	before, without := len(out), *weak
	contested := match.Contested(runs)
	out, err = q.addPossible(out, d, match.Arrange(q.side(), side, runs, q.e.match), needed, weak)
	if err != nil || !contested || len(out) == before {
		return out, whole, err
	}
	*weak = without
	if side.Text, err = d.Read(); err != nil {
		return nil, false, err
	}
	out, err = q.addPossible(out[:before], d, match.Arrange(q.side(), side, runs, q.e.match), needed, weak)
	return out, whole, err
}

// unproved lists what of the hits came to no proof.
func (q *query) unproved(cut int, weak, covered lookup.Tally) []finding.Entry {
	var notes []finding.Entry
	if cut > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonRepetitive, Detail: "the comparison with " + finding.Count(cut, "document") + " was cut short: too many equal token sequences"})
	}
	if weak.N > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonBelowThreshold, Detail: fmt.Sprintf("hits in %s with too little information for a finding; the first at line %d", finding.Count(weak.N, "document"), q.lineOf(weak))})
	}
	if covered.N > 0 {
		notes = append(notes, finding.Entry{Path: q.Path, Reason: finding.ReasonWithin, Detail: fmt.Sprintf("hits in %s that are a small part of a verified match and were not followed; the first at line %d", finding.Count(covered.N, "document"), q.lineOf(covered))})
	}
	return notes
}

// noteCovering tells the filter of the matches with documents of others: smaller ones are part of their regions.
func (q *query) noteCovering(ps []proof) error {
	for _, p := range ps {
		occs, err := p.doc.Occurrences()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(occs, func(o baseline.Occurrence) bool { return q.e.target.Self.Says(o.PURL) == "" }) {
			q.filter.Cover(p.Match)
		}
	}
	return nil
}

// addPossible appends the matches with a document that can still come to a finding,
// now that their runs are known. The others need not be judged on their texts.
func (q *query) addPossible(out []proof, d *library.Document, ms []match.Match, needed float64, weak *lookup.Tally) ([]proof, error) {
	names, err := d.Names()
	if err != nil {
		return out, err
	}
	long, most, best := ms[:0], []float64(nil), 0.0
	for _, m := range ms {
		if q.masked != nil {
			m = basecode.Unmasked(m, q.masked, q.e.match.MinFit)
		}
		if m.Tokens() < q.e.least {
			continue
		}
		q.bounds = q.bounds[:0]
		for _, r := range m.Runs {
			q.bounds = append(q.bounds, q.costsOf().UpperBound(int(r.Target), int(r.Target+r.Len), names.Has))
		}
		bits := q.e.weights.BoundOfRuns(q.bounds)
		long, most, best = append(long, m), append(most, bits), max(best, bits)
	}
	for i, m := range long {
		from, to := m.Target()
		if best < needed || most[i] < q.e.weights.LeastToSupport(needed) {
			weak.Add(from)
			continue
		}
		out = append(out, proof{doc: d, Match: m, from: from, to: to, most: most[i]})
	}
	return out, nil
}
