package fingerprint

// A Fingerprint is a selected k-gram.
type Fingerprint struct {
	Hash uint64
	Pos  uint32 // index of the k-gram's first token
}

// Winnow appends to dst the fingerprints of a document by the paper's plain definition. From each window it selects the
// minimal hash, or the rightmost of equal ones. Each position occurs once, in ascending order. It allocates only room in dst. There
// may be at most 2^32 grams. For w < 1 there are no windows, and it appends nothing.
func Winnow(dst []Fingerprint, grams []uint64, w int) []Fingerprint {
	m := newWindow(grams, w)
	for m.next(m.right) {
		dst = append(dst, Fingerprint{m.least, uint32(m.right)})
	}
	return dst
}

// WinnowRobust is the index side. It is like [Winnow], but if the position selected by the window to the left is still
// inside the window and still minimal, it is kept. If hashes repeat (tables, generated code), that leaves one
// fingerprint in w instead of one at each position.
func WinnowRobust(dst []Fingerprint, grams []uint64, w int) []Fingerprint {
	m, last := newWindow(grams, w), -1
	for m.next(last) {
		if at := m.keep(last); at != last {
			dst, last = append(dst, Fingerprint{m.least, uint32(at)}), at
		}
	}
	return dst
}

// WinnowTies is the query side. It selects every position whose hash is the minimum of at least one window that
// contains it, ties included, in ascending order. The package comment proves why. On random hashes the result equals
// that of [Winnow].
func WinnowTies(dst []Fingerprint, grams []uint64, w int) []Fingerprint {
	m := newWindow(grams, w)
	for m.next(m.right) {
		dst = m.minima(dst)
	}
	return dst
}

// WinnowBoth appends the positions of [WinnowTies] and of [WinnowRobust] of the same grams in one pass. If all tokens are equal,
// each is a tie, so it matters that a position is a quarter of a fingerprint.
func WinnowBoth(ties, robust []uint32, grams []uint64, w int) (_, _ []uint32) {
	m, last := newWindow(grams, w), -1
	for m.next(last) {
		for i := m.from; i < m.end; i++ {
			if grams[i] == m.least {
				ties = append(ties, uint32(i))
			}
		}
		if at := m.keep(last); at != last {
			robust, last = append(robust, uint32(at)), at
		}
	}
	return ties, robust
}

// A window slides over grams and keeps its minimum. If the last position of the minimum leaves it, the minimum is looked for again:
// once in w windows of random hashes. Hashes that ascend cost w steps each, but the hashes of k-grams do not ascend for long.
type window struct {
	grams      []uint64
	w          int
	start, end int
	least      uint64
	right      int // rightmost position of the minimum
	from       int // from here to end are the minima that no window before had
}

// newWindow returns a window before its first position. Fewer than w grams make one short window.
func newWindow(grams []uint64, w int) window {
	w = min(w, len(grams))
	if w < 1 {
		return window{}
	}
	return window{grams: grams, w: w, start: -1, end: w - 1, right: -1}
}

// next slides the window until it has a new minimum, or until it leaves the position last behind. It returns false after the last
// window.
func (m *window) next(last int) bool {
	for end := m.end + 1; end <= len(m.grams); end++ {
		start, h := end-m.w, m.grams[end-1]
		switch {
		case m.right < start && (start == 0 || h > m.least):
			m.right, m.from = end-1, start
			for i := end - 2; i >= start; i-- {
				if m.grams[i] < h {
					h, m.right = m.grams[i], i
				}
			}
			m.least = h
		case h <= m.least:
			m.least, m.right, m.from = h, end-1, end-1
		case last < start:
			m.from = end
		default:
			continue
		}
		m.start, m.end = start, end
		return true
	}
	return false
}

// minima appends the positions of the minimum that no window before had.
func (m *window) minima(dst []Fingerprint) []Fingerprint {
	for i := m.from; i < m.end; i++ {
		if m.grams[i] == m.least {
			dst = append(dst, Fingerprint{m.least, uint32(i)})
		}
	}
	return dst
}

// keep returns last if it is a minimum inside the window, or else the rightmost minimum.
func (m *window) keep(last int) int {
	if last >= m.start && m.grams[last] == m.least {
		return last
	}
	return m.right
}
