package suffix

// suffixes sorts the suffixes of a text of values from 0 to most, by induced sorting (Nong, Zhang and Chan, 2009), in
// linear time. A suffix is small if it comes before the one that begins a token later, otherwise it is large. First the
// small suffixes that follow a large one are sorted. Then one walk puts the large suffixes into their buckets, and
// another the small ones. The same walks serve for the first step: they sort the pieces between those suffixes. The
// names of the pieces form a text at most half as long, which is sorted in turn.
func suffixes(text []int32, most int32) []int32 {
	s := newInduced(text, most)
	var turns []int32 // positions of small suffixes that follow large ones
	nth := make([]int32, len(text))
	for i := range text {
		nth[i] = -1
		if s.turn(i) {
			nth[i] = int32(len(turns))
			turns = append(turns, int32(i))
		}
	}
	s.induce(turns)
	if len(turns) == 0 {
		return s.order
	}
	byPiece := make([]int32, 0, len(turns))
	for _, i := range s.order {
		if nth[i] >= 0 {
			byPiece = append(byPiece, i)
		}
	}
	names, last := s.names(byPiece, turns, nth)
	for i, n := range suffixes(names, last) {
		byPiece[i] = turns[n]
	}
	s.induce(byPiece)
	return s.order
}

// induced is a text whose suffixes are being sorted.
type induced struct {
	text   []int32
	small  []bool
	begin  []int32 // by value: start of its bucket of large suffixes
	turnAt []int32 // by value: start of its bucket of small suffixes, which follows
	order  []int32
	at     []int32
}

func newInduced(text []int32, most int32) *induced {
	n := len(text)
	s := &induced{text: text, small: make([]bool, n), begin: make([]int32, most+2), turnAt: make([]int32, most+2), order: make([]int32, n), at: make([]int32, most+2)}
	for i := n - 2; i >= 0; i-- {
		s.small[i] = text[i] < text[i+1] || text[i] == text[i+1] && s.small[i+1]
	}
	for i, v := range text {
		if s.begin[v+1]++; !s.small[i] {
			s.turnAt[v]++
		}
	}
	for v := range most + 1 {
		s.begin[v+1] += s.begin[v]
		s.turnAt[v] += s.begin[v]
	}
	return s
}

// turn reports whether the suffix at i is small and the one before it large.
func (s *induced) turn(i int) bool { return i > 0 && s.small[i] && !s.small[i-1] }

// induce sorts all suffixes, as far as the given ones are sorted.
func (s *induced) induce(turns []int32) {
	for i := range s.order {
		s.order[i] = -1
	}
	copy(s.at, s.turnAt)
	for _, i := range turns {
		s.put(i, 1)
	}
	copy(s.at, s.begin)
	s.put(int32(len(s.text)-1), 1)
	for i := range s.order {
		if j := s.order[i] - 1; j >= 0 && !s.small[j] {
			s.put(j, 1)
		}
	}
	copy(s.at, s.begin[1:])
	for i := len(s.order) - 1; i >= 0; i-- {
		if j := s.order[i] - 1; j >= 0 && s.small[j] {
			s.put(j, -1)
		}
	}
}

// put stores a suffix at the next free index of its bucket, forwards or backwards.
func (s *induced) put(i, step int32) {
	v := s.text[i]
	if step < 0 {
		s.at[v]--
	}
	s.order[s.at[v]] = i
	if step > 0 {
		s.at[v]++
	}
}

// names numbers the pieces of a text that begin at turns and end with the next one. Equal pieces have equal numbers;
// different pieces are numbered in order.
func (s *induced) names(byPiece, turns, nth []int32) (names []int32, last int32) {
	names = make([]int32, len(turns))
	for i, t := range byPiece {
		if i > 0 && !s.samePiece(byPiece[i-1], t, turns, nth) {
			last++
		}
		names[nth[t]] = last
	}
	return names, last
}

func (s *induced) samePiece(a, b int32, turns, nth []int32) bool {
	end := func(t int32) int32 {
		if n := int(nth[t]) + 1; n < len(turns) {
			return turns[n]
		}
		return int32(len(s.text))
	}
	n := end(a) - a
	if end(b)-b != n || int(max(a, b)+n) >= len(s.text) { // no other piece ends like the last one
		return false
	}
	for i := range n + 1 {
		if s.text[a+i] != s.text[b+i] {
			return false
		}
	}
	return true
}
