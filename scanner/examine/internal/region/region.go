// Package region groups proofs (verified matches, each with one document) by the stretch of the text that they cover:
//
//	Regions      proofs → candidates: regions, each with its best origin (region.go, best.go, occurrence.go)
//	Supporting   candidates → the bits that matches of one document can add to each other
//	Fold         candidates → those that are left if one of two that mostly overlap is dropped (join.go)
//	Join         candidates → those that share no line with another one of the same file of a package (join.go)
//	PreferNamed  candidates → the same; the package that a vendored path names is the best origin (named.go)
//	PreferElder  candidates → the same; of equal origins, the package that had an older form is the best (elder.go)
//
//	candidate.go  Region: a stretch of the text with its proofs; Candidate: a region on its way to a finding; Occurrence: a candidate origin
package region

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Gatherer makes regions of the proofs of a text.
type Gatherer struct {
	text  *text.Examined
	judge *evidence.Judge
}

// New returns a gatherer of the regions of the text that t currently holds.
func New(t *text.Examined, j *evidence.Judge) *Gatherer { return &Gatherer{t, j} }

// Gather groups proofs into regions. The longest proof makes a region and takes up every other proof that is inside it by
// sameRegion. So a vendored file is one finding, even if other packages contain some of its functions.
func Gather(ps []evidence.Proof) []Region {
	slices.SortFunc(ps, func(a, b evidence.Proof) int {
		return cmp.Or(cmp.Compare(b.Tokens(), a.Tokens()), a.Compare(&b))
	})
	var out []Region
	for _, p := range ps {
		if r := holding(out, p); r != nil {
			r.Proofs = append(r.Proofs, p)
		} else {
			out = append(out, Region{p.From, p.To, []evidence.Proof{p}})
		}
	}
	return out
}

// holding returns the region that contains a proof, or nil.
func holding(rs []Region, p evidence.Proof) *Region {
	for i := range rs {
		r := &rs[i]
		over := int(min(p.To, r.To)) - int(max(p.From, r.From))
		if float64(over) >= sameRegion*float64(p.To-p.From) && 2*match.Shared(p.Runs, r.Proofs[0].Runs) >= p.Tokens() {
			return r
		}
	}
	return nil
}

// Supports are the judged matches that can support others, by document.
type Supports = score.Supports[lookup.Key]

// Own counts occurrences in the target's own packages.
type Own map[Declared]int

// Declared is a package that is the target itself, by a declaration.
type Declared struct{ PURL, Declaration string }

// Others maps documents to their occurrences in packages of others than the target.
type Others map[lookup.Key][]baseline.Occurrence

// Supporting collects the candidates that can support others.
func Supporting(cs []Candidate, needed float64) Supports {
	strong := make(Supports)
	for _, c := range cs {
		strong.Add(c.Best.Doc.Key, c.Judgement().Judged(), needed)
	}
	strong.Sort()
	return strong
}

// Total returns the bits of a match with its support.
func (g *Gatherer) Total(strong Supports, j Judgement) float64 {
	return strong.Total(j.Doc.Key, j.Judged(), g.text.Rules.Weights)
}

// Support returns the bits that other regions add to a candidate. Regions that were joined to it do not count.
func (g *Gatherer) Support(strong Supports, c Candidate) float64 {
	key := c.Best.Doc.Key
	if c.Heaviest == nil {
		return strong.Support(key, c.Judgement().Judged())
	}
	rest := slices.DeleteFunc(slices.Clone(strong[key]), func(j score.Judged) bool {
		from, to := j.Match.Target()
		return from < c.To && c.From < to
	})
	return Supports{key: rest}.Support(key, c.Heaviest.Judged())
}

// Regions makes regions of proofs, each with its best origin, and counts the occurrences that are the target itself.
func (g *Gatherer) Regions(ps []evidence.Proof) ([]Candidate, Own, error) {
	others, own, err := g.OccurrencesOf(ps)
	if err != nil {
		return nil, nil, err
	}
	// before Gather, where a document without sources would take up others
	ps = slices.DeleteFunc(ps, func(p evidence.Proof) bool { return len(others[p.Doc.Key]) == 0 })
	all, err := g.withBest(Gather(ps), others)
	if err != nil {
		return nil, nil, err
	}
	all, err = g.addInner(all, others)
	return all, own, err
}

// withBest makes candidates of regions: it finds the best origin of each.
func (g *Gatherer) withBest(rs []Region, others Others) (out []Candidate, err error) {
	for _, r := range rs {
		occurrences := r.Ranked(others)
		best, judged, err := g.best(r, occurrences)
		if err != nil {
			return nil, err
		}
		out = append(out, Candidate{Region: r, Best: best, Occurrences: occurrences, Evidence: judged[best.Doc.Key], Judged: judged})
	}
	return out, nil
}

// addInner adds regions inside a region that has too few bits, if they have enough. So a long accident with one document does not
// hide a short copy from another.
func (g *Gatherer) addInner(cs []Candidate, others Others) (out []Candidate, err error) {
	needed := g.text.Needed(g.text.Rules.MinScore)
	var strong []Region
	for _, c := range cs {
		if c.Evidence.Bits >= needed {
			strong = append(strong, c.Region)
		}
	}
	for _, c := range cs {
		out = append(out, c)
		if g.text.Rules.Weights.Reaches(c.Evidence.Bits, needed) {
			continue
		}
		inner := slices.DeleteFunc(slices.Clone(c.Proofs), func(p evidence.Proof) bool { return c.spannedBy(p) || holding(strong, p) != nil })
		if !slices.ContainsFunc(inner, func(p evidence.Proof) bool { return p.Bound >= needed }) {
			continue
		}
		in, err := g.withBest(Gather(inner), others)
		if err != nil {
			return nil, err
		}
		for _, c := range in {
			if c.Evidence.Bits >= needed {
				out, strong = append(out, c), append(strong, c.Region)
			}
		}
	}
	return out, nil
}

// OccurrencesOf returns the occurrences of the documents of proofs, divided: those in packages of others are listed, those in the
// target's own packages are counted. An occurrence that two baselines have is listed once.
func (g *Gatherer) OccurrencesOf(ps []evidence.Proof) (Others, Own, error) {
	type location struct {
		store.Hash
		purl, path string
	}
	met, out, own := make(map[location]bool), make(Others), make(Own)
	for _, p := range ps {
		if _, ok := out[p.Doc.Key]; ok {
			continue
		}
		occs, err := p.Doc.Occurrences()
		if err != nil {
			return nil, nil, err
		}
		var foreign []baseline.Occurrence
		for _, o := range occs {
			k := location{p.Doc.Hash, o.PURL, o.Path}
			if met[k] {
				continue
			}
			met[k] = true
			if declared := g.text.Rules.Self.Declaration(o.PURL, o.Repository); declared != "" {
				own[Declared{o.PURL, declared}]++
			} else {
				foreign = append(foreign, o)
			}
		}
		out[p.Doc.Key] = foreign
	}
	return out, own, nil
}
