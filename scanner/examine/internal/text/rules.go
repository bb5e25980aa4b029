package text

import (
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/self"
)

// Rules are the settings that all texts of a scan share: the baselines, the weights, and the options of the user.
type Rules struct {
	Bases   []*baseline.Baseline
	Keys    []fingerprint.Key // keys that the baselines were built with, each once
	Params  fingerprint.Params
	Library *library.Library
	Known   uint64         // tokens of all baselines
	Self    *self.Packages // packages that the target is published as; nil if it is not a repository

	Matching match.Params
	Least    int // tokens of the shortest match that is judged: the guaranteed length, or fewer if asked for
	Weights  *score.Weights
	Derived  *score.Derived
	Likely   *score.Likelihood
	Prose    *score.Comments
	Models   []*model.Model
	commons  *commons

	// of examine.Options
	MinTokens     int
	MinScore      float64
	Common        int
	ScanGenerated bool
	BaseCode      basecode.Set
}

// NewRules returns rules with the default weights. The baselines must agree in their parameters. The caller sets the options.
func NewRules(bases []*baseline.Baseline) Rules {
	p := bases[0].Params()
	return Rules{
		Bases: bases, Params: p, Library: library.New(bases, libraryBytes), Matching: match.Defaults(p.K),
		Weights: score.Standing(), Derived: score.StandingDerived(), Likely: score.StandingLikelihood(), Prose: score.StandingComments(),
		commons: &commons{of: make(map[string]model.Common)},
	}
}

// libraryBytes limits the memory of the decoded documents that are kept.
const libraryBytes = 48 << 20

// commons are the frequencies of names and n-grams by language family, each computed once.
type commons struct {
	sync.Mutex
	of map[string]model.Common
}

// commonOf returns the frequencies for a language family. It combines the baselines with the prior that comes with the program,
// because a small baseline has too few samples.
func (r *Rules) commonOf(family string) model.Common {
	r.commons.Lock()
	defer r.commons.Unlock()
	c, ok := r.commons.of[family]
	if !ok {
		c = model.Common{model.Prior().Of(family), model.API().Of(family)}
		for _, m := range r.Models {
			c = append(c, m.Of(family))
		}
		r.commons.of[family] = c
	}
	return c
}

// fewer is the part of Derived.Less by which alignments of a language family need fewer bits than a match. It is small where two
// programs that extend one framework align as well as a copy does.
var fewer = map[string]float64{"c": 1, "csharp": 0.5, "go": 1, "java": 1, "js": 1, "kotlin": 1, "php": 1, "python": 1, "rust": 1, "scala": 1, "swift": 1}

// Needs returns the bits that evidence in a family of languages needs, if an exact match needs the given bits.
func (r *Rules) Needs(family string, e score.Evidence, match float64) float64 {
	part := fewer[family]
	return (1-part)*match + part*r.Derived.Needed(e, match)
}
