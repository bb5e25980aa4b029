package text

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Asked returns the bits that a match needs for the lowest score the user asked for.
func (t *Target) Asked() float64 { return t.NeededAmong(t.MinScore, t.Known) }

// ByDefault returns the bits that a match needs at the default threshold. A decision by these bits is the same at every threshold,
// so that a higher threshold only shortens the list.
func (t *Target) ByDefault() float64 { return t.NeededAmong(score.Enough, t.Known) }

// NeededAmong are the bits from which on a match has a score, if it is looked for among so many known tokens: those of all
// baselines, or of the one document that something else has led to.
func (t *Target) NeededAmong(score float64, known uint64) float64 {
	return t.Weights.Needed(score, known, len(t.Tokens))
}

// Needs are the bits that evidence needs where a match needs so many.
func (t *Target) Needs(e score.Evidence, match float64) float64 {
	return t.Rules.Needs(t.Language.Family, e, match)
}

// Costs are what the tokens carry, worked out at the first call. The text has been looked up by then.
func (t *Target) Costs() *score.Costs {
	if t.costs != nil {
		return t.costs
	}
	c := t.CommonOf(t.Language.Family)
	var frequent []score.Range
	t.Hits.Frequent(func(pos, units int) {
		frequent = append(frequent, score.Range{From: pos, To: pos + t.Params.K, Bits: c.Run(units)})
	})
	t.room.Reset(t.Weights, t.Side(), c, frequent, store.HasName)
	t.costs = &t.room
	return t.costs
}

// Rarer takes off what a match tells less as many have its k-grams, if it can be a finding as it is.
func (t *Target) Rarer(ev score.Evidence, m match.Match, needed float64) score.Evidence {
	if ev.Frequency == 0 && t.Weights.Reaches(ev.Bits, needed) {
		ev = t.Weights.Rarer(ev, t.Hits.Directories(m))
	}
	return ev
}

// Name is a name near a token.
type Name struct {
	Hash uint32
	Bits float64
}

// nameReach is how many tokens before and behind a k-gram its names are asked for.
const nameReach = 48

// NamesAround lists the distinct names around the k-gram at a token, and what they are worth. The list is valid until the
// next call.
func (t *Target) NamesAround(at int) (names []Name, all float64) {
	c := t.Costs()
	names = t.around[:0]
	for i := max(0, at-nameReach); i < min(len(t.Tokens), at+t.Params.K+nameReach); i++ {
		hash, bits := c.Name(i)
		if hash == 0 || slices.ContainsFunc(names, func(n Name) bool { return n.Hash == hash }) {
			continue
		}
		names, all = append(names, Name{hash, bits}), all+bits
	}
	t.around = names
	return names, all
}
