package derived

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
)

// Limits of the search for tables.
const (
	mostTabled  = 32 // documents that share numbers with one text's tables
	tableOwners = 3  // a table that three owners have belongs to nobody
)

// addTables adds the matches with documents that share numbers with the target's tables, except at tokens in done. Every table
// has the same order of tokens, so fingerprints of tokens do not find these documents.
func (ps *pass) addTables(ctx context.Context, done []match.Interval) error {
	ps.search.tables.Read(ps.text.Language, ps.text.Text, ps.text.Tokens)
	if len(ps.search.tables.List) == 0 {
		return nil
	}
	proposals, crowded, err := ps.search.lookupTables(ctx)
	if ps.omitted.tabled = crowded; err != nil {
		return err
	}
	for _, b := range proposals {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, err := ps.text.Rules.Documents.Load(b.Key)
		if err != nil {
			return err
		}
		seeds := slices.DeleteFunc(b.Seeds, func(s match.Seed) bool { return match.Contains(done, int(s.Target)) })
		if len(seeds) == 0 {
			continue
		}
		found, err := ps.search.verifyTables(d, seeds)
		if err != nil {
			return err
		}
		ps.proofs = append(ps.proofs, found...)
	}
	return nil
}

// lookupTables finds the documents that share numbers with the target's tables, those with most seeds first. Tables that several
// owners have are left out: they belong to a standard. crowded reports whether numbers of a table occur at too many positions, or
// in too many documents, to be compared.
func (se *Search) lookupTables(ctx context.Context) (proposals []lookup.Proposal, crowded bool, err error) {
	prints := se.prints[:0]
	for _, k := range se.text.Rules.Keys {
		prints = se.tables.Queries(prints, k, se.text.Language.Family)
	}
	se.prints = prints
	hashes, at := lookup.Hashes(prints), make(map[uint64][]uint32)
	for _, f := range prints {
		if se.text.Masked == nil || !se.text.Masked[f.Pos] {
			at[f.Hash] = append(at[f.Hash], f.Pos)
		}
	}
	by := make(map[lookup.Key][]match.Seed)
	for base, b := range se.text.Rules.Baselines {
		err := b.Lookup(ctx, hashes, func(i int, count uint64, ps []baseline.Posting) error {
			if count > rareHits || len(at[hashes[i]]) > rarePositions {
				crowded = crowded || len(at[hashes[i]]) > 0
				return nil
			}
			for _, p := range ps {
				key := lookup.Key{Baseline: base, ID: p.Doc}
				for _, pos := range at[hashes[i]] {
					by[key] = append(by[key], match.Seed{Target: pos, Origin: p.Pos})
				}
			}
			return nil
		})
		if err != nil {
			return nil, crowded, err
		}
	}
	if len(by) > mostTabled {
		return nil, true, nil
	}
	proposals, err = se.ownTables(by)
	return proposals, crowded, err
}

// ownTables removes the seeds of tables that several owners have, and sorts the documents.
func (se *Search) ownTables(by map[lookup.Key][]match.Seed) ([]lookup.Proposal, error) {
	whose := make(map[uint32]map[string]bool) // by position
	var out []lookup.Proposal
	for key, seeds := range by {
		d, err := se.text.Rules.Documents.Load(key)
		if err != nil {
			return nil, err
		}
		occs, err := d.Occurrences()
		if err != nil {
			return nil, err
		}
		for _, s := range seeds {
			if whose[s.Target] == nil {
				whose[s.Target] = make(map[string]bool)
			}
			for _, o := range occs {
				if !region.Vendored(o.Path) {
					whose[s.Target][purl.Owner(o.PURL)] = true
				}
			}
		}
		out = append(out, lookup.Proposal{Key: key, Count: len(seeds), Seeds: seeds})
	}
	for i := range out {
		out[i].Seeds = slices.DeleteFunc(out[i].Seeds, func(s match.Seed) bool { return len(whose[s.Target]) >= tableOwners })
	}
	slices.SortFunc(out, func(a, b lookup.Proposal) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.Key.Compare(b.Key))
	})
	return out, nil
}

// verifyTables returns the matches around seeds of tables. Each run becomes a match of its own, as far as its numbers agree.
func (se *Search) verifyTables(d *documents.Document, seeds []match.Seed) (ps []evidence.Proof, err error) {
	side := d.Side()
	if side.Text, err = d.Read(); err != nil {
		return nil, err
	}
	runs, _ := match.Runs(se.text.Side(), side, seeds, se.text.Rules.Matching)
	var ms []match.Match
	for _, r := range runs {
		ms = append(ms, match.Match{Runs: []match.Run{se.sameNumbers(&side, r, seeds)}})
	}
	ps, _, err = se.prover.ProofsOf(d, ms) // weak matches are not listed here: the ledger already counts the hits of their documents
	return ps, err
}

// sameNumbers cuts a run at the first number that differs before its first seed and after its last.
func (se *Search) sameNumbers(side *match.Side, r match.Run, seeds []match.Seed) match.Run {
	target := se.text.Side()
	differ := func(i uint32) bool {
		return se.text.Tokens[r.Target+i].Class == lang.Number && !bytes.Equal(target.TextAt(r.Target+i), side.TextAt(r.Origin+i))
	}
	low, high := r.Len, uint32(0)
	for _, s := range seeds {
		if s.Target >= r.Target && s.Target < r.TargetEnd() && s.Origin-r.Origin == s.Target-r.Target {
			low, high = min(low, s.Target-r.Target), max(high, s.Target-r.Target)
		}
	}
	for low > 0 && !differ(low-1) {
		low--
	}
	for high < r.Len && !differ(high) {
		high++
	}
	return match.Run{Target: r.Target + low, Origin: r.Origin + low, Len: high - min(low, high)}
}
