package match

import (
	"cmp"
	"slices"
)

// Stretch is where a run through seeds that lie close together on one diagonal
// can be, at most: half-open target tokens.
type Stretch struct {
	From, To int
	diagonal int64
}

// Tokens is the length of the longest run the stretch can hold.
func (s Stretch) Tokens() int { return s.To - s.From }

// Nearness bounds from seeds alone what can be matched, so that documents which
// cannot amount to a finding need not be loaded. Its buffers live on; the zero
// value is ready.
type Nearness struct {
	stretches []Stretch
	keys      []uint64
	done      []bool
	group     []int
	near      []Interval
}

// Reach appends the target tokens that seeds can be part of a run of, whatever
// their diagonals: disjoint and ascending. See Stretches. Seeds must ascend by
// target.
func Reach(dst []Interval, seeds []Seed, k, w int) []Interval {
	for _, s := range seeds {
		from, to := max(0, int(s.Target)-(w-1)), int(s.Target)+k+w-1
		if n := len(dst); n > 0 && from <= dst[n-1].To {
			dst[n-1].To = to
		} else {
			dst = append(dst, Interval{from, to})
		}
	}
	return dst
}

// Stretches groups seeds that can be part of one run; it is valid until the next
// call.
//
// A shared run has a seed in each of its windows of w k-grams. So take a run
// whose first and last seeds are given, with no two neighbours further apart
// than w. It extends at most w-1 tokens before the first and w-1 beyond the
// k-gram of the last. One k-gram further there would be a window without a
// seed. Capped posting lists are the exception, and they are in the ledger.
func (n *Nearness) Stretches(seeds []Seed, k, w int) []Stretch {
	n.keys = byDiagonal(seeds, n.keys)
	out := n.stretches[:0]
	for i := 0; i < len(seeds); {
		j := i + 1
		for j < len(seeds) && diagonal(seeds[j]) == diagonal(seeds[i]) && seeds[j].Target-seeds[j-1].Target <= uint32(w) {
			j++
		}
		out = append(out, Stretch{max(0, int(seeds[i].Target)-(w-1)), int(seeds[j-1].Target) + k + w - 1, diagonal(seeds[i])})
		i = j
	}
	n.stretches = out
	return out
}

// manyStretches is where weighing them one against the other costs more than
// loading the document.
const manyStretches = 1024

// Interval is a half-open stretch of target tokens.
type Interval struct{ From, To int }

// Length adds up intervals.
func Length(is []Interval) (n int) {
	for _, v := range is {
		n += v.To - v.From
	}
	return n
}

// Within tells whether a token lies in one of some intervals.
func Within(is []Interval, at int) bool {
	return slices.ContainsFunc(is, func(v Interval) bool { return v.From <= at && at < v.To })
}

// Count returns how many tokens are masked.
func Count(masked []bool) (n int) {
	for _, m := range masked {
		if m {
			n++
		}
	}
	return n
}

// Without cuts masked tokens out of intervals.
func Without(is []Interval, masked []bool) []Interval {
	if masked == nil {
		return is
	}
	var out []Interval
	for _, v := range is {
		for i := v.From; i < v.To; i++ {
			if masked[i] {
				continue
			}
			if n := len(out); n > 0 && out[n-1].To == i {
				out[n-1].To++
			} else {
				out = append(out, Interval{From: i, To: i + 1})
			}
		}
	}
	return out
}

// Groups calls fn with the target tokens that gaps may bridge to one match, for
// each such set of stretches: from each, one within reach leads to all others.
// The intervals are disjoint and ascend; they are valid during the call. It
// stops at the first true of fn and returns it; it returns true also when there
// are too many stretches to tell. Stretches come from Stretches.
func (n *Nearness) Groups(ss []Stretch, p Params, fn func(group []Interval) bool) bool {
	if len(ss) > manyStretches {
		return true
	}
	near, group := n.near, n.group
	defer func() { n.near, n.group = near, group }()
	n.done = slices.Grow(n.done[:0], len(ss))[:len(ss)]
	clear(n.done)
	done := n.done
	for i := range ss {
		if done[i] {
			continue
		}
		done[i] = true
		group, near = append(group[:0], i), near[:0]
		for g := 0; g < len(group); g++ {
			a := group[g]
			near = append(near, Interval{ss[a].From, ss[a].To})
			visit := func(b int) {
				if !done[b] && ss[b].From <= ss[a].To+p.MaxGap && ss[a].From <= ss[b].To+p.MaxGap {
					done[b] = true
					group = append(group, b)
				}
			}
			for b := a - 1; b >= 0 && ss[a].diagonal-ss[b].diagonal <= int64(p.MaxGap); b-- {
				visit(b)
			}
			for b := a + 1; b < len(ss) && ss[b].diagonal-ss[a].diagonal <= int64(p.MaxGap); b++ {
				visit(b)
			}
		}
		if fn(Union(near)) {
			return true
		}
	}
	return false
}

// Union sorts intervals and merges those that overlap, in place.
func Union(iv []Interval) []Interval {
	slices.SortFunc(iv, func(a, b Interval) int { return cmp.Compare(a.From, b.From) })
	out := iv[:0]
	for _, v := range iv {
		if n := len(out); n > 0 && v.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, v.To)
		} else {
			out = append(out, v)
		}
	}
	return out
}
