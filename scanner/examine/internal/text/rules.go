package text

import (
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/score"
	"github.com/git-provenance/git-provenance/scanner/self"
)

// Rules are the settings that all texts of a scan share: the baselines, the weights, and the options of the user.
type Rules struct {
	Baselines      []*baseline.Baseline
	Keys           []fingerprint.Key // keys that the baselines were built with, each once
	Params         fingerprint.Params
	Documents      *documents.Cache
	BaselineTokens uint64         // of all baselines
	Self           *self.Packages // packages that the target is published as; nil if it is not a repository

	Matching       match.Params
	Least          int // tokens of the shortest match that is judged: the guaranteed length, or fewer if asked for
	Weights        *score.Weights
	Derived        *score.Derived
	Likely         *score.Likelihood // of code
	LikelyPlain    *score.Likelihood // of plain text
	CommentWeights *score.Comments
	Models         []*model.Model
	frequencies    *frequencies

	// of examine.Options
	MinTokens     int
	MinScore      float64
	Common        int // a region in packages of this many owners is common code
	ScanGenerated bool
	BaseCode      basecode.Set
}

// NewRules returns rules with the default weights. The baselines must agree in their parameters. The caller sets the options.
func NewRules(bases []*baseline.Baseline) Rules {
	p := bases[0].Params()
	return Rules{
		Baselines: bases, Params: p, Documents: documents.New(bases, documentBytes), Matching: match.Defaults(p.K),
		Weights: score.DefaultWeights(), Derived: score.DefaultDerived(), CommentWeights: score.DefaultComments(),
		Likely: score.DefaultLikelihood(), LikelyPlain: score.PlainLikelihood(),
		frequencies: &frequencies{of: make(map[frequenciesKey]model.Frequencies)},
	}
}

// documentBytes limits the memory of the decoded documents that are kept.
const documentBytes = 64 << 20

// frequencies are the frequencies of names and n-grams by family and platforms, each computed once.
type frequencies struct {
	sync.Mutex
	of map[frequenciesKey]model.Frequencies
}

type frequenciesKey struct {
	family    string
	platforms *model.Family
}

// frequenciesOf returns the frequencies for a text in a language. It combines the baselines with the prior that comes with the program,
// because a small baseline has too few samples.
func (r *Rules) frequenciesOf(l *lang.Language, text []byte) model.Frequencies {
	k := frequenciesKey{l.Family, model.PlatformsOf(l.Name, l.Family, text)}
	r.frequencies.Lock()
	defer r.frequencies.Unlock()
	c, ok := r.frequencies.of[k]
	if !ok {
		c = model.Frequencies{model.Prior().Of(l.Family), k.platforms}
		for _, m := range r.Models {
			c = append(c, m.Of(l.Family))
		}
		r.frequencies.of[k] = c
	}
	return c
}
