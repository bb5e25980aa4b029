package score

import (
	"bytes"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/match"
)

// Copies usually cover whole lines and balanced brackets. Matches between unrelated
// files often start and end within a line: half of the strongest ones miss the
// nearest common line by five tokens and more, and hold two brackets without their
// other half. Of the copies one in twenty does. A few tokens at either end that
// agree by accident with the neighbours of a copy do not count as its boundary.

// edges reads where a match begins and ends.
func (r *Readings) edges(target, origin match.Side, m match.Match) {
	if target.Prose {
		return
	}
	var begin, end []int
	begin, r.Late = breaks(target, origin, m.Runs[0], false)
	end, r.Early = breaks(target, origin, m.Runs[len(m.Runs)-1], true)
	r.Uneven = uneven(brackets(target, m), begin, end)
}

// breaks returns how many tokens it is from one end of a run to the places within
// bracketSlack where a line begins on both sides, and by how many the end misses
// the first of them. Where a side has no lines at all, as minified code, that tells
// nothing.
func breaks(target, origin match.Side, r match.Run, last bool) (at []int, miss int) {
	var some [2]bool
	miss = edgeReach
	for i := range min(edgeReach, r.Len) + 1 {
		t, o := r.Target+i, r.Origin+i
		if last {
			t, o = r.TargetEnd()-i, r.OriginEnd()-i
		}
		a, b := begins(target, t), begins(origin, o)
		some[0], some[1] = some[0] || a, some[1] || b
		if a && b {
			miss = min(miss, int(i))
			if i <= bracketSlack && i < r.Len {
				at = append(at, int(i))
			}
		}
	}
	if !some[0] || !some[1] {
		miss = 0
	}
	if len(at) == 0 {
		at = append(at, 0)
	}
	return at, miss
}

// begins tells whether a line begins with token i, or the stream ends there.
func begins(s match.Side, i uint32) bool {
	if i == 0 || int(i) >= s.Len() {
		return true
	}
	from, _ := s.Span(i - 1)
	to, _ := s.Span(i)
	return bytes.IndexByte(s.Text[from:to], '\n') >= 0
}

// brackets tells of each matched token whether it opens a bracket, 1, or closes
// one, -1.
func brackets(s match.Side, m match.Match) []int8 {
	out := make([]int8, 0, m.Tokens())
	for _, r := range m.Runs {
		for i := range r.Len {
			b := int8(0)
			if text := s.TextAt(r.Target + i); len(text) == 1 {
				switch text[0] {
				case '(', '[', '{':
					b = 1
				case ')', ']', '}':
					b = -1
				}
			}
			out = append(out, b)
		}
	}
	return out
}

// uneven counts the brackets without their other half in what is left when one of begin tokens is cut from the front and one of end from
// the back: the fewest there are. What every choice leaves is read once.
func uneven(bs []int8, begin, end []int) int {
	least := len(bs) + 1 // nothing is left
	from, to := slices.Max(begin), len(bs)-slices.Max(end)
	var inner nesting
	if from < to {
		inner = inner.then(bs[from:to])
	}
	for _, a := range begin {
		for _, b := range end {
			switch {
			case from < to:
				n := nesting{}.then(bs[a:from]).and(inner).then(bs[to : len(bs)-b])
				least = min(least, n.halves())
			case a+b < len(bs):
				least = min(least, nesting{}.then(bs[a:len(bs)-b]).halves())
			}
		}
	}
	return least
}

// nesting is brackets without their other half: those that close, and those that open.
type nesting struct{ closed, open int }

func (n nesting) halves() int { return n.closed + n.open }

// and is n, followed by m.
func (n nesting) and(m nesting) nesting {
	pairs := min(n.open, m.closed)
	return nesting{n.closed + m.closed - pairs, n.open + m.open - pairs}
}

// then is n, followed by brackets.
func (n nesting) then(bs []int8) nesting {
	for _, b := range bs {
		switch {
		case b > 0:
			n.open++
		case b < 0 && n.open > 0:
			n.open--
		case b < 0:
			n.closed++
		}
	}
	return n
}
