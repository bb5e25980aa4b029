package edited

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/pairs"
	"github.com/git-provenance/git-provenance/baseline/tables"
	"github.com/git-provenance/git-provenance/scanner/algorithms/derived"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/prove"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/remarks"
)

// Search searches a text for edited code.
type Search struct {
	*region.Gatherer
	prover *prove.Prover
	pairer pairs.Reader
	tables tables.Reader

	// buffers of single steps
	prints     []fingerprint.Fingerprint // lookupTables
	pairs      []fingerprint.Fingerprint // byPairs: of rare names
	pairHashes []uint64
	symbols    [2][]derived.Symbol // alignBetween: of the target and of the origin
	aligner    derived.Aligner
}

// New returns a search. It proves its matches with p.
func New(g *region.Gatherer, p *prove.Prover) *Search { return &Search{Gatherer: g, prover: p} }

// Known is what the steps before the search have found.
type Known struct {
	Candidates []region.Candidate
	Certain    []match.Interval // CertainRuns of all candidates, those with too few bits included: they are not searched
	Strong     region.Supports
	Remarks    []remarks.Remark
}

// Found is the outcome of Find.
type Found struct {
	Candidates []region.Candidate // those given, and edited code
	Aligned    bool               // an alignment in full was made: a change further away may complete a finding in the next version
	Helpers    []int              // helpers that were left out of alignments (prove.NoteHelpers)
	Omitted    Omitted
}

// pass is one search of a text, with the alignments that were made so far.
type pass struct {
	*Search
	proofs  []evidence.Proof
	full    bool             // an alignment in full was made
	helpers []int            // that were left out of alignments
	omitted Omitted          // what was left out of the search
	tried   []match.Interval // of the leads of one kind: stretches that were aligned, or that have no alignment
}

// align adds the alignment around a seed, if the short one has the least gain. It returns the alignment even if it is too short for
// a finding.
func (ps *pass) align(d *library.Document, s match.Seed, least int) (p evidence.Proof, ok bool, err error) {
	if p, ok = ps.aligned(d, s, least); !ok {
		return p, false, nil
	}
	ps.full = true
	found := []evidence.Proof{p}
	if p.Tokens() < ps.Params.T() {
		if found, err = ps.withRest(found, p); err != nil {
			return p, true, err
		}
	}
	found = slices.DeleteFunc(found, func(p evidence.Proof) bool { return p.Tokens() < ps.Least })
	left, helpers, err := ps.prover.WithoutHelpers(found)
	ps.proofs, ps.helpers = append(ps.proofs, left...), append(ps.helpers, helpers...)
	return p, true, err
}

// withRest appends an alignment together with the rest of its function, if that is half of the function on both sides. People change
// short functions in their middle, and neither part is long enough for a finding.
func (ps *pass) withRest(found []evidence.Proof, p evidence.Proof) ([]evidence.Proof, error) {
	whole, err := ps.completed(p, everywhere)
	if err != nil || whole.Tokens() < ps.Params.T() {
		return found, err
	}
	ev, err := ps.Weigh(whole)
	if err != nil || !ev.Whole {
		return found, err
	}
	return append(found, whole), nil
}
