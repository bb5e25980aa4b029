package edited

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/derived"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// Bounds of the alignments.
const (
	probeReach   = 64  // tokens before and behind a seed that are aligned to see whether more of them are worth it
	probeBand    = 40  // tokens by which the alignment strays from the seed's diagonal
	probeGain    = 110 // of the alignment, from which on they are
	alignReach   = 288 // tokens before and behind a seed that are aligned then
	alignBand    = 160 // more is not put into a function that is still the same
	mostAligned  = 4   // alignments with one document
	mostAround   = 4   // alignments around one token
	denseRun     = 40  // tokens of a run that leaves nothing to be found around a seed
	beyondDoubt  = 120 // bits of the match that has it
	leastDerived = 40  // bits of an alignment that is a finding at any score
	fuller       = 1.2 // times the tokens of a match that an alignment around it has to have
)

// aligned aligns what lies around a seed on both sides: first what is close, which tells in nearly all cases that it
// is an idiom.
func (se *Search) aligned(d *library.Document, s match.Seed, least int) (evidence.Proof, bool) {
	if _, gain := se.align(d, s, probeReach, probeBand, least); gain < least {
		return evidence.Proof{}, false
	}
	se.Aligned = true
	runs, _ := se.align(d, s, alignReach, alignBand, 0)
	p := evidence.Of(d, match.Match{Runs: runs})
	p.Derived = true
	return p, true
}

// chained appends what alignments with one document come to that overlap: one reaches alignReach tokens from its seed, and
// edited files do not end there.
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
			if chain.Tokens() >= most+se.Least {
				ps = append(ps, chain)
			}
		}
		for _, p := range parts[1:] {
			if both, lost := chain.With(p, se.Matching.MinFit); p.From < chain.To && lost < se.Least {
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

// align aligns so many tokens before and behind a seed, unless that gains less than least.
func (se *Search) align(d *library.Document, s match.Seed, reach, band, least int) (runs []match.Run, gain int) {
	k := se.Params.K
	target, origin := window(s.Target, reach, k, len(se.Tokens)), window(s.Origin, reach, k, d.Stream.Len())
	at := match.Seed{Target: s.Target - uint32(target.From), Origin: s.Origin - uint32(origin.From)}
	return se.alignBetween(d, target, origin, at, band, least)
}

// alignBetween aligns two stretches, unless that gains less than least. Masked tokens of the target agree with nothing.
func (se *Search) alignBetween(d *library.Document, target, origin match.Interval, at match.Seed, band, least int) (runs []match.Run, gain int) {
	se.symbols[0], se.symbols[1] = se.symbols[0][:0], se.symbols[1][:0]
	c := se.Costs()
	for i := target.From; i < target.To; i++ {
		_, bits := c.Name(i)
		se.symbols[0] = append(se.symbols[0], symbol(se.Tokens[i], se.Text, bits, se.Masked != nil && se.Masked[i]))
	}
	for i := origin.From; i < origin.To; i++ {
		se.symbols[1] = append(se.symbols[1], symbol(d.Stream.At(uint32(i)), d.Text(), 0, false))
	}
	runs, gain = se.aligner.Align(se.symbols[0], se.symbols[1], at, band, least)
	for i := range runs {
		runs[i].Target += uint32(target.From)
		runs[i].Origin += uint32(origin.From)
	}
	return runs, gain
}

// window is what is aligned around a k-gram of a text of n tokens.
func window(at uint32, reach, k, n int) match.Interval {
	return match.Interval{From: max(0, int(at)-reach), To: min(n, int(at)+k+reach)}
}

// symbol is a token as it is aligned; import clauses and base code agree with nothing.
func symbol(t lang.Token, text []byte, bits float64, masked bool) derived.Symbol {
	s := derived.Symbol{Kind: t.Kind, Gain: derived.Keyword}
	switch {
	case masked || t.Flags&lang.FlagImport != 0:
		return derived.Nothing()
	case t.Class == lang.Identifier || t.Class == lang.String || t.Class == lang.Number:
		s.Text, s.Gain = hashOf(t, text)|1, derived.Gain(bits)
	}
	return s
}

// hashOf is the hash of a token's text, of a string as it is in double quotes.
func hashOf(t lang.Token, text []byte) uint32 {
	if t.Class == lang.String {
		hash, _ := model.Quoted(text[t.Start:t.End])
		return hash
	}
	return model.NameHash(text[t.Start:t.End])
}
