package match

import "bytes"

// Who copies takes whole lines and whole brackets; strangers agree from the middle
// of one line to the middle of another. Half of the strongest matches between
// strangers miss the nearest common line by five tokens and more, and hold two
// brackets without their other half; of the copies one in twenty does. The few
// tokens at either end that agree with what stands next to a copy by accident are
// looked past.
const (
	bitsEdge     = 3.5 // for each token by which an end misses a line that begins on both sides
	edgeMost     = 6   // of these tokens, at either end
	edgeReach    = 24  // tokens within which such a line is looked for
	bitsBracket  = 10.0
	bracketMost  = 3
	bracketSlack = 8    // tokens of either end that may be left out to even the brackets
	edgesMost    = 30.0 // bits of all of it: lines and brackets get edited too
)

// edges is what speaks against a match for where it begins and ends, in bits.
func edges(target, origin Side, m Match) float64 {
	if target.Prose {
		return 0
	}
	begin, late := breaks(target, origin, m.Runs[0], false)
	end, early := breaks(target, origin, m.Runs[len(m.Runs)-1], true)
	return min(edgesMost, bitsEdge*float64(late+early)+bitsBracket*float64(uneven(brackets(target, m), begin, end)))
}

// breaks returns how many tokens it is from one end of a run to the places within
// bracketSlack where a line begins on both sides, and by how many the end misses
// the first of them. Where a side has no lines at all, as minified code, that tells
// nothing.
func breaks(target, origin Side, r Run, last bool) (at []int, miss int) {
	var some [2]bool
	miss = edgeMost
	for i := range min(edgeReach, r.Len) + 1 {
		t, o := r.Target+i, r.Origin+i
		if last {
			t, o = r.targetEnd()-i, r.originEnd()-i
		}
		a, b := target.begins(t), origin.begins(o)
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
func (s Side) begins(i uint32) bool {
	return i == 0 || int(i) >= len(s.Tokens) || bytes.IndexByte(s.Text[s.Tokens[i-1].Start:s.Tokens[i].Start], '\n') >= 0
}

// brackets tells of each matched token whether it opens a bracket, 1, or closes
// one, -1.
func brackets(s Side, m Match) []int8 {
	out := make([]int8, 0, m.Tokens())
	for _, r := range m.Runs {
		for i := range r.Len {
			b := int8(0)
			if text := s.text(r.Target + i); len(text) == 1 {
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

// uneven counts the brackets without their other half, bracketMost at most, in
// what is left when one of begin tokens is cut from the front and one of end from
// the back: the fewest there are.
func uneven(bs []int8, begin, end []int) int {
	least := bracketMost
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
