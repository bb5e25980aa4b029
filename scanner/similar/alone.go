package similar

import (
	"slices"
	"sort"

	"github.com/git-provenance/git-provenance/scanner/collection"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// holding tells how many units have the tokens of a content. A unit that holds a file of it
// is one of them if several do.
type holding struct {
	self   int   // 1 if several units hold the content, else 0
	cuts   []int // where the number changes, ascending
	units  []int // from each cut to the next
	before []int // the sum over all tokens before a cut
	alone  []int // the tokens before a cut that one unit has, beyond self
}

// holdings works out, for each content that units share, how many have which part.
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

// newHolding counts intervals; those of one unit are disjoint.
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

// upTo returns the sum of units over the tokens before a place, and how many of these
// tokens one unit has beyond self.
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

// others returns how many units have the intervals of one of them on average, beyond that one
// and the unit whose file it is, and how many tokens none has beyond these two.
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

// tellOthers notes of the pairs of files how many other units have what they share, and
// returns how many tokens of a unit another has that no third one has.
func (g *gather) tellOthers() map[[2]int]int {
	holdings := g.holdings()
	for i := range g.pairs {
		p := &g.pairs[i]
		p.Others, _ = holdings[p.docA].others(g.shared[inUnit{p.docA, p.b}])
	}
	out := make(map[[2]int]int)
	for k, is := range g.shared {
		_, alone := holdings[k.doc].others(is)
		for _, f := range g.holders[k.doc] {
			if u := g.files[f].unit; u != k.unit {
				out[[2]int{u, k.unit}] += alone
			}
		}
	}
	return out
}
