package evolution

import (
	"fmt"
	"os"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/alignment"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// bounder computes the worth of a function if every search succeeded: it is aligned with its origin, as a whole and at
// the right position, and loses nothing to other origins that have parts of it.
type bounder struct {
	models  []*model.Model
	tokens  uint64 // of the baselines
	weights *score.Weights
	derived *score.Derived
	prose   *score.Comments
	likely  *score.Likelihood
	costs   score.Costs
	aligner alignment.Aligner
	read    [2]lang.Comments
	tz      *lang.Tokenizer
}

func newBounder(bs []*baseline.Baseline) (*bounder, error) {
	b := &bounder{models: []*model.Model{model.Prior()}, weights: score.DefaultWeights(), derived: score.DefaultDerived(), prose: score.DefaultComments(), likely: score.DefaultLikelihood(), tz: lang.NewTokenizer(lang.Limits{})}
	for _, base := range bs {
		m, err := base.Model()
		if err != nil {
			return nil, err
		}
		in, err := base.Info()
		if err != nil {
			return nil, err
		}
		b.models, b.tokens = append(b.models, m), b.tokens+in.Tokens
	}
	return b, nil
}

// bound is the most that a function can be worth.
type bound struct {
	Bits   float64 // of its alignment and its comments
	Needed float64 // in a file of unknown origin
	Within float64 // beside code known to come from the same file
	Score  float64 // in a file of unknown origin: the share of findings with this evidence that are true
}

// of aligns a pair. file is the one that the late function was pasted into.
func (b *bounder) of(p Pair, file string) (bound, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return bound{}, err
	}
	l := lang.Detect(file, text).Language
	s, err := b.tz.Tokenize(l, text)
	if err != nil {
		return bound{}, fmt.Errorf("tokenize %s: %w", file, err)
	}
	n := len(s.Tokens)
	frequencies := model.Frequencies{model.PlatformsOf(l.Name, l.Family, text)}
	for _, m := range b.models {
		frequencies = append(frequencies, m.Of(l.Family))
	}
	target := match.Side{Text: p.New.code.Src, Tokens: p.New.code.Toks, Scoped: l.Scoped(), Omitted: l.Omitted()}
	origin := match.Side{Text: p.Old.code.Src, Tokens: p.Old.code.Toks}
	b.costs.Reset(b.weights, target, frequencies, nil, store.HasName)
	out := bound{Needed: b.weights.Needed(score.Enough, b.tokens, n), Within: b.weights.Needed(score.Enough, uint64(len(origin.Tokens)), n)}
	here, there := p.New.symbols(&b.costs), p.Old.symbols(nil)
	runs, _ := b.aligner.Align(here, there, match.Seed{}, len(here)+len(there), 0)
	if len(runs) == 0 {
		return out, nil
	}
	for i := range runs {
		runs[i].Target += uint32(p.New.from)
		runs[i].Origin += uint32(p.Old.from)
	}
	e := b.derived.Weigh(b.weights, score.Read(target, origin, match.Match{Runs: runs}, &b.costs))
	e.Whole = 2*match.Match{Runs: runs}.Tokens() >= max(len(here), len(there))
	e.Named = e.Whole && b.named(p)
	for _, m := range matches(target, origin, p) {
		if plain := b.weights.Weigh(score.Read(target, origin, m, &b.costs)); plain.Bits > e.Bits+b.derived.Discount(e) {
			e = plain
		}
	}
	out.Needed -= b.derived.Discount(e)
	e = b.beside(e, p)
	out.Bits, out.Score = e.Bits, b.likely.Score(e.Traits(e.Bits-out.Needed, 0))
	return out, nil
}

// named reports whether both versions have the same rare name. An override counts too, so the bound is too high for it.
func (b *bounder) named(p Pair) bool {
	if p.Old.name != p.New.name {
		return false
	}
	for i := p.New.from; i < p.New.to; i++ {
		if t := p.New.code.Toks[i]; t.Class == lang.Identifier && string(p.New.code.Src[t.Start:t.End]) == p.New.name {
			_, bits := b.costs.Name(i)
			return bits >= score.OwnFunction
		}
	}
	return false
}

// matches returns the runs that both versions of a function share, each by itself.
func matches(target, origin match.Side, p Pair) (ms []match.Match) {
	params := match.Defaults(baseline.Defaults.K)
	params.MinRun = params.MinFit
	places := make(map[uint64][]int)
	for i, g := range p.Old.shapes(params.MinFit) {
		places[g] = append(places[g], p.Old.from+i)
	}
	var seeds []match.Seed
	for i, g := range p.New.shapes(params.MinFit) {
		if len(places[g]) > 64 { // switches and tables repeat themselves
			continue
		}
		for _, at := range places[g] {
			seeds = append(seeds, match.Seed{Target: uint32(p.New.from + i), Origin: uint32(at)})
		}
	}
	runs, _ := match.Runs(target, origin, seeds, params)
	for _, r := range runs {
		if r = p.within(r); int(r.Len) >= params.MinFit { // excludes code before and after the function
			ms = append(ms, match.Match{Runs: []match.Run{r}})
		}
	}
	return ms
}

// shapes returns the digests of each stretch of n tokens of a piece, without names.
func (p *piece) shapes(n int) []uint64 {
	kinds := make([]uint64, 0, p.to-p.from)
	for _, t := range p.code.Toks[p.from:p.to] {
		kinds = append(kinds, uint64(t.Kind)<<8|uint64(t.Class))
	}
	return fingerprint.KGrams(nil, kinds, n)
}

// within cuts a run to the pieces.
func (p Pair) within(r match.Run) match.Run {
	skip := max(0, p.New.from-int(r.Target), p.Old.from-int(r.Origin))
	end := min(int(r.Len), p.New.to-int(r.Target), p.Old.to-int(r.Origin))
	return match.Run{Target: r.Target + uint32(skip), Origin: r.Origin + uint32(skip), Len: uint32(max(0, end-skip))}
}

// symbols returns the tokens of a piece for the alignment. Those of a target have the bits of their names.
func (p *piece) symbols(c *score.Costs) (out []alignment.Symbol) {
	for i := p.from; i < p.to; i++ {
		t := p.code.Toks[i]
		s := alignment.Symbol{Kind: t.Kind, Gain: alignment.KeywordGain}
		if t.Class == lang.Identifier || t.Class == lang.String || t.Class == lang.Number {
			bits := 0.0
			if c != nil {
				_, bits = c.Name(i)
			}
			s.Text, s.Gain = model.NameHash(p.code.Src[t.Start:t.End])|1, alignment.Gain(bits)
		}
		out = append(out, s)
	}
	return out
}

// beside adds the evidence of comments in both versions and right above them.
func (b *bounder) beside(e score.Evidence, p Pair) score.Evidence {
	const least = 12 // words
	for i, side := range []*piece{p.New, p.Old} {
		begin := uint32(0)
		if side.from > 0 {
			begin = side.code.Toks[side.from-1].End
		}
		c := &b.read[i]
		c.Read(side.code.Src[:side.code.Toks[side.to-1].End], int(begin), side.code.Toks[side.from:side.to], least)
		c.List = comments.Distinctive(side.code.Src, c.Words, c.List)
	}
	var shared []score.CommentRun
	for _, r := range comments.Shared(&b.read[0], &b.read[1], least) {
		shared = append(shared, score.CommentRun{Words: r.Len})
	}
	return b.prose.Beside(e, shared)
}
