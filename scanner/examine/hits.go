package examine

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// hits gathers the postings of a stream's fingerprints by document. A common
// file has ten thousand of them in hundreds of documents, most of which come to
// nothing: so they are dealt out by counting, not sorted.
type hits struct {
	number    [][]uint32 // by baseline and document: its place in docs and 1; 0 when it has no hit
	docs      []bundle
	list      []hit
	last      []int32  // by hash: its last hit in list and 1; 0 when it has none
	positions []uint64 // of the target, with a hash that stands there
	at        []uint32 // by position: where it stands first in positions
	seeds     []match.Seed
	order     []bundle
}

// hit is a posting of a hash.
type hit struct {
	doc    uint32 // in docs
	origin uint32
	next   int32 // hit of the same hash and 1
}

// bundle is the hits of a stream in one document, ascending by target.
type bundle struct {
	key   docKey
	n     int // seeds they make: a hash can stand at several positions of the target
	seeds []match.Seed
}

func (h *hits) reset(bases, hashes int) {
	for _, d := range h.docs {
		h.number[d.key.base][d.key.id] = 0
	}
	if h.number == nil {
		h.number = make([][]uint32, bases)
	}
	h.docs, h.list = h.docs[:0], h.list[:0]
	h.last = slices.Grow(h.last[:0], hashes)[:hashes]
	clear(h.last)
}

// add notes a posting of a hash that stands at so many positions of the target.
func (h *hits) add(hash, positions, base int, p baseline.Posting) {
	byDoc := h.number[base]
	if int(p.Doc) >= len(byDoc) {
		byDoc = append(byDoc, make([]uint32, int(p.Doc)+1-len(byDoc))...)
		h.number[base] = byDoc
	}
	n := byDoc[p.Doc]
	if n == 0 {
		h.docs = append(h.docs, bundle{key: docKey{base, p.Doc}})
		n = uint32(len(h.docs))
		byDoc[p.Doc] = n
	}
	h.docs[n-1].n += positions
	h.list = append(h.list, hit{n - 1, p.Pos, h.last[hash]})
	h.last[hash] = int32(len(h.list))
}

// bundles returns the documents with at least so many seeds, those with most
// first. prints[first[i]:first[i+1]] are the positions of hash i, of which the first
// maxRepeats are followed.
func (h *hits) bundles(prints []fingerprint.Fingerprint, first []int, least int) []bundle {
	total := 0
	for i := range h.docs {
		if h.docs[i].n >= least {
			total += h.docs[i].n
		}
	}
	h.seeds = slices.Grow(h.seeds[:0], total)[:total]
	total = 0
	for i := range h.docs {
		if d := &h.docs[i]; d.n >= least {
			d.seeds = h.seeds[total : total : total+d.n]
			total += d.n
		}
	}
	h.positions = h.positions[:0]
	for i, last := range h.last {
		if last > 0 {
			for _, f := range prints[first[i]:min(first[i+1], first[i]+maxRepeats)] {
				h.positions = append(h.positions, uint64(f.Pos)<<32|uint64(i))
			}
		}
	}
	slices.Sort(h.positions)
	h.index()
	for _, p := range h.positions {
		for at := h.last[uint32(p)]; at > 0; at = h.list[at-1].next {
			if d := &h.docs[h.list[at-1].doc]; d.n >= least {
				d.seeds = append(d.seeds, match.Seed{Target: uint32(p >> 32), Origin: h.list[at-1].origin})
			}
		}
	}
	return h.ordered(least)
}

// index tells where each position is. It is asked only for those of seeds.
func (h *hits) index() {
	h.at = h.at[:0]
	for i, p := range h.positions {
		if n := int(p>>32) + 1; n > len(h.at) {
			h.at = slices.Grow(h.at, n-len(h.at))[:n]
			h.at[n-1] = uint32(i)
		}
	}
}

func (h *hits) ordered(least int) []bundle {
	out := h.order[:0]
	for _, d := range h.docs {
		if d.n >= least {
			out = append(out, d)
		}
	}
	h.order = out
	slices.SortFunc(out, func(a, b bundle) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.key.base, b.key.base), cmp.Compare(a.key.id, b.key.id))
	})
	return out
}
