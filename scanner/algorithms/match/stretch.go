package match

import (
	"slices"
)

// Stretch is the longest possible extent, in half-open target tokens, of a run through neighbouring seeds on one diagonal.
type Stretch struct {
	From, To int
	diagonal int64
}

// Grouper computes from seeds alone what can be matched, so that documents that cannot become a finding need not be loaded. It
// reuses its buffers. The zero value is ready.
type Grouper struct {
	stretches []Stretch
	keys      []uint64
	done      []bool
	group     []int
	near      []Interval
}

// Reach appends the target tokens of all runs that seeds can belong to, whatever their diagonals: disjoint and ascending. Seeds
// must ascend by target. See Stretches.
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

// Stretches groups seeds that can belong to one run. The result is valid until the next call.
//
// A shared run has a seed in each of its windows of w k-grams. So neighbouring seeds of one run are at most w apart. The run
// extends at most w-1 tokens before its first seed, and at most w-1 beyond the k-gram of its last one: any longer, it would
// contain a window without a seed. The only exceptions are capped posting lists, which the ledger lists.
func (n *Grouper) Stretches(seeds []Seed, k, w int) []Stretch {
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

// manyStretches is the number from which comparing stretches costs more than loading the document.
const manyStretches = 1024

// Groups calls fn with the target tokens of each group of stretches that gaps can join to one match. In a group, each stretch is
// within reach of another. The intervals are disjoint and ascend; they are valid during the call. Groups stops and returns true
// when fn does. It also returns true if there are too many stretches to decide. ss must come from Stretches.
func (n *Grouper) Groups(ss []Stretch, p Params, fn func(group []Interval) bool) bool {
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
			from, to := ss[a].From-p.MaxGap, ss[a].To+p.MaxGap
			for b := a - 1; b >= 0 && ss[a].diagonal-ss[b].diagonal <= int64(p.MaxGap); b-- {
				if !done[b] && ss[b].From <= to && from <= ss[b].To {
					done[b] = true
					group = append(group, b)
				}
			}
			for b := a + 1; b < len(ss) && ss[b].diagonal-ss[a].diagonal <= int64(p.MaxGap); b++ {
				if !done[b] && ss[b].From <= to && from <= ss[b].To {
					done[b] = true
					group = append(group, b)
				}
			}
		}
		if fn(Union(near)) {
			return true
		}
	}
	return false
}
