package text

import (
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// The threshold: how many bits a finding in this text needs. The formulas are in scanner/score/needed.go.
//
//	Needed     a match, which all baselines were searched for
//	NeededBy   evidence of either kind: in most languages that of derived code needs fewer bits
//	NeededIn   a match or derived code that one document was searched for, since other evidence had led to it
//
// All take a score. Rules.MinScore, which the user asked for, decides what becomes a finding. score.Enough, the default, decides
// between origins and what supports a finding: such a decision is the same for every user, so a higher MinScore only shortens the
// list.

// Needed returns the bits that a match needs for a score, compared with all baselines.
func (t *Examined) Needed(score float64) float64 {
	return t.Rules.Weights.Needed(score, t.Rules.BaselineTokens, len(t.Tokens))
}

// NeededBy returns the bits that evidence needs for a score, compared with all baselines.
func (t *Examined) NeededBy(e score.Evidence, score float64) float64 {
	return t.Needed(score) - t.Discount(e)
}

// NeededIn returns the bits that evidence needs for a score, compared with one document.
func (t *Examined) NeededIn(d *documents.Document, score float64) float64 {
	return t.Rules.Weights.Needed(score, d.Len(), len(t.Tokens))
}

// Discount returns how many bits fewer than a match the evidence needs.
func (t *Examined) Discount(e score.Evidence) float64 {
	return discounts[t.Language.Family] * t.Rules.Derived.Discount(e)
}

// discounts is the share of score.Derived.Discount that derived code of a language family gets. It is small, or none, where two
// programs that extend one framework align as well as a copy does.
var discounts = map[string]float64{"c": 1, "csharp": 0.5, "go": 1, "java": 1, "js": 1, "kotlin": 1, "php": 1, "python": 1, "rust": 1, "scala": 1, "swift": 1}

// Traits returns the traits of a finding from its evidence, its bits above those needed, its bits of support and its matched
// tokens.
func (t *Examined) Traits(e score.Evidence, above, support float64, tokens int) score.Traits {
	traits := e.Traits(above, support)
	traits.Share = min(1, float64(tokens)/float64(max(t.Unmasked, 1)))
	return traits
}

// Score returns the score of a finding in this text.
func (t *Examined) Score(traits score.Traits) float64 {
	if t.Plain() {
		return t.Rules.LikelyPlain.Score(traits)
	}
	return t.Rules.Likely.Score(traits)
}

// MinusFrequency subtracts the bits for document frequency from a match, if the match can be a finding before the subtraction.
func (t *Examined) MinusFrequency(ev score.Evidence, m match.Match, needed float64) score.Evidence {
	if ev.Frequency == 0 && t.Rules.Weights.Reaches(ev.Bits, needed) {
		ev = t.Rules.Weights.MinusFrequency(ev, t.Hits.Directories(m))
	}
	return ev
}
