package edited

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/derived"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
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
	mostApart    = 32  // seeds with it whose names are elsewhere
	mostAround   = 4   // alignments around one token
	denseRun     = 40  // tokens of a run that leaves nothing to be found around a seed
	beyondDoubt  = 120 // bits of the match that has it
	leastDerived = 40  // bits of an alignment that is a finding at any score
	fuller       = 1.2 // times the tokens of a match that an alignment around it has to have
)

// alignAll appends the alignments around the seeds of a document.
func (se *Search) alignAll(ps []evidence.Proof, l lead) ([]evidence.Proof, error) {
	d, err := se.Library.Load(l.key)
	if err != nil {
		return nil, err
	}
	if _, err := d.Read(); err != nil {
		return nil, err
	}
	slices.SortFunc(l.seeds, func(a, b match.Seed) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Origin, b.Origin))
	})
	n, apart := 0, 0
	var seen []match.Interval // in this document
	for _, s := range l.seeds {
		if n == mostAligned || apart == mostApart {
			break
		}
		if match.Within(seen, int(s.Target)) || match.Covering(se.tried, int(s.Target)) >= mostAround {
			continue
		}
		if !se.namedAt(d, s) {
			apart++
			continue
		}
		p, ok := se.aligned(d, s, probeGain)
		v := match.Interval{From: int(s.Target), To: int(s.Target) + se.Params.K}
		if ok {
			v = match.Interval{From: min(v.From, int(p.From)), To: max(v.To, int(p.To))}
			if p.Tokens() >= se.Least {
				if ps, err = se.prover.WithoutHelpers(append(ps, p), len(ps)); err != nil {
					return nil, err
				}
			}
		}
		n, seen, se.tried = n+1, append(seen, v), append(se.tried, v)
	}
	return ps, nil
}

// namedAt tells whether half of the names that the document has to have are around the seed there: most documents have
// them elsewhere, and need no alignment.
func (se *Search) namedAt(d *library.Document, s match.Seed) bool {
	names, all := se.NamesAround(int(s.Target))
	origin := window(s.Origin, probeReach, se.Params.K, d.Stream.Len())
	bits, last := 0.0, uint32(0)
	for i := origin.From; i < origin.To; i++ {
		t := d.Stream.At(uint32(i))
		if t.Class != lang.Identifier && t.Class != lang.String {
			continue
		}
		hash := model.NameHash(d.Text()[t.Start:t.End])
		if hash == last {
			continue
		}
		last = hash
		if at := slices.IndexFunc(names, func(n text.Name) bool { return n.Hash == hash }); at >= 0 {
			bits += names[at].Bits
			names[at].Bits = 0 // once
		}
	}
	return bits >= enoughNames(all)/2
}

// aligned aligns what lies around a seed on both sides: first what is close, which tells in nearly all cases that it
// is an idiom.
func (se *Search) aligned(d *library.Document, s match.Seed, least int) (evidence.Proof, bool) {
	if _, gain := se.align(d, s, probeReach, probeBand, least); gain < least {
		return evidence.Proof{}, false
	}
	runs, _ := se.align(d, s, alignReach, alignBand, 0)
	p := evidence.Of(d, match.Match{Runs: runs})
	p.Derived = true
	return p, true
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
		s.Text, s.Gain = model.NameHash(text[t.Start:t.End])|1, derived.Gain(bits)
	}
	return s
}
