package suffix

// sweep visits the intervals of suffixes with a common prefix.
type sweep struct {
	text   []int32
	order  []int32
	common []int32
	first  int // start of the second sequence
	least  int
	room   int     // matches that the bound still allows
	next   []int32 // links the positions of a list
	out    []Match
}

func newSweep(a, b []uint64, least int) *sweep {
	text, most := ranks(a, b)
	order := suffixes(text, most)
	return &sweep{text: text, order: order, common: prefixes(text, order), first: len(a) + 1, least: least,
		room: perToken * len(text), next: make([]int32, len(text))}
}

// interval is a set of suffixes that have length tokens in common, in lists by side and by the token before them.
type interval struct {
	length int32
	lists  [2][]list
}

// list has the positions of one side that follow the same token, linked by sweep.next.
type list struct{ before, head, tail int32 }

// start replaces the token before the first of either side: it equals nothing, not even itself.
const start = -1

// leaf returns the interval of one suffix.
func (s *sweep) leaf(position, length int32) interval {
	v := interval{length: length}
	side, before := 0, int32(start)
	if int(position) >= s.first {
		side = 1
	}
	if p := int(position); p > 0 && p != s.first {
		before = s.text[p-1]
	}
	if int(position) != s.first-1 { // the separator is not a token
		s.next[position] = -1
		v.lists[side] = []list{{before, position, position}}
	}
	return v
}

// walk visits the intervals bottom up. It returns false if the bound stopped it.
func (s *sweep) walk() bool {
	var stack []interval
	for i := range s.order {
		length := int32(0)
		if i+1 < len(s.order) {
			length = s.common[i+1] // with the suffix that follows
		}
		if int(length) < s.least {
			length = 0
		}
		if length == 0 && (i == 0 || int(s.common[i]) < s.least) {
			continue // it shares nothing with its neighbours
		}
		v := s.leaf(s.order[i], length)
		// intervals that share more than this one shares with the next are complete
		for len(stack) > 0 && stack[len(stack)-1].length > length {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !s.join(&top, &v) {
				return false
			}
			v = top
			v.length = length
		}
		switch {
		case length == 0:
			stack = stack[:0]
		case len(stack) > 0 && stack[len(stack)-1].length == length:
			if !s.join(&stack[len(stack)-1], &v) {
				return false
			}
		default:
			stack = append(stack, v)
		}
	}
	return true
}

// join adds a part to an interval. Each pair of both has exactly length tokens in common.
func (s *sweep) join(v, part *interval) bool {
	if !s.pairs(v.lists[0], part.lists[1], v.length) || !s.pairs(part.lists[0], v.lists[1], v.length) {
		return false
	}
	for side := range v.lists {
		for _, l := range part.lists[side] {
			v.lists[side] = s.link(v.lists[side], l)
		}
	}
	return true
}

// link appends a list to the one with the same token before, if there is one.
func (s *sweep) link(to []list, l list) []list {
	for i := range to {
		if to[i].before == l.before {
			s.next[to[i].tail] = l.head
			to[i].tail = l.tail
			return to
		}
	}
	return append(to, l)
}

// pairs reports the pairs of two sides that follow different tokens.
func (s *sweep) pairs(as, bs []list, length int32) bool {
	for _, a := range as {
		for _, b := range bs {
			if a.before == b.before && a.before != start {
				continue
			}
			for i := a.head; i >= 0; i = s.next[i] {
				for j := b.head; j >= 0; j = s.next[j] {
					if s.room--; s.room < 0 {
						return false
					}
					s.out = append(s.out, Match{int(i), int(j) - s.first, int(length)})
				}
			}
		}
	}
	return true
}
