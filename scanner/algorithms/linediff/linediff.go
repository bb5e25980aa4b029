// Package linediff compares two texts line by line: which lines of the newer one are added. It knows no language and no file.
package linediff

import "bytes"

// Range is a run of lines, 1-based, both ends included.
type Range struct{ First, Last int }

const (
	// maxEdits bounds the edits of one search. Beyond it the search takes the furthest point reached and starts again
	// there. So memory stays at maxEdits² / 2 numbers, 8 MB. Commits hardly ever edit a thousand lines of one file around
	// lines they keep.
	maxEdits = 1 << 11
	// maxSteps bounds the comparisons of one call: half a second at worst. The remaining lines then count as added.
	maxSteps = 1 << 26
)

// Added returns the lines of new that a line diff does not find in old, as sorted ranges that neither overlap nor
// touch. White space is ignored: an indented line is an old line. Moved lines are old too: runs that the diff finds added
// in one place and removed in another, with at least minMoved letters and digits. The diff is Myers's greedy algorithm.
// If the input is too large or hostile, more lines than necessary count as added, always the same ones.
func Added(old, new []byte) []Range {
	ids := lineIDs{}
	a, b := ids.of(old), ids.of(new)
	keptA, keptB := diffLines(a, b)
	keepMoved(a, b, keptA, keptB, ids.weights())
	return gaps(keptB)
}

// diffLines marks the lines of both sides that belong to a common subsequence.
func diffLines(a, b []int32) (keptA, keptB []bool) {
	keptA, keptB = make([]bool, len(a)), make([]bool, len(b))
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		keptA[head], keptB[head] = true, true
		head++
	}
	endA, endB := len(a), len(b)
	for endA > head && endB > head && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
		keptA[endA], keptB[endB] = true, true
	}
	x, placesA := onlyShared(a[head:endA], b[head:endB])
	y, placesB := onlyShared(b[head:endB], a[head:endA])
	keepCommon(x, y, func(i, j int) {
		keptA[head+placesA[i]], keptB[head+placesB[j]] = true, true
	})
	return keptA, keptB
}

const (
	// minMoved is how many letters and digits make a run of lines recognisable, so that a lone brace does not count as
	// moved. git diff --color-moved uses the same number.
	minMoved = 20
	// maxMoveStarts bounds the places at which a moved run is tried: the first ones, if a line occurs often.
	maxMoveStarts = 64
)

// keepMoved marks runs of added lines that occur as a run among the removed ones. At each added line it takes the longest
// run, and of equally long ones the first.
func keepMoved(a, b []int32, keptA, keptB []bool, weights []int) {
	removed := map[int32][]int{}
	for i, id := range a {
		if !keptA[i] && len(removed[id]) < maxMoveStarts {
			removed[id] = append(removed[id], i)
		}
	}
	steps := 0
	for j := 0; j < len(b); {
		longest, weight := 0, 0
		if !keptB[j] && steps < maxSteps {
			for _, i := range removed[b[j]] {
				n, w := 0, 0
				for i+n < len(a) && j+n < len(b) && a[i+n] == b[j+n] && !keptA[i+n] && !keptB[j+n] {
					w += weights[b[j+n]]
					n++
				}
				steps += n + 1
				if n > longest {
					longest, weight = n, w
				}
			}
		}
		if weight < minMoved {
			j++
			continue
		}
		for range longest {
			keptB[j] = true
			j++
		}
	}
}

// lineIDs numbers lines. Lines that differ only in white space have one number.
type lineIDs map[string]int32

func (ids lineIDs) of(text []byte) []int32 {
	lines := make([]int32, 0, bytes.Count(text, []byte("\n"))+1)
	var buf []byte
	for l := range bytes.Lines(text) {
		buf = squeeze(buf[:0], l)
		id, ok := ids[string(buf)]
		if !ok {
			id = int32(len(ids))
			ids[string(buf)] = id
		}
		lines = append(lines, id)
	}
	return lines
}

// weights counts the letters and digits of each line. Bytes beyond ASCII count as letters.
func (ids lineIDs) weights() []int {
	weights := make([]int, len(ids))
	for text, id := range ids {
		for i := range len(text) {
			c := text[i]
			if c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' {
				weights[id]++
			}
		}
	}
	return weights
}

func squeeze(dst, l []byte) []byte {
	for _, c := range l {
		switch c {
		case ' ', '\t', '\r', '\n', '\v', '\f':
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// onlyShared drops the lines of a that b does not contain: they are edits in any case, and the search is shorter without
// them. places maps the remaining lines to positions in a.
func onlyShared(a, b []int32) (shared []int32, places []int) {
	has := make(map[int32]bool, len(b))
	for _, id := range b {
		has[id] = true
	}
	for i, id := range a {
		if has[id] {
			shared, places = append(shared, id), append(places, i)
		}
	}
	return shared, places
}

// keepCommon calls keep for the pairs of lines of a common subsequence: a longest one, within the limits.
func keepCommon(a, b []int32, keep func(i, j int)) {
	x, y, steps := 0, 0, 0
	for x < len(a) && y < len(b) && steps < maxSteps {
		s := search{a: a[x:], b: b[y:]}
		dx, dy := s.run(maxSteps - steps)
		s.trace(func(i, j int) { keep(x+i, y+j) })
		x, y, steps = x+dx, y+dy, steps+s.steps+1
	}
}

// search is one run of the greedy algorithm of Myers (1986). reach[d] holds, for each diagonal k = x - y from -d to d in
// steps of two, the furthest x that d edits reach.
type search struct {
	a, b  []int32
	reach [][]int32
	steps int
	end   int // the diagonal of the chosen point
}

// run searches until it reaches both ends or a limit, and returns the point reached.
func (s *search) run(budget int) (x, y int) {
	for d := 0; ; d++ {
		row := make([]int32, d+1)
		s.reach = append(s.reach, row)
		best := -1
		for i := range row {
			k := 2*i - d
			x := s.start(d, i)
			y := x - k
			for x < len(s.a) && y < len(s.b) && s.a[x] == s.b[y] {
				x, y = x+1, y+1
				s.steps++
			}
			s.steps++
			row[i] = int32(x)
			if k == len(s.a)-len(s.b) && x >= len(s.a) {
				s.end = k
				return len(s.a), len(s.b)
			}
			if x <= len(s.a) && y <= len(s.b) && x+y > best {
				best, s.end = x+y, k
			}
		}
		if d > 0 && (d == maxEdits || s.steps >= budget) && best > 0 {
			x := (best + s.end) / 2
			return x, best - x
		}
	}
}

// start returns where diagonal number i of d edits begins: after a deletion from the left or an insertion from the right
// neighbour, whichever is further.
func (s *search) start(d, i int) int {
	if d == 0 {
		return 0
	}
	before := s.reach[d-1]
	switch {
	case i == 0:
		return int(before[0])
	case i == d:
		return int(before[d-1]) + 1
	}
	return max(int(before[i-1])+1, int(before[i]))
}

// trace walks back from the end and calls keep for each pair of equal lines on the way.
func (s *search) trace(keep func(i, j int)) {
	k := s.end
	for d := len(s.reach) - 1; d >= 0; d-- {
		i := (k + d) / 2
		from := s.start(d, i)
		for x := int(s.reach[d][i]); x > from; x-- {
			keep(x-1, x-1-k)
		}
		if d == 0 {
			return
		}
		before := s.reach[d-1]
		if i == d || i > 0 && int(before[i-1])+1 > int(before[i]) {
			k--
		} else {
			k++
		}
	}
}

// gaps returns the runs of lines that are not kept.
func gaps(kept []bool) []Range {
	var ranges []Range
	for i, k := range kept {
		switch n := len(ranges); {
		case k:
		case n > 0 && ranges[n-1].Last == i:
			ranges[n-1].Last = i + 1
		default:
			ranges = append(ranges, Range{First: i + 1, Last: i + 1})
		}
	}
	return ranges
}
