package lookup

import (
	"cmp"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// posting is a position in a document that has a hash of the text.
type posting struct {
	doc    uint32 // index in docs
	origin uint32
	next   int32 // 1 + the index of the next posting of the same hash
}

// Proposal is the seeds of one document: pairs of positions, in the text and in the document, that hits propose.
type Proposal struct {
	Key   Key
	Count int          // of seeds; a hash can have several positions in the text
	Seeds []match.Seed // ascending by target, until they are grouped by diagonal
}

// reset clears the data by document and by hash.
func (h *Hits) reset() {
	for _, d := range h.docs {
		h.number[d.Key.Baseline][d.Key.ID] = 0
	}
	if h.number == nil {
		h.number = make([][]uint32, len(h.index.Baselines))
	}
	h.docs, h.postings, h.repeats = h.docs[:0], h.postings[:0], h.repeats[:0]
	hashes := len(h.hashes)
	h.last = slices.Grow(h.last[:0], hashes)[:hashes]
	h.frequent = slices.Grow(h.frequent[:0], hashes)[:hashes]
	h.counted = slices.Grow(h.counted[:0], hashes)[:hashes]
	clear(h.last)
	clear(h.frequent)
	clear(h.counted)
}

// add records a posting of a hash that has this many positions in the text.
func (h *Hits) add(hash, positions, base int, p baseline.Posting) {
	byDoc := h.number[base]
	if int(p.Doc) >= len(byDoc) {
		byDoc = append(byDoc, make([]uint32, int(p.Doc)+1-len(byDoc))...)
		h.number[base] = byDoc
	}
	n := byDoc[p.Doc]
	if n == 0 {
		h.docs = append(h.docs, Proposal{Key: Key{base, p.Doc}})
		n = uint32(len(h.docs))
		byDoc[p.Doc] = n
	}
	h.docs[n-1].Count += positions
	h.postings = append(h.postings, posting{n - 1, p.Pos, h.last[hash]})
	h.last[hash] = int32(len(h.postings))
}

// Proposals returns the documents that have the given number of seeds or more, the one with most seeds first. It follows the first MaxRepeats
// positions of a hash. A common file has ten thousand hits in hundreds of documents, and most are rejected. So seeds are
// distributed by counting instead of sorting.
func (h *Hits) Proposals(least int) []Proposal {
	total := 0
	for i := range h.docs {
		if h.docs[i].Count >= least {
			total += h.docs[i].Count
		}
	}
	h.seeds = slices.Grow(h.seeds[:0], total)[:total]
	total = 0
	for i := range h.docs {
		if d := &h.docs[i]; d.Count >= least {
			d.Seeds = h.seeds[total : total : total+d.Count]
			total += d.Count
		}
	}
	for _, p := range h.positions {
		for at := h.last[uint32(p)]; at > 0; at = h.postings[at-1].next {
			if d := &h.docs[h.postings[at-1].doc]; d.Count >= least {
				d.Seeds = append(d.Seeds, match.Seed{Target: uint32(p >> 32), Origin: h.postings[at-1].origin})
			}
		}
	}
	return h.ordered(least)
}

// sortPositions sets positions and at. Only tokens that have a position are defined in at.
func (h *Hits) sortPositions() {
	h.positions = h.positions[:0]
	for i, last := range h.last {
		if last > 0 {
			at := h.positionsOf(i)
			for _, f := range at[:min(len(at), MaxRepeats)] {
				h.positions = append(h.positions, uint64(f.Pos)<<32|uint64(i))
			}
		}
	}
	slices.Sort(h.positions)
	h.at = h.at[:0]
	for i, p := range h.positions {
		if n := int(p>>32) + 1; n > len(h.at) {
			h.at = slices.Grow(h.at, n-len(h.at))[:n]
			h.at[n-1] = uint32(i)
		}
	}
}

func (h *Hits) ordered(least int) []Proposal {
	h.order, h.packed = h.order[:0], h.packed[:0]
	packable := true
	for _, d := range h.docs {
		if d.Count >= least {
			h.order = append(h.order, d)
			key, ok := d.packed()
			h.packed, packable = append(h.packed, key), packable && ok
		}
	}
	if !packable {
		slices.SortFunc(h.order, func(a, b Proposal) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), a.Key.Compare(b.Key))
		})
		return h.order
	}
	slices.Sort(h.packed)
	for i, key := range h.packed {
		h.order[i] = h.docs[h.number[uint8(key>>32)][uint32(key)]-1]
	}
	return h.order
}

// packed returns a number that sorts as the proposal does: by count, most first, then by baseline, then by document. Sorting
// numbers is three times as fast as sorting proposals. ok is false if the count or the baseline does not fit into the number.
func (p *Proposal) packed() (key uint64, ok bool) {
	const most = 1<<24 - 1
	return uint64(most-p.Count)<<40 | uint64(uint8(p.Key.Baseline))<<32 | uint64(p.Key.ID), p.Count <= most && p.Key.Baseline <= math.MaxUint8
}

// Hit is a position in a document that has a fingerprint of the text.
type Hit struct {
	Key Key
	Pos uint32
}

// Rare calls fn for each fingerprint with at most inText positions in the text and inBaselines positions in the baselines. fn gets the
// positions in the text and the hits, which are valid during the call only.
func (h *Hits) Rare(inText, inBaselines int, fn func(at []fingerprint.Fingerprint, hits []Hit) error) error {
	for i, last := range h.last {
		at := h.positionsOf(i)
		if last == 0 || len(at) > inText || !h.collect(last, inBaselines) {
			continue
		}
		if err := fn(at, h.rare); err != nil {
			return err
		}
	}
	return nil
}

// collect gathers the hits of a hash, starting with the last one. It returns false if there are more than most.
func (h *Hits) collect(last int32, most int) bool {
	h.rare = h.rare[:0]
	for at := last; at > 0; at = h.postings[at-1].next {
		if len(h.rare) == most {
			return false
		}
		p := h.postings[at-1]
		h.rare = append(h.rare, Hit{h.docs[p.doc].Key, p.origin})
	}
	return true
}

// DocumentsIn lists the documents that have hits in the tokens [from, to) of the text, those with most first.
func (h *Hits) DocumentsIn(from, to uint32) (keys []Key) {
	count := make(map[Key]int)
	at, _ := slices.BinarySearch(h.positions, uint64(from)<<32)
	for _, p := range h.positions[at:] {
		if uint32(p>>32) >= to {
			break
		}
		for at := h.last[uint32(p)]; at > 0; at = h.postings[at-1].next {
			key := h.docs[h.postings[at-1].doc].Key
			if count[key]++; count[key] == 1 {
				keys = append(keys, key)
			}
		}
	}
	slices.SortFunc(keys, func(a, b Key) int { return cmp.Or(cmp.Compare(count[b], count[a]), a.Compare(b)) })
	return keys
}
