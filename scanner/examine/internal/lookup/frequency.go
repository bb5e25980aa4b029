package lookup

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Frequent calls fn for each position of a k-gram that occurs in score.Frequent sampling units or more, with their number.
func (h *Hits) Frequent(fn func(pos, units int)) {
	for i, n := range h.frequent {
		if n < score.Frequent {
			continue
		}
		for _, f := range h.positionsOf(i) {
			fn(int(f.Pos), n)
		}
	}
}

// UnitsAt counts the sampling units that have the k-gram at a token of the text. The token must be the position of a seed.
func (h *Hits) UnitsAt(token uint32) int {
	return h.unitsOf(uint32(h.positions[h.at[token]]))
}

// Directories returns in how many directories the k-grams of a match occur, on average. Documents whose names rule them out as
// origins count too: their authors wrote the same code independently.
func (h *Hits) Directories(m match.Match) float64 {
	var f score.Frequency
	for _, r := range m.Runs {
		at, _ := slices.BinarySearch(h.positions, uint64(r.Target)<<32)
		for _, p := range h.positions[at:] {
			if int(p>>32)+h.index.Params.K > int(r.Target+r.Len) {
				break
			}
			f.Add(h.unitsOf(uint32(p)))
		}
	}
	return f.Mean()
}

// unitsOf counts the sampling units that have a hash of the text.
func (h *Hits) unitsOf(hash uint32) int {
	if h.frequent[hash] >= score.Frequent {
		return h.frequent[hash]
	}
	if n := h.counted[hash]; n > 0 {
		return n
	}
	h.units = h.units[:0]
	for at := h.last[hash]; at > 0; at = h.postings[at-1].next {
		key := h.docs[h.postings[at-1].doc].Key
		h.units = append(h.units, h.index.Baselines[key.Baseline].Unit(key.ID))
	}
	h.counted[hash] = h.countUnits()
	return h.counted[hash]
}

// distinct counts the sampling units of postings.
func (h *Hits) distinct(b *baseline.Baseline, ps []baseline.Posting) int {
	h.units = h.units[:0]
	for _, p := range ps {
		h.units = append(h.units, b.Unit(p.Doc))
	}
	return h.countUnits()
}

// countUnits counts the distinct elements of h.units.
func (h *Hits) countUnits() (n int) {
	if len(h.units) > len(h.met)/2 {
		slices.Sort(h.units)
		return len(slices.Compact(h.units))
	}
	h.counts++
	for _, u := range h.units {
		at := u * 0x9E3779B1 >> 24
		for h.met[at].count == h.counts && h.met[at].unit != u {
			at = (at + 1) % uint32(len(h.met))
		}
		if h.met[at].count != h.counts {
			h.met[at] = metUnit{h.counts, u}
			n++
		}
	}
	return n
}

// metUnit is a sampling unit that a count has met. The index has so few positions of a fingerprint that a small table counts them
// without sorting.
type metUnit struct {
	count uint64 // which count met it
	unit  uint32
}
