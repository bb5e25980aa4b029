// Package derived finds derived code: copies that people edited every few tokens, so that every run is too short to be a match. The
// tokens that agree along an alignment are the evidence. The files:
//
//	search.go        Find: the order of the steps up to candidates.go
//	leads.go         documents (leads) with rare fingerprints, pairs of rare names, or comments of the text
//	positions.go     the positions in a lead that are tried
//	grams.go         the position in a lead on which most short stretches of a function agree
//	votes.go         the position in a document on which most rare names agree
//	align.go         the alignment around one pair of positions: a short one, then a full one
//	cut.go           an alignment with too few bits → its part in one function, if that has enough
//	tables.go        documents with the same numbers in a table
//	resttext.go      the rest of the text, compared with documents that are origins of other regions
//	candidates.go    alignments → candidates, in addition to the known ones
//	named.go         AddNamed: files of the package that the path of an origin names
//	restfunction.go  Complete: the rest of a function, if a region has most of it
//	omitted.go       what the bounds of these steps left out, for the ledger
//
// docs/HOW-IT-WORKS.md describes the steps under "Derived code".
package derived

import (
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/pairs"
	"github.com/git-provenance/git-provenance/baseline/tables"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/alignment"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/prove"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/sharedcomments"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Search searches a text for derived code.
type Search struct {
	text    *text.Examined
	judge   *evidence.Judge
	regions *region.Gatherer
	prover  *prove.Prover
	pairer  pairs.Reader
	tables  tables.Reader

	// buffers of single steps
	prints     []fingerprint.Fingerprint // lookupTables
	pairs      []fingerprint.Fingerprint // byPairs: of rare names
	pairHashes []uint64
	symbols    [2][]alignment.Symbol // alignStretches: of the target and of the origin
	tokens     []lang.Token          // alignStretches: of the origin
	aligner    alignment.Aligner
}

// New returns a search of the text that t currently holds. It proves its matches with p.
func New(t *text.Examined, j *evidence.Judge, g *region.Gatherer, p *prove.Prover) *Search {
	return &Search{text: t, judge: j, regions: g, prover: p}
}

// Known is what the steps before the search have found.
type Known struct {
	Candidates  []region.Candidate
	Certain     []match.Interval // CertainRuns of all candidates, those with too few bits included: they are not searched
	Strong      region.Supports
	CommentRuns []sharedcomments.Run
}

// Result is the outcome of Find.
type Result struct {
	Candidates  []region.Candidate // those given, and derived code
	Aligned     bool               // an alignment in full was made: a change further away may complete a finding in the next version
	Boilerplate []int              // spans that were left out of alignments (prove.NoteBoilerplate)
	Omitted     Omitted
}

// pass is one search of a text, with the alignments that were made so far.
type pass struct {
	search      *Search
	text        *text.Examined
	proofs      []evidence.Proof
	full        bool             // an alignment in full was made
	boilerplate []int            // spans that were left out of alignments
	omitted     Omitted          // what was left out of the search
	tried       []match.Interval // of the leads of one kind: stretches that were aligned, or that have no alignment
}

// Find finds derived code. If a candidate of k is part of an alignment, the candidate is extended to the whole alignment. Tokens
// that an earlier version of the text had too are no seeds.
func (se *Search) Find(ctx context.Context, k Known) (Result, error) {
	if se.text.Language == lang.Words() {
		return Result{Candidates: k.Candidates}, nil
	}
	around := se.text.Rules.Params.K + probeReach
	if se.text.Earlier.Aligned {
		around = se.text.Rules.Params.K + alignReach
	}
	pass := pass{search: se, text: se.text}
	found, err := pass.alignments(ctx, k, match.Union(slices.Concat(k.Certain, se.text.Unchanged(around))))
	if err != nil {
		return Result{}, err
	}
	return Result{Candidates: se.merge(k.Candidates, found, k.Strong), Aligned: pass.full, Boilerplate: pass.boilerplate, Omitted: pass.omitted}, nil
}

// alignments aligns the text with leads, then with documents that share its tables, then the rest of the text with the origins of
// both. It makes candidates of the alignments. Tokens in done are no seeds.
func (ps *pass) alignments(ctx context.Context, k Known, done []match.Interval) ([]region.Candidate, error) {
	if err := ps.alignLeads(ctx, done, k.CommentRuns); err != nil {
		return nil, err
	}
	if err := ps.addTables(ctx, done); err != nil || len(ps.proofs)+len(k.Candidates) == 0 {
		return nil, err
	}
	others, _, err := ps.search.regions.OccurrencesOf(ps.proofs)
	if err != nil {
		return nil, err
	}
	ps.proofs = slices.DeleteFunc(ps.proofs, func(p evidence.Proof) bool { return len(others[p.Doc.Key]) == 0 })
	judged, err := ps.search.judgeAll(nil, ps.proofs)
	if err != nil {
		return nil, err
	}
	if err := ps.search.cutWeak(ps.proofs, judged); err != nil {
		return nil, err
	}
	origins := ps.knownOrigins(k.Candidates, judged)
	n := len(ps.proofs)
	for _, d := range origins {
		if err := ps.alignRestOfText(ctx, d, k.Certain); err != nil {
			return nil, err
		}
	}
	all := ps.search.chained(ps.proofs)
	if judged, err = ps.search.judgeAll(judged, all[n:]); err != nil {
		return nil, err
	}
	if others, _, err = ps.search.regions.OccurrencesOf(all); err != nil {
		return nil, err
	}
	return ps.search.candidates(all, judged, others, origins), nil
}

// judgeAll appends the evidence of alignments.
func (se *Search) judgeAll(judged []score.Evidence, ps []evidence.Proof) ([]score.Evidence, error) {
	for _, p := range ps {
		ev, err := se.judge.Weigh(p)
		if err != nil {
			return nil, err
		}
		judged = append(judged, se.text.Rules.Weights.MinusFrequency(ev, se.text.Hits.Directories(p.Match)))
	}
	return judged, nil
}

// alignLeads aligns the text with leads from rare fingerprints, then from pairs of names, then from comments. Each way has its
// own limit.
func (ps *pass) alignLeads(ctx context.Context, done []match.Interval, rs []sharedcomments.Run) error {
	byComments := func(context.Context, []match.Interval) (leads, error) {
		return ps.search.byComments(rs, ps.proofs, done)
	}
	for _, find := range []func(context.Context, []match.Interval) (leads, error){ps.search.byRare, ps.search.byPairs, byComments} {
		l, err := find(ctx, done)
		if err != nil {
			return err
		}
		ps.tried = ps.tried[:0]
		most, more := l.best()
		ps.omitted.leads += more
		for _, lead := range most {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := ps.alignLead(lead); err != nil {
				return err
			}
		}
	}
	return nil
}
