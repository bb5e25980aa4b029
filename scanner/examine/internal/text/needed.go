package text

import (
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// The threshold: how many bits a match needs to be a finding. Package score has the formula (Weights.Needed).

// NeededForMinScore returns the bits that a match needs for the lowest score the user asked for.
func (t *Examined) NeededForMinScore() float64 { return t.NeededAmong(t.MinScore, t.Known) }

// NeededByDefault returns the bits that a match needs at the default threshold. A decision by these bits is the same at every threshold,
// so that a higher threshold only shortens the list.
func (t *Examined) NeededByDefault() float64 { return t.NeededAmong(score.Enough, t.Known) }

// NeededAmong returns the bits that a match needs for a score. known is the number of tokens compared with: those of all baselines,
// or of one document that other evidence has led to.
func (t *Examined) NeededAmong(score float64, known uint64) float64 {
	return t.Weights.Needed(score, known, len(t.Tokens))
}

// Needs returns the bits that the evidence needs, if an exact match needs the given bits. An alignment may need fewer.
func (t *Examined) Needs(e score.Evidence, match float64) float64 {
	return t.Rules.Needs(t.Language.Family, e, match)
}

// MinusFrequency subtracts the bits for document frequency from a match, if the match can be a finding before the subtraction.
func (t *Examined) MinusFrequency(ev score.Evidence, m match.Match, needed float64) score.Evidence {
	if ev.Frequency == 0 && t.Weights.Reaches(ev.Bits, needed) {
		ev = t.Weights.MinusFrequency(ev, t.Hits.Directories(m))
	}
	return ev
}

// fewer is the part of Derived.Less by which alignments of a language family need fewer bits than a match. It is small where two
// programs that extend one framework align as well as a copy does.
var fewer = map[string]float64{"c": 1, "csharp": 0.5, "go": 1, "java": 1, "js": 1, "kotlin": 1, "php": 1, "python": 1, "rust": 1, "scala": 1, "swift": 1}

// Needs returns the bits that evidence in a family of languages needs, if an exact match needs the given bits.
func (r *Rules) Needs(family string, e score.Evidence, match float64) float64 {
	part := fewer[family]
	return (1-part)*match + part*r.Derived.Needed(e, match)
}
