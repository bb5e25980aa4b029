package fingerprint

import "math/bits"

// A Fingerprint is a selected k-gram.
type Fingerprint struct {
	Hash uint64
	Pos  uint32 // index of the k-gram's first token
}

// Winnow appends to dst the fingerprints of a document by the paper's plain definition. From each window it selects the
// minimal hash, or the rightmost of equal ones. Each position occurs once, in ascending order. The time is linear in
// len(grams), whatever w is. It allocates only room in dst if w <= [MaxW]. There may be at most 2^32 grams. For w < 1
// there are no windows, and it appends nothing.
func Winnow(dst []Fingerprint, grams []uint64, w int) []Fingerprint {
	var room [MaxW]uint32
	q := newQueue(room[:], grams, w)
	last := -1
	for q.next() {
		if p := q.rightmost(); p != last {
			dst = append(dst, Fingerprint{grams[p], uint32(p)})
			last = p
		}
	}
	return dst
}

// WinnowRobust is the index side. It is like [Winnow], but if the position selected by the window to the left is still
// inside the window and still minimal, it is kept. If hashes repeat (tables, generated code), that leaves one
// fingerprint in w instead of one at each position.
func WinnowRobust(dst []Fingerprint, grams []uint64, w int) []Fingerprint {
	var room [MaxW]uint32
	q := newQueue(room[:], grams, w)
	last := -1
	for q.next() {
		p := q.rightmost()
		if last >= q.start && grams[last] == grams[p] {
			continue
		}
		dst = append(dst, Fingerprint{grams[p], uint32(p)})
		last = p
	}
	return dst
}

// WinnowTies is the query side. It selects every position whose hash is the minimum of at least one window that
// contains it, ties included, in ascending order. The package comment proves why. On random hashes the result equals
// that of [Winnow].
func WinnowTies(dst []Fingerprint, grams []uint64, w int) []Fingerprint {
	var room [MaxW]uint32
	q := newQueue(room[:], grams, w)
	q.ties = true
	emitted := 0 // entries of the queue before this one are in dst already
	for q.next() {
		// The newest position may have removed emitted ones from the tail, but is itself never in dst yet.
		emitted = min(max(emitted, q.head), q.tail-1)
		least := grams[q.at(q.head)]
		for ; emitted < q.tail && grams[q.at(emitted)] == least; emitted++ {
			p := q.at(emitted)
			dst = append(dst, Fingerprint{least, uint32(p)})
		}
	}
	return dst
}

// WinnowBoth returns [WinnowTies] and [WinnowRobust] of the same grams in one pass.
func WinnowBoth(ties, robust []Fingerprint, grams []uint64, w int) ([]Fingerprint, []Fingerprint) {
	var room [MaxW]uint32
	q := newQueue(room[:], grams, w)
	q.ties = true
	emitted, last := 0, -1
	for q.next() {
		emitted = min(max(emitted, q.head), q.tail-1) // as in WinnowTies
		least := grams[q.at(q.head)]
		for ; emitted < q.tail && grams[q.at(emitted)] == least; emitted++ {
			ties = append(ties, Fingerprint{least, uint32(q.at(emitted))})
		}
		if last < q.start || grams[last] != least {
			last = q.at(emitted - 1) // the rightmost minimum
			robust = append(robust, Fingerprint{least, uint32(last)})
		}
	}
	return ties, robust
}

// A queue slides a window over grams. From head to tail it has the positions inside the window that no later position
// undercuts. Their hashes ascend, so the head has the window's minimum. Head and tail only grow with the input, so a
// whole pass is linear.
type queue struct {
	grams []uint64
	ring  []uint32
	mask  int
	w     int
	ties  bool // keep all equal hashes, not only the rightmost
	head  int
	tail  int
	start int // first position of the current window
	end   int // position after it
}

// newQueue returns a queue before its first window. Fewer than w grams make one short window.
func newQueue(room []uint32, grams []uint64, w int) queue {
	w = min(w, len(grams))
	if w < 1 {
		return queue{}
	}
	size := 1 << bits.Len(uint(w-1)) // the least power of two >= w
	if size > len(room) {
		room = make([]uint32, size)
	}
	return queue{grams: grams, ring: room[:size], mask: size - 1, w: w, start: -1}
}

// next fills the first window, or slides the window by one. It returns false when there are no more windows.
func (q *queue) next() bool {
	if q.end == len(q.grams) {
		return false
	}
	q.start++
	if q.tail > q.head && q.at(q.head) < q.start {
		q.head++
	}
	for q.end < q.start+q.w {
		q.push(q.end)
		q.end++
	}
	return true
}

func (q *queue) push(p int) {
	h := q.grams[p]
	for q.tail > q.head {
		last := q.grams[q.at(q.tail-1)]
		if last < h || last == h && q.ties {
			break
		}
		q.tail--
	}
	q.ring[q.tail&q.mask] = uint32(p)
	q.tail++
}

func (q *queue) at(i int) int { return int(q.ring[i&q.mask]) }

func (q *queue) rightmost() int { return q.at(q.head) }
