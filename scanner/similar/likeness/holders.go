package likeness

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// holders is how many programs have each run of a reading: a hash table with open addresses, which takes a third of the time of a map.
// Its factor is drawn anew in each process, so that nobody can choose hashes that meet in one place; no count depends on it.
type holders struct {
	slots  []holder // a power of two
	used   int
	factor uint64
	zero   int32 // the programs that have hash 0, which marks a slot as free
}

type holder struct {
	hash uint64
	n    int32
}

const firstSlots = 1 << 10

// slot returns the place of a hash, or the place where it belongs.
func (h *holders) slot(hash uint64) *holder {
	shift := 65 - bits.Len(uint(len(h.slots)))
	for i := hash * h.factor >> shift; ; i = (i + 1) & uint64(len(h.slots)-1) {
		if s := &h.slots[i]; s.hash == hash || s.hash == 0 {
			return s
		}
	}
}

func (h *holders) add(hash uint64) {
	if hash == 0 {
		h.zero++
		return
	}
	if h.used*4 >= len(h.slots)*3 {
		h.grow()
	}
	s := h.slot(hash)
	if s.n == 0 {
		s.hash = hash
		h.used++
	}
	s.n++
}

func (h *holders) grow() {
	if h.factor == 0 {
		h.factor = rand.Uint64() | 1
	}
	old := h.slots
	h.slots = make([]holder, max(firstSlots, 2*len(old)))
	for _, s := range old {
		if s.n > 0 {
			*h.slot(s.hash) = s
		}
	}
}

// count returns how many programs have a run.
func (h *holders) count(hash uint64) int32 {
	switch {
	case hash == 0:
		return h.zero
	case len(h.slots) == 0:
		return 0
	}
	return h.slot(hash).n
}

// smallSort is the number of runs up to which they are sorted by comparisons alone.
const smallSort = 32

// byHash sorts runs by hash and position. They come in the order of their positions. Hashes are spread evenly, so that the first bits
// put nearly all in their places. Package hashes does the same for any item; here its calls of a function would take 1.7 times as long.
func byHash(gs []gram) {
	if len(gs) <= smallSort {
		compareHash(gs)
		return
	}
	width := bits.Len(uint(len(gs) / 4))
	ends := make([]int32, 1<<width)
	for _, g := range gs {
		ends[g.hash>>(64-width)]++
	}
	sum := int32(0)
	for i, n := range ends {
		ends[i], sum = sum, sum+n
	}
	from := slices.Clone(gs)
	for _, g := range from {
		i := g.hash >> (64 - width)
		gs[ends[i]] = g
		ends[i]++
	}
	begin := int32(0)
	for _, end := range ends {
		compareHash(gs[begin:end])
		begin = end
	}
}

// compareHash sorts a few runs, or many of which most have equal hashes.
func compareHash(gs []gram) {
	if len(gs) > smallSort {
		slices.SortFunc(gs, func(a, b gram) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.at, b.at)) })
		return
	}
	for i := 1; i < len(gs); i++ {
		g, at := gs[i], i
		for ; at > 0 && gs[at-1].hash > g.hash; at-- {
			gs[at] = gs[at-1]
		}
		gs[at] = g
	}
}
