package similar

import (
	"cmp"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/sketch"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Filter defines which pairs a result keeps, and their order.
type Filter struct {
	Share                      float64 // least share of the tokens of either unit; with BySimilarity least similarity
	Tokens                     int     // least number of shared tokens
	Sort                       string  // ByShare, ByTokens, ByBits, BySimilarity or ByAlone
	MinSize, MaxSize, MaxRatio int     // bounds of each unit's tokens, and of the ratio of their lengths; 0 means no bound
	Group                      float64 // least share or similarity that links two units to one group
}

// of returns the number by which a pair is filtered and grouped.
func (f Filter) of(p UnitPair) float64 {
	if f.Sort == BySimilarity {
		return p.Similarity
	}
	return p.Share()
}

// fits reports whether two units of these numbers of tokens are shown as a pair.
func (f Filter) fits(a, b int) bool {
	small, large := min(a, b), max(a, b)
	return small >= f.MinSize && (f.MaxSize == 0 || large <= f.MaxSize) && (f.MaxRatio == 0 || large <= f.MaxRatio*small)
}

// bounded reports whether the sizes of units matter.
func (f Filter) bounded() bool { return f.MinSize > 0 || f.MaxSize > 0 || f.MaxRatio > 0 }

// tokens returns how many tokens a pair must share. With BySimilarity and the default of Tokens that is zero.
func (f Filter) tokens() int {
	if f.Sort == BySimilarity && f.Tokens == 1 {
		return 0
	}
	return f.Tokens
}

// The orders of pairs.
const (
	ByShare      = "share"
	ByTokens     = "tokens"
	ByBits       = "bits"
	BySimilarity = "similarity"
	ByAlone      = "alone"
)

// alone returns Alone, or 0 if it is nil.
func (p UnitPair) alone() int {
	if p.Alone == nil {
		return 0
	}
	return *p.Alone
}

// brief is how many shared tokens halve a share, as far as the order is concerned. Files of a few tokens are often equal by chance.
const brief = 31

// lessIfBrief returns a share as the order counts it: one of few tokens counts less.
func lessIfBrief(share, tokens float64) float64 { return share * tokens / (tokens + brief) }

// weighed returns the number that ByShare orders by. Tokens that repeat others do not count: tables share all of their tokens, whoever
// wrote them.
func (p UnitPair) weighed() float64 {
	tokens := func(shared int) float64 {
		if p.Distinct > 0 {
			shared = min(shared, p.Distinct)
		}
		return float64(shared)
	}
	return max(lessIfBrief(p.ShareA, tokens(p.SharedA)), lessIfBrief(p.ShareB, tokens(p.SharedB)))
}

// Filter drops pairs that f leaves out, orders the others and forms their groups. A result can be filtered again, but dropped
// pairs do not come back.
func (r *Result) Filter(f Filter) {
	sizes := make(map[string]int)
	if f.bounded() {
		for _, u := range r.Units {
			sizes[u.Name] = u.Tokens
		}
	}
	r.Pairs = slices.DeleteFunc(r.Pairs, func(p UnitPair) bool {
		return !f.fits(sizes[p.A], sizes[p.B]) || f.of(p) < f.Share || max(p.SharedA, p.SharedB) < f.tokens()
	})
	slices.SortStableFunc(r.Pairs, func(x, y UnitPair) int {
		first := 0
		switch f.Sort {
		case ByTokens:
			first = cmp.Compare(max(y.SharedA, y.SharedB), max(x.SharedA, x.SharedB))
		case BySimilarity:
			first = cmp.Compare(y.Similarity, x.Similarity)
		case ByAlone:
			first = cmp.Compare(y.alone(), x.alone())
		case ByBits:
			first = cmp.Compare(y.Bits, x.Bits)
		}
		return cmp.Or(first, cmp.Compare(y.weighed(), x.weighed()), finding.CompareTrue(x.Equal, y.Equal), cmp.Compare(y.SharedA+y.SharedB, x.SharedA+x.SharedB), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	r.Groups, r.order = r.groups(f), f.Sort
}

// numbered returns the names of units, and the numbers of the units of a pair among them. A result that was read has no numbers.
func (r *Result) numbered() (names []string, of func(*UnitPair) (a, b int)) {
	if r.details != nil {
		names = make([]string, len(r.Units))
		for i, u := range r.Units {
			names[i] = u.Name
		}
		return names, func(p *UnitPair) (a, b int) { return p.a, p.b }
	}
	number := make(map[string]int)
	for _, p := range r.Pairs {
		for _, name := range []string{p.A, p.B} {
			if _, known := number[name]; !known {
				number[name], names = len(names), append(names, name)
			}
		}
	}
	return names, func(p *UnitPair) (a, b int) { return number[p.A], number[p.B] }
}

// groups links the units of pairs that share f.Group or more (single linkage).
func (r *Result) groups(f Filter) []Group {
	names, of := r.numbered()
	linked := sketch.NewDisjointSets(len(names))
	least := slices.Repeat([]float64{math.Inf(1)}, len(names)) // of a set, at its root
	for i := range r.Pairs {
		p := &r.Pairs[i]
		if f.of(*p) < f.Group {
			continue
		}
		a, b := of(p)
		a, b = linked.Find(a), linked.Find(b)
		if a != b {
			linked.Join(a, b)
			least[linked.Find(a)] = min(least[a], least[b], f.of(*p))
		}
	}
	out := []Group{}
	for _, set := range linked.Groups() {
		g := Group{Units: make([]string, len(set)), Least: least[linked.Find(set[0])]}
		for i, n := range set {
			g.Units[i] = names[n]
		}
		slices.Sort(g.Units)
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(len(b.Units), len(a.Units)), cmp.Compare(b.Least, a.Least), cmp.Compare(a.Units[0], b.Units[0]))
	})
	return out
}
