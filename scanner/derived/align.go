// Package derived aligns two stretches of code that people edited apart. Where edits come every few tokens no run is
// long enough to be evidence by itself. What the stretches still share in one order, with the same names, is.
//
// Tokens with their names flow in, the best local alignment flows out (Smith and Waterman's, with affine gaps). It
// does no I/O and knows nothing of the index.
package derived

import "github.com/git-provenance/git-provenance/scanner/match"

// Symbol is a token as the alignment sees it.
type Symbol struct {
	Kind uint32 // equal for all names
	Text uint32 // digest of the name or value; 0 for what its kind says all of
	Gain int32  // for the same name or value on the other side
}

// What an alignment gains and loses. The unit is half a bit, about.
const (
	Keyword  = 2 // gain of a token that is all in its kind
	name     = 4 // gain of a name or value, and of each of its bits
	nameBit  = 2
	renamed  = -2
	gapOpen  = 14
	gapToken = 1
)

// Gain is what the same name or value on both sides gains if it has so many bits.
func Gain(bits float64) int32 { return name + int32(nameBit*bits) }

// Nothing is a symbol that agrees with nothing.
func Nothing() Symbol { return Symbol{Gain: -1 << 20} }

// Aligner keeps its memory from one alignment to the next. The zero value is ready.
type Aligner struct {
	best, up []int32
	from     []uint8
	left     []int32 // by token of the target: what those from it on gain at most
}

// Where a cell of the matrix comes from.
const (
	stop     = 0
	diagonal = 1
	fromUp   = 2 // a token of the target is skipped
	fromLeft = 3 // a token of the origin is
	way      = 3
	upOpen   = 4 // the gap in the target begins here
	leftOpen = 8
)

// Align returns the pairs of the best local alignment as runs, ascending on both sides, and what it gains. It strays at
// most band tokens from the diagonal of at, a pair of positions. An alignment that gains less than least is none.
func (a *Aligner) Align(target, origin []Symbol, at match.Seed, band, least int) (runs []match.Run, gain int) {
	n, m := len(target), len(origin)
	a.best, a.up = zeroed(a.best, m+1), zeroed(a.up, m+1)
	a.from = zeroed(a.from, (n+1)*(m+1))
	for j := range a.up {
		a.up[j] = never
	}
	a.bound(target, origin)
	top, atT, atO := int32(0), 0, 0
	shift := int(at.Origin) - int(at.Target)
	for i := 1; i <= n; i++ {
		low, high := max(1, i+shift-band), min(m, i+shift+band)
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
	}
	if int(top) < least {
		return nil, 0
	}
	return a.trace(atT, atO, m), int(top)
}

// bound works out what the tokens of the target from each on can gain: nothing where the origin has not got the name.
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

// reach is what an alignment can come to that gains so much up to the token before i of the target, or begins there or
// later. One that a gap ends in at i gains less than before the gap.
func (a *Aligner) reach(gain int32, i int) int32 { return gain + a.left[i] }

// never is less than any gain.
const never = -1 << 28

// row fills the cells [low, high] of a token of the target, and returns the best of them.
func (a *Aligner) row(t *Symbol, origin []Symbol, row []uint8, low, high int) (top int32, at int) {
	corner, left, before := a.best[low-1], int32(never), int32(never)
	for j := low; j <= high; j++ {
		o, above := &origin[j-1], a.best[j]
		flags := uint8(0)
		u := a.up[j] - gapToken
		if open := above - gapOpen; open >= u {
			u, flags = open, upOpen
		}
		a.up[j] = u
		left -= gapToken
		if open := before - gapOpen; open >= left {
			left, flags = open, flags|leftOpen
		}
		h, w := int32(0), uint8(stop)
		if t.Kind == o.Kind {
			d := corner + renamed
			if t.Text == o.Text {
				d = corner + t.Gain
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
		a.best[j], row[j] = h, flags|w
		if h > top {
			top, at = h, j
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

// zeroed returns n zeroes in the memory of s, if it has room for them.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
