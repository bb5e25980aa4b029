package text

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/syntax/functions"
)

// Asked returns the bits that a match needs for the lowest score the user asked for.
func (t *Target) Asked() float64 { return t.NeededAmong(t.MinScore, t.Known) }

// ByDefault returns the bits that a match needs at the default threshold. A decision by these bits is the same at every threshold,
// so that a higher threshold only shortens the list.
func (t *Target) ByDefault() float64 { return t.NeededAmong(score.Enough, t.Known) }

// NeededAmong returns the bits that a match needs for a score. known is the number of tokens compared with: those of all baselines,
// or of one document that other evidence has led to.
func (t *Target) NeededAmong(score float64, known uint64) float64 {
	return t.Weights.Needed(score, known, len(t.Tokens))
}

// Needs returns the bits that the evidence needs, if an exact match needs the given bits. An alignment may need fewer.
func (t *Target) Needs(e score.Evidence, match float64) float64 {
	return t.Rules.Needs(t.Language.Family, e, match)
}

// Costs returns the largest number of bits that each token can carry. It is computed at the first call, after the look-up.
func (t *Target) Costs() *score.Costs {
	if t.costs != nil {
		return t.costs
	}
	c := t.commonOf(t.Language.Family)
	var frequent []score.Range
	t.Hits.Frequent(func(pos, units int) {
		frequent = append(frequent, score.Range{From: pos, To: pos + t.Params.K, Bits: c.Run(units)})
	})
	t.room.Reset(t.Weights, t.Side(), c, frequent, store.HasName)
	t.costs = &t.room
	return t.costs
}

// Rarer subtracts the bits for document frequency from a match, if the match can be a finding before the subtraction.
func (t *Target) Rarer(ev score.Evidence, m match.Match, needed float64) score.Evidence {
	if ev.Frequency == 0 && t.Weights.Reaches(ev.Bits, needed) {
		ev = t.Weights.Rarer(ev, t.Hits.Directories(m))
	}
	return ev
}

// Name is a name near a token.
type Name struct {
	Hash   uint32
	Other  uint32 // hash of a string in single quotes; 0 for any other name
	Bits   float64
	Inside bool // it occurs in the function of the k-gram
}

// In reports whether a document may have the name.
func (n Name) In(set store.NameSet) bool { return set.Has(n.Hash) || n.Other != 0 && set.Has(n.Other) }

// nameReach is how many tokens before and behind a k-gram are searched for names.
const nameReach = 48

// Around are the names around a k-gram.
type Around struct {
	Names  []Name  // distinct; valid until the next call of NamesAround
	Bits   float64 // of all
	Inside float64 // of those in the function of the k-gram's first token; 0 if it is in none
}

// NamesAround lists the names around the k-gram at a token.
func (t *Target) NamesAround(at int) (a Around) {
	c := t.Costs()
	f := functions.Function{}
	if in := functions.Innermost(t.Functions(), at, at+1, 0); in != nil && in.To-in.From >= t.Params.T() {
		f = *in
	}
	a.Names = t.around[:0]
	for i := max(0, at-nameReach); i < min(len(t.Tokens), at+t.Params.K+nameReach); i++ {
		hash, bits := c.Name(i)
		if hash == 0 {
			continue
		}
		inside := f.From <= i && i < f.To
		k := slices.IndexFunc(a.Names, func(n Name) bool { return n.Hash == hash })
		if k < 0 {
			k = len(a.Names)
			a.Names = append(a.Names, Name{Hash: hash, Other: c.Other(i), Bits: bits})
			a.Bits += bits
		}
		if n := &a.Names[k]; inside && !n.Inside {
			n.Inside = true
			a.Inside += bits
		}
	}
	t.around = a.Names
	return a
}
