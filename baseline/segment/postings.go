package segment

import (
	"cmp"
	"slices"
)

// Placed pairs a fingerprint with the global position of its first token.
type Placed struct{ Fingerprint, Position uint64 }

// List is the stored list of one fingerprint.
type List struct {
	Fingerprint, Count uint64
	Positions          []uint64 // the first positions
}

// Lists calls fn with the list of each fingerprint in sorted postings. A list holds at most most positions, but counts all. fn
// must not keep its argument, which is reused.
func Lists(sorted []Placed, most int, fn func(List) error) error {
	var positions []uint64
	for i := 0; i < len(sorted); {
		positions = positions[:0]
		j := i
		for ; j < len(sorted) && sorted[j].Fingerprint == sorted[i].Fingerprint; j++ {
			if j-i < most {
				positions = append(positions, sorted[j].Position)
			}
		}
		if err := fn(List{sorted[i].Fingerprint, uint64(j - i), positions}); err != nil {
			return err
		}
		i = j
	}
	return nil
}

// Sort orders postings by fingerprint, then by position. It is a radix sort in place (McIlroy, Bostic, McIlroy: "Engineering
// Radix Sort", 1993), because fingerprints are hashes and so fill all buckets alike. A sort that copies (scanner/algorithms/hashes) takes two thirds
// of the time, but needs as much memory again as the postings of a segment, which bound the memory of a build.
func Sort(ps []Placed) { sortByDigit(ps, 64-digitBits) }

const (
	digitBits = 8
	// fewPostings are sorted faster by comparing them.
	fewPostings = 64
)

// sortByDigit sorts postings whose fingerprints differ in the digit at shift and in lower digits only.
func sortByDigit(ps []Placed, shift int) {
	if len(ps) <= fewPostings || shift < 0 {
		slices.SortFunc(ps, func(a, b Placed) int {
			return cmp.Or(cmp.Compare(a.Fingerprint, b.Fingerprint), cmp.Compare(a.Position, b.Position))
		})
		return
	}
	const digits = 1 << digitBits
	var next, ends [digits]int
	for i := range ps {
		ends[ps[i].Fingerprint>>shift%digits]++
	}
	for d, from := 0, 0; d < digits; d++ {
		next[d] = from
		from += ends[d]
		ends[d] = from
	}
	for d := range digits {
		for next[d] < ends[d] {
			p := ps[next[d]]
			for to := int(p.Fingerprint >> shift % digits); to != d; to = int(p.Fingerprint >> shift % digits) {
				p, ps[next[to]] = ps[next[to]], p
				next[to]++
			}
			ps[next[d]] = p
			next[d]++
		}
	}
	for d, from := 0, 0; d < digits; d++ {
		sortByDigit(ps[from:ends[d]], shift-digitBits)
		from = ends[d]
	}
}
