package derived

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/alignment"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
)

// Limits of the alignments.
const (
	probeReach = 64  // tokens before and after a seed in the first, short alignment
	probeBand  = 40  // tokens by which the short alignment may stray from the seed's diagonal
	probeGain  = 110 // least gain of the short alignment for a full one
	alignReach = 288 // tokens before and after a seed in the full alignment
	alignBand  = 160 // tokens by which it may stray; larger insertions make another function
)

// alignAround aligns both sides around a seed: first a short stretch, then, if that gains at least least, a full one. Most seeds
// are in idioms and gain less: then ok is false, and no full alignment was made.
func (se *Search) alignAround(d *documents.Document, s match.Seed, least int) (p evidence.Proof, ok bool) {
	_, gain := se.alignWindow(d, s, probeReach, probeBand, least)
	if gain < least {
		return evidence.Proof{}, false
	}
	runs, _ := se.alignWindow(d, s, alignReach, alignBand, gain) // contains the short alignment
	p = evidence.Of(d, match.Match{Runs: runs})
	p.Derived = true
	return p, true
}

// chained appends the union of each chain of overlapping alignments with one document. A single alignment ends alignReach tokens
// from its seed, but edited files are longer.
func (se *Search) chained(ps []evidence.Proof) []evidence.Proof {
	of := make(map[lookup.Key][]evidence.Proof)
	var keys []lookup.Key
	for _, p := range ps {
		if !p.Derived {
			continue
		}
		if len(of[p.Doc.Key]) == 0 {
			keys = append(keys, p.Doc.Key)
		}
		of[p.Doc.Key] = append(of[p.Doc.Key], p)
	}
	for _, k := range keys {
		parts := of[k]
		slices.SortStableFunc(parts, func(a, b evidence.Proof) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
		chain, most := parts[0], parts[0].Tokens()
		add := func() {
			if chain.Tokens() >= most+se.text.Rules.Least {
				ps = append(ps, chain)
			}
		}
		for _, p := range parts[1:] {
			if both, lost := chain.With(p, se.text.Rules.Matching.MinFit); p.From < chain.To && lost < se.text.Rules.Least {
				chain, most = both, max(most, p.Tokens())
				continue
			}
			add()
			chain, most = p, p.Tokens()
		}
		add()
	}
	return ps
}

// alignWindow aligns reach tokens before and after a seed. It returns no runs if the gain is below least.
func (se *Search) alignWindow(d *documents.Document, s match.Seed, reach, band, least int) (runs []match.Run, gain int) {
	k := se.text.Rules.Params.K
	target, origin := window(s.Target, reach, k, len(se.text.Tokens)), window(s.Origin, reach, k, d.Stream.Len())
	at := match.Seed{Target: s.Target - uint32(target.From), Origin: s.Origin - uint32(origin.From)}
	return se.alignStretches(d, stretches{target, origin, at, band}, least)
}

// stretches are the tokens of the target and of a document that are aligned.
type stretches struct {
	target, origin match.Interval
	at             match.Seed // a token of either stretch, counted from its beginning; the alignment passes near this pair
	band           int        // tokens by which the alignment may stray from the diagonal of at
}

// alignStretches aligns two stretches. It returns no runs if the gain is below least. Masked tokens of the target agree with no
// token.
func (se *Search) alignStretches(d *documents.Document, s stretches, least int) (runs []match.Run, gain int) {
	se.symbols[0], se.symbols[1] = se.symbols[0][:0], se.symbols[1][:0]
	c := se.text.Costs()
	for i := s.target.From; i < s.target.To; i++ {
		if se.text.Masked != nil && se.text.Masked[i] {
			se.symbols[0] = append(se.symbols[0], alignment.Mismatch())
			continue
		}
		_, bits := c.Name(i)
		se.symbols[0] = append(se.symbols[0], symbol(se.text.Tokens[i], se.text.Text, bits))
	}
	se.tokens = d.Stream.AppendTokens(se.tokens[:0], uint32(s.origin.From), uint32(s.origin.To))
	for _, t := range se.tokens {
		se.symbols[1] = append(se.symbols[1], symbol(t, d.Text(), 0))
	}
	runs, gain = se.aligner.Align(se.symbols[0], se.symbols[1], s.at, s.band, least)
	for i := range runs {
		runs[i].Target += uint32(s.target.From)
		runs[i].Origin += uint32(s.origin.From)
	}
	return runs, gain
}

// window returns the tokens around a k-gram that are aligned, in a text of n tokens.
func window(at uint32, reach, k, n int) match.Interval {
	return match.Interval{From: max(0, int(at)-reach), To: min(n, int(at)+k+reach)}
}

// symbol converts a token for the alignment. Import clauses agree with no token.
func symbol(t lang.Token, text []byte, bits float64) alignment.Symbol {
	s := alignment.Symbol{Kind: t.Kind, Gain: alignment.KeywordGain}
	switch {
	case t.Flags&lang.FlagImport != 0:
		return alignment.Mismatch()
	case t.Class == lang.Identifier || t.Class == lang.String || t.Class == lang.Number:
		s.Text, s.Gain = hashOf(t, text)|1, alignment.Gain(bits)
	}
	return s
}

// hashOf returns the hash of a token's text. A string is hashed as if it were in double quotes.
func hashOf(t lang.Token, text []byte) uint32 {
	if t.Class == lang.String {
		hash, _ := model.Quoted(text[t.Start:t.End])
		return hash
	}
	return model.NameHash(text[t.Start:t.End])
}

// addAround adds the alignment around a seed to the proofs. ok is false if the short alignment gains too little. An alignment that
// is too short for a finding is not added, but returned.
func (ps *pass) addAround(d *documents.Document, s match.Seed, least int) (p evidence.Proof, ok bool, err error) {
	if p, ok = ps.search.alignAround(d, s, least); !ok {
		return p, false, nil
	}
	ps.full = true
	found := []evidence.Proof{p}
	if p.Tokens() < ps.text.Rules.Params.T() {
		if found, err = ps.orWholeFunction(found, p); err != nil {
			return p, true, err
		}
	}
	found = slices.DeleteFunc(found, func(p evidence.Proof) bool { return p.Tokens() < ps.text.Rules.Least })
	left, removed, err := ps.search.prover.WithoutBoilerplate(found)
	ps.proofs, ps.boilerplate = append(ps.proofs, left...), append(ps.boilerplate, removed...)
	return p, true, err
}

// orWholeFunction also appends p with the rest of its function added, if both together are half of the function on both sides. If a
// short function was edited in its middle, the part on either side of the edit is too short for a finding.
func (ps *pass) orWholeFunction(found []evidence.Proof, p evidence.Proof) ([]evidence.Proof, error) {
	whole, err := ps.search.withFunctionRests(p, everywhere)
	if err != nil || whole.Tokens() < ps.text.Rules.Params.T() {
		return found, err
	}
	ev, err := ps.search.judge.Weigh(whole)
	if err != nil || !ev.Whole {
		return found, err
	}
	return append(found, whole), nil
}
