package likeness

import (
	"bytes"
	"slices"
	"sync"
)

// maxPlaces bounds the positions of a run of words on either side, for each to be tried with each. With more, which
// repetitive code has, the first is tried with the first, the second with the second, and so on.
const maxPlaces = 64

// match is a run of equal words.
type match struct{ a, b, n int32 }

// start is where a match of known length begins, as one number that ascends with the positions.
type start uint64

func startOf(a, b int32) start { return start(a)<<32 | start(b) }

func (s start) match(n int32) match { return match{int32(s >> 32), int32(uint32(s)), n} }

// tiling covers two sequences and keeps its memory for the next two.
type tiling struct {
	inA, inB []byte    // 1 for a word that a tile covers
	found    []match   // in the order of common
	byLength []start   // the same by length, the longest first
	ends     []int32   // by length: where its matches end in byLength
	parts    [][]start // by length: parts of longer matches that nothing else covered
	some     []start   // matches and parts of one length
}

var tilings = sync.Pool{New: func() any { return new(tiling) }}

// tile covers two sequences with tiles: equal runs, the longest first, of equally long ones the earliest, without
// overlap.
func (t *tiling) tile(a, b *sequence) {
	t.inA, t.inB = cleared(t.inA, len(a.words)), cleared(t.inB, len(b.words))
	t.found = common(t.found[:0], a, b)
	longest := t.sort()
	for n := longest; n >= tileWords; n-- {
		from := int32(0)
		if n < longest {
			from = t.ends[n+1]
		}
		ms := t.byLength[from:t.ends[n]]
		if len(t.parts[n]) > 0 {
			t.some = append(append(t.some[:0], ms...), t.parts[n]...)
			ms, t.parts[n] = t.some, t.parts[n][:0]
		}
		slices.Sort(ms)
		for _, m := range ms {
			t.lay(m.match(n))
		}
	}
}

// sort sorts what was found by length, and returns the longest.
func (t *tiling) sort() (longest int32) {
	for _, m := range t.found {
		longest = max(longest, m.n)
	}
	if int(longest) >= len(t.ends) {
		t.ends, t.parts = make([]int32, 2*longest+1), make([][]start, 2*longest+1)
	}
	clear(t.ends[:longest+1])
	for _, m := range t.found {
		t.ends[m.n]++
	}
	sum := int32(0)
	for n := longest; n >= 0; n-- {
		t.ends[n], sum = sum, sum+t.ends[n]
	}
	t.byLength = slices.Grow(t.byLength[:0], len(t.found))[:len(t.found)]
	for _, m := range t.found {
		t.byLength[t.ends[m.n]] = startOf(m.a, m.b)
		t.ends[m.n]++
	}
	return longest
}

// lay makes a match a tile if no tile covers a word of it. Otherwise it keeps the parts that are long enough for a tile.
func (t *tiling) lay(m match) {
	x, y := t.inA[m.a:m.a+m.n], t.inB[m.b:m.b+m.n]
	if bytes.IndexByte(x, 1) < 0 && bytes.IndexByte(y, 1) < 0 {
		for i := range x {
			x[i], y[i] = 1, 1
		}
		return
	}
	for at := int32(0); at < m.n; {
		for at < m.n && x[at]|y[at] != 0 {
			at++
		}
		end := at
		for end < m.n && x[end]|y[end] == 0 {
			end++
		}
		if n := end - at; n >= tileWords { // shorter than m: handled with that length
			t.parts[n] = append(t.parts[n], startOf(m.a+at, m.b+at))
		}
		at = end
	}
}

func cleared(b []byte, n int) []byte {
	b = slices.Grow(b[:0], n)[:n]
	clear(b)
	return b
}

// common appends the longest equal runs of two sequences. Grams are sorted by hash.
func common(out []match, a, b *sequence) []match {
	x, y := a.grams, b.grams
	for len(x) > 0 && len(y) > 0 {
		switch p, q := x[0].hash, y[0].hash; {
		case p < q:
			x = x[1:]
		case p > q:
			y = y[1:]
		default:
			n, m := sameHash(x), sameHash(y)
			out = appendRuns(out, a, b, x[:n], y[:m])
			x, y = x[n:], y[m:]
		}
	}
	return out
}

// appendRuns appends the longest equal runs that begin at grams of one hash.
func appendRuns(out []match, a, b *sequence, x, y []gram) []match {
	if len(x) > maxPlaces || len(y) > maxPlaces {
		for k := range min(len(x), len(y), maxPlaces) {
			out = appendRun(out, a, b, x[k].at, y[k].at)
		}
		return out
	}
	for _, p := range x {
		for _, q := range y {
			if !extendsBack(a, b, p.at, q.at) { // otherwise an earlier position lists it
				out = appendRun(out, a, b, p.at, q.at)
			}
		}
	}
	return out
}

// extendsBack reports whether an equal run that begins at two positions also has the words before them.
func extendsBack(a, b *sequence, i, j int32) bool {
	return i > 0 && j > 0 && a.words[i-1] == b.words[j-1] && a.words[i-1] != endOfFile
}

// appendRun appends the longest equal run that begins at two positions.
func appendRun(out []match, a, b *sequence, i, j int32) []match {
	if n := equal(a.words[i:], b.words[j:]); n >= tileWords {
		out = append(out, match{i, j, n})
	}
	return out
}

func sameHash(gs []gram) int {
	n := 1
	for n < len(gs) && gs[n].hash == gs[0].hash {
		n++
	}
	return n
}

func equal(a, b []uint32) int32 {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] && a[n] != endOfFile {
		n++
	}
	return int32(n)
}
