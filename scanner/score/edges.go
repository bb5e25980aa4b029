package score

import (
	"bytes"

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
// the back: the fewest there are.
func uneven(bs []int8, begin, end []int) int {
	least := len(bs) + 1 // nothing is left
	for _, a := range begin {
		for _, b := range end {
			if a+b < len(bs) {
				least = min(least, halves(bs[a:len(bs)-b]))
			}
		}
	}
	return least
}

func halves(bs []int8) int {
	closed, depth := 0, 0
	for _, b := range bs {
		if depth += int(b); depth < 0 {
			closed, depth = closed+1, 0
		}
	}
	return closed + depth
}
