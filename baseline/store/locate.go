package store

import (
	"math"
	"sort"
	"sync/atomic"
)

// Locate returns the document that has a global token position, and the token's index in it. It also returns false if the record of
// the document or of the next one is damaged, since they say where the document begins and ends.
func (r *Reader) Locate(pos uint64) (doc int, token uint32, ok bool) {
	if pos >= r.h.tokens {
		return 0, 0, false
	}
	hint := &r.hints[pos>>r.hintShift]
	i := int(hint.Load()) - 1
	if i < 0 {
		i = r.search(pos)
		hint.Store(uint32(i + 1))
	}
	for i >= 0 && r.base(i) > pos {
		i--
	}
	for i >= 0 && i+1 < r.Docs() && r.base(i+1) <= pos {
		i++
	}
	if i < 0 || !checked(r.docsChecked, i) && r.checkDoc(i) != nil {
		return 0, 0, false
	}
	if next := i + 1; next < r.Docs() && !checked(r.docsChecked, next) && r.checkDoc(next) != nil {
		return 0, 0, false
	}
	return i, uint32(pos - r.base(i)), true
}

// search returns the last document that begins at pos or before; -1 if there is none. Documents are ordered by hash, so their
// lengths even out. search guesses the document by the mean length and then searches around the guess. So it touches two or three
// pages of a table of any size.
func (r *Reader) search(pos uint64) int {
	n := r.Docs()
	if n == 0 {
		return -1
	}
	if begins := r.sampled(); begins != nil {
		i := max(sort.Search(len(begins), func(i int) bool { return begins[i] > pos })-1, 0) * sampleStep
		return i - 1 + sort.Search(min(sampleStep, n-i), func(k int) bool { return r.base(i+k) > pos })
	}
	mean := float64(r.h.tokens) / float64(n)
	at := 0
	for range guesses {
		step := (float64(pos) - float64(r.base(at))) / mean
		if at = min(max(at+int(min(max(step, -float64(n)), float64(n))), 0), n-1); math.Abs(step) < near {
			break
		}
	}
	lo, hi := at, at+1
	for width := near; lo >= 0 && r.base(lo) > pos; width *= 2 {
		lo, hi = max(lo-width, -1), lo
	}
	for width := near; hi < n && r.base(hi) <= pos; width *= 2 {
		lo, hi = hi, min(hi+width, n)
	}
	return lo + sort.Search(hi-lo-1, func(i int) bool { return r.base(lo+1+i) > pos })
}

// sampled returns where every sampleStep-th document begins. It makes this list once a small table was searched often. The entries
// are close together, so a search waits for the memory three times and not ten. It returns nil if search must guess.
func (r *Reader) sampled() []uint64 {
	if s := r.begins.Load(); s != nil {
		return *s
	}
	if len(r.docs) > sampledTable || r.searches.Add(1) < sampledAfter {
		return nil
	}
	begins := make([]uint64, 0, r.Docs()/sampleStep+1)
	for i := 0; i < r.Docs(); i += sampleStep {
		begins = append(begins, r.base(i))
	}
	r.begins.Store(&begins)
	return begins
}

const (
	sampleStep   = 8
	sampledAfter = 256
	sampledTable = 32 << 20 // bytes, 300,000 documents; a larger table would have to be read completely
)

const (
	guesses = 5
	near    = 8 // documents: their records are in one or two pages
)

// makeHints divides the positions into stretches, about two per document. Positions are often looked up near the last one, so the
// document last found in a stretch is the right one or next to it.
func (r *Reader) makeHints() {
	for r.h.tokens>>r.hintShift > 2*r.h.docs {
		r.hintShift++
	}
	r.hints = make([]atomic.Uint32, r.h.tokens>>r.hintShift+1)
}
