// Package alignment aligns two stretches of code that people edited apart. If edits come every few tokens, no run is long enough to
// be evidence by itself. But the tokens that the stretches share in one order, with the same names, are evidence.
//
// The input is tokens with their names; the output is the best local alignment (Smith and Waterman's, with affine gaps). The
// package does no I/O and knows nothing of the index.
package alignment

import (
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// Symbol is a token in an alignment.
type Symbol struct {
	Kind uint32 // equal for all names
	Text uint32 // hash of the name or value; 0 if the kind says everything
	Gain int32  // gain for an equal name or value on the other side
}

// Gains and losses of an alignment. The unit is about half a bit.
const (
	KeywordGain = 2 // gain of a token without a name or value
	name        = 4 // gain of an equal name or value; nameBit is added for each of its bits
	nameBit     = 2
	renamed     = -2
	gapOpen     = 14
	gapToken    = 1
)

// Gain returns how much an equal name or value adds to the score of an alignment. bits is the evidence of the name or value.
func Gain(bits float64) int32 { return name + int32(nameBit*bits) }

// Mismatch returns a symbol that agrees with no other.
func Mismatch() Symbol { return Symbol{Gain: -1 << 20} }

// Aligner reuses its memory for the next alignment. The zero value is ready.
type Aligner struct {
	best, up []int32
	from     []uint8
	left     []int32 // by token of the target: the most that the tokens from it on can gain
}

// The origin of a cell of the matrix.
const (
	stop     = 0
	diagonal = 1
	fromUp   = 2 // a token of the target is skipped
	fromLeft = 3 // a token of the origin is skipped
	way      = 3
	upOpen   = 4 // the gap in the target begins here
	leftOpen = 8
)

// Align returns the runs of the best local alignment, ascending on both sides, and its gain. It strays at most band tokens from
// the diagonal of at, a pair of positions. It returns no runs if the gain is below least.
func (a *Aligner) Align(target, origin []Symbol, at match.Seed, band, least int) (runs []match.Run, gain int) {
	n, m := len(target), len(origin)
	a.best, a.up = zeroed(a.best, m+1), zeroed(a.up, m+1)
	a.from = slices.Grow(a.from[:0], (n+1)*(m+1))[:(n+1)*(m+1)]
	clear(a.from[:m+1]) // the way back ends in the first row or column, if no cell of the band stops it
	for i := 1; i <= n; i++ {
		a.from[i*(m+1)] = stop
	}
	for j := range a.up {
		a.up[j] = never
	}
	a.bound(target, origin)
	top, atT, atO := int32(0), 0, 0
	shift := int(at.Origin) - int(at.Target)
	first, last := 1, m // columns of the next row that can be part of the best alignment
	for i := 1; i <= n && first <= last; i++ {
		low, high := max(first, i+shift-band), min(last, i+shift+band)
		if low > high {
			continue
		}
		best, j := a.row(&target[i-1], origin, a.from[i*(m+1):][:m+1], low, high)
		if best > top {
			top, atT, atO = best, i, j
		}
		if int(max(top, a.reach(best, i))) < least {
			return nil, 0
		}
		if need := max(top, int32(least)) - a.left[i]; need > 0 && i < n { // no alignment that begins later is as good
			first, last = a.narrow(low, high, need)
			further := max(0, best+max(0, target[i].Gain)-gapOpen-need) // tokens of the origin that a gap can skip after the last column
			last = min(m, last+2+int(further))
		}
	}
	if int(top) < least {
		return nil, 0
	}
	return a.trace(atT, atO, m), int(top)
}

// narrow returns the columns of a row with the gain that the best alignment needs there, and clears the others. The interval is empty if
// there are none.
func (a *Aligner) narrow(low, high int, need int32) (first, last int) {
	for low <= high && max(a.best[low], a.up[low]) < need {
		a.best[low], a.up[low] = 0, never
		low++
	}
	for high >= low && max(a.best[high], a.up[high]) < need {
		a.best[high], a.up[high] = 0, never
		high--
	}
	if low > high {
		return 1, -2
	}
	return low, high
}

// bound computes the most that the tokens of the target can gain from each token on. Tokens whose name the origin lacks gain
// nothing.
func (a *Aligner) bound(target, origin []Symbol) {
	const bits = 1 << 11
	var has [bits / 64]uint64
	for i := range origin {
		has[origin[i].Text%bits/64] |= 1 << (origin[i].Text % 64)
	}
	a.left = zeroed(a.left, len(target)+1)
	for i := len(target) - 1; i >= 0; i-- {
		a.left[i] = a.left[i+1]
		if t := &target[i]; t.Gain > 0 && has[t.Text%bits/64]>>(t.Text%64)&1 == 1 {
			a.left[i] += t.Gain
		}
	}
}

// reach returns the most that an alignment can gain if it has this gain before token i of the target, or if it begins there or
// later. An alignment in a gap at i has less than before the gap.
func (a *Aligner) reach(gain int32, i int) int32 { return gain + a.left[i] }

// never is smaller than any gain.
const never = -1 << 28

// row computes the cells [low, high] of a token of the target, and returns the best of them.
func (a *Aligner) row(t *Symbol, origin []Symbol, row []uint8, low, high int) (top int32, at int) {
	kind, text, gain := t.Kind, t.Text, t.Gain
	// slices of one length, so that no index is checked
	origin = origin[low-1 : high]
	best, up, row := a.best[low:][:len(origin)], a.up[low:][:len(origin)], row[low:][:len(origin)]
	corner, left, before := a.best[low-1], int32(never), int32(never)
	for j := range origin {
		o, above := &origin[j], best[j]
		// most cells gain nothing: the kinds differ, and no gap reaches them. All four differences are negative then
		if (above-gapOpen-1)&(before-gapOpen-1)&(up[j]-gapToken-1)&(left-gapToken-1) < 0 && kind != o.Kind {
			corner, before, best[j], row[j] = above, 0, 0, stop
			continue
		}
		flags := uint8(0)
		u := up[j] - gapToken
		if open := above - gapOpen; open >= u {
			u, flags = open, upOpen
		}
		up[j] = u
		left -= gapToken
		if open := before - gapOpen; open >= left {
			left, flags = open, flags|leftOpen
		}
		h, w := int32(0), uint8(stop)
		if kind == o.Kind {
			d := corner + renamed
			if text == o.Text {
				d = corner + gain
			}
			if d > 0 {
				h, w = d, diagonal
			}
		}
		if u > h {
			h, w = u, fromUp
		}
		if left > h {
			h, w = left, fromLeft
		}
		corner, before = above, h
		best[j], row[j] = h, flags|w
		if h > top {
			top, at = h, low+j
		}
	}
	return top, at
}

// trace follows the best alignment back from its end.
func (a *Aligner) trace(i, j, m int) (runs []match.Run) {
	for w := a.from[i*(m+1)+j] & way; w != stop; w = a.from[i*(m+1)+j] & way {
		switch w {
		case diagonal:
			i, j = i-1, j-1
			if n := len(runs); n > 0 && int(runs[n-1].Target) == i+1 && int(runs[n-1].Origin) == j+1 {
				runs[n-1] = match.Run{Target: uint32(i), Origin: uint32(j), Len: runs[n-1].Len + 1}
			} else {
				runs = append(runs, match.Run{Target: uint32(i), Origin: uint32(j), Len: 1})
			}
		case fromUp:
			for open := false; !open; i-- {
				open = a.from[i*(m+1)+j]&upOpen != 0
			}
		case fromLeft:
			for open := false; !open; j-- {
				open = a.from[i*(m+1)+j]&leftOpen != 0
			}
		}
	}
	for x, y := 0, len(runs)-1; x < y; x, y = x+1, y-1 {
		runs[x], runs[y] = runs[y], runs[x]
	}
	return runs
}

// zeroed returns n zeroes, in the memory of s if it is large enough.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
