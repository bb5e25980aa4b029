package score

import (
	"bytes"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// Copies usually cover whole lines and balanced brackets. Matches between unrelated files often start and end within a line: half
// of the strongest ones miss the nearest common line by five tokens or more and have two or more unpaired brackets. Only one in
// twenty copies does. A few tokens at either end that match the neighbours of a copy by accident are no part of its boundary.

// edges reads the boundaries of a match. nests has for each matched token 1 if it opens a bracket, -1 if it closes one, else 0.
func (r *Readings) edges(target, origin match.Side, m match.Match, nests []int8) {
	if target.Prose {
		return
	}
	var begin, end []int
	begin, r.Late = breaks(target, origin, m.Runs[0], front)
	end, r.Early = breaks(target, origin, m.Runs[len(m.Runs)-1], back)
	r.Uneven = uneven(nests, begin, end)
}

// end is one of the two ends of a run.
type end int

const (
	front end = iota
	back
)

// breaks returns the distances, in tokens within bracketSlack, from one end of a run to lines that begin on both sides. miss is
// the distance to the first of them. It is 0 if a side has no lines, as in minified code.
func breaks(target, origin match.Side, r match.Run, of end) (at []int, miss int) {
	var some [2]bool
	miss = edgeReach
	for i := range min(edgeReach, r.Len) + 1 {
		t, o := r.Target+i, r.Origin+i
		if of == back {
			t, o = r.TargetEnd()-i, r.OriginEnd()-i
		}
		a, b := begins(target, t), begins(origin, o)
		some[0], some[1] = some[0] || a, some[1] || b
		if i > bracketSlack && some[0] && some[1] && (miss < edgeReach || a && b) {
			miss = min(miss, int(i)) // nothing further changes it
			break
		}
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

// begins reports whether token i is the first on its line, or the end of the stream.
func begins(s match.Side, i uint32) bool {
	if i == 0 || int(i) >= s.Len() {
		return true
	}
	from, _ := s.Span(i - 1)
	to, _ := s.Span(i)
	return bytes.IndexByte(s.Text[from:to], '\n') >= 0
}

// edgeBuffers are buffers of the functions below.
type edgeBuffers struct {
	open   []int    // of paired
	begins [2][]int // of Uneven
	nested []int8   // of nesting
}

// Uneven returns the least number of unpaired brackets of a match, whatever the lines of the origin are.
func (c *Costs) Uneven(m match.Match) int {
	if c.target.Prose {
		return 0
	}
	first, last := m.Runs[0], m.Runs[len(m.Runs)-1]
	begin, end := append(c.edges.begins[0][:0], 0), append(c.edges.begins[1][:0], 0)
	for i := uint32(1); i <= bracketSlack; i++ {
		if i < first.Len && begins(c.target, first.Target+i) {
			begin = append(begin, int(i))
		}
		if i < last.Len && begins(c.target, last.TargetEnd()-i) {
			end = append(end, int(i))
		}
	}
	c.edges.begins = [2][]int{begin, end}
	for _, r := range m.Runs {
		c.prepare(int(r.Target), int(r.TargetEnd()))
	}
	return uneven(c.nesting(m), begin, end)
}

// nesting returns for each matched token 1 if it opens a bracket, -1 if it closes one, else 0. Its runs were prepared.
func (c *Costs) nesting(m match.Match) []int8 {
	c.edges.nested = c.edges.nested[:0]
	for _, r := range m.Runs {
		c.edges.nested = append(c.edges.nested, c.nests[r.Target:r.TargetEnd()]...)
	}
	return c.edges.nested
}

// paired returns the number of tokens in the longest part of [from, to) whose brackets may be paired, at most length. It includes
// up to bracketSlack tokens at either end, which may be left out to pair the brackets.
func (c *Costs) paired(from, to int, length float64) float64 {
	if length >= c.w.below(1) || c.target.Prose {
		return length
	}
	c.prepare(from, to)
	longest, begin := 0, from
	open := c.edges.open[:0]
	part := func(end int) { longest = max(longest, min(to, end+bracketSlack)-max(from, begin-bracketSlack)) }
	for i := from; i < to; i++ {
		switch b := c.nests[i]; {
		case b > 0:
			open = append(open, i)
		case b < 0 && len(open) > 0:
			open = open[:len(open)-1]
		case b < 0: // nothing before it is open
			part(i)
			begin = i + 1
		}
	}
	for _, i := range open {
		part(i)
		begin = i + 1
	}
	part(to)
	c.edges.open = open
	return min(length, float64(longest)*(1+c.target.Omitted))
}

// uneven returns the least number of unpaired brackets in bs after a cut at either end. begin lists how many tokens may be cut from
// the front, end how many from the back. The middle part is the same for every choice and read once.
func uneven(bs []int8, begin, end []int) int {
	least := len(bs) + 1 // more than any choice leaves
	from, to := slices.Max(begin), len(bs)-slices.Max(end)
	var inner nesting
	if from < to {
		inner = inner.followedBy(bs[from:to])
	}
	for _, a := range begin {
		for _, b := range end {
			switch {
			case from < to:
				n := nesting{}.followedBy(bs[a:from]).and(inner).followedBy(bs[to : len(bs)-b])
				least = min(least, n.unpaired())
			case a+b < len(bs):
				least = min(least, nesting{}.followedBy(bs[a:len(bs)-b]).unpaired())
			}
		}
	}
	return least
}

// nesting counts unpaired brackets: those that close, and those that open.
type nesting struct{ closed, open int }

func (n nesting) unpaired() int { return n.closed + n.open }

// and returns the nesting of n followed by m.
func (n nesting) and(m nesting) nesting {
	pairs := min(n.open, m.closed)
	return nesting{n.closed + m.closed - pairs, n.open + m.open - pairs}
}

// followedBy returns the nesting of n followed by brackets.
func (n nesting) followedBy(bs []int8) nesting {
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
