package similar

import (
	"slices"
	"sort"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// holding counts the units that have the tokens of a content. A unit that holds a file of that content is counted if several
// units do.
type holding struct {
	self   int   // 1 if several units hold the content, else 0
	cuts   []int // where the number changes, ascending
	units  []int // how many, from each cut to the next
	before []int // the sum over all tokens before a cut
	alone  []int // the tokens before a cut that one unit has, beyond self
}

// holdings counts, for each content that units share, how many units have each part of it.
func (g *gather) holdings() map[collection.ID]*holding {
	of := make(map[collection.ID][]match.Interval)
	for k, is := range g.shared {
		of[k.doc] = append(of[k.doc], is...)
	}
	out := make(map[collection.ID]*holding, len(of))
	for doc, is := range of {
		self := 0
		if g.unit[doc] == several {
			self = 1
		}
		out[doc] = newHolding(is, self)
	}
	return out
}

// newHolding counts the units of intervals; the intervals of one unit are disjoint.
func newHolding(is []match.Interval, self int) *holding {
	var from, to []int
	for _, v := range is {
		from, to = append(from, v.From), append(to, v.To)
	}
	slices.Sort(from)
	slices.Sort(to)
	h := &holding{self: self, cuts: slices.Concat(from, to)}
	slices.Sort(h.cuts)
	h.cuts = slices.Compact(h.cuts)
	sum, alone := 0, 0
	for i, at := range h.cuts {
		n := sort.SearchInts(from, at+1) - sort.SearchInts(to, at+1)
		h.units, h.before, h.alone = append(h.units, n), append(h.before, sum), append(h.alone, alone)
		if i+1 == len(h.cuts) {
			break
		}
		sum += n * (h.cuts[i+1] - at)
		if n == 1+self {
			alone += h.cuts[i+1] - at
		}
	}
	return h
}

// upTo sums the units of the tokens before a position. It also counts those of the tokens that exactly one unit has beyond
// self.
func (h *holding) upTo(at int) (sum, alone int) {
	i := sort.SearchInts(h.cuts, at+1) - 1
	if i < 0 {
		return 0, 0
	}
	sum, alone = h.before[i]+h.units[i]*(at-h.cuts[i]), h.alone[i]
	if h.units[i] == 1+h.self {
		alone += at - h.cuts[i]
	}
	return sum, alone
}

// others takes the intervals that one unit shares with the unit of the file. It returns how many further units have them on
// average, and how many of their tokens no further unit has.
func (h *holding) others(is []match.Interval) (units, alone int) {
	sum := 0
	for _, v := range is {
		a, x := h.upTo(v.From)
		b, y := h.upTo(v.To)
		sum, alone = sum+b-a, alone+y-x
	}
	n := match.Length(is)
	return max(0, (sum+n/2)/max(n, 1)-1-h.self), alone
}

// tellOthers records for each pair of files how many other units have the shared code. It returns, for two units, how many
// tokens of the first the second has and no third unit has.
func (g *gather) tellOthers() map[[2]int]int {
	holdings := g.holdings()
	for i := range g.pairs {
		p := &g.pairs[i]
		p.Others, _ = holdings[p.docA].others(g.shared[inUnit{p.docA, p.b}])
	}
	out := make(map[[2]int]int)
	for k, is := range g.shared {
		_, alone := holdings[k.doc].others(is)
		for _, f := range g.holders.of(k.doc) {
			if u := g.files[f].unit; u != k.unit {
				out[[2]int{u, k.unit}] += alone
			}
		}
	}
	return out
}
