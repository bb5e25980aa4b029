package git

import "encoding/binary"

// cacheKey names an inflated object: by the number of its pack and its place in it, or, with the number zero, by its name.
type cacheKey struct {
	off  int64
	pack int32
	name Hash
}

// is compares two keys. Names are longer than what is compared at once, and mostly not needed.
func (k *cacheKey) is(o *cacheKey) bool {
	return k.off == o.off && k.pack == o.pack && (k.pack != 0 || k.name == o.name)
}

// spread is a number that differs where keys do, mostly.
func (k *cacheKey) spread() uint64 {
	const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	return (uint64(k.off) ^ binary.LittleEndian.Uint64(k.name[:])) * golden
}

type cached struct {
	typ  objectType
	data []byte
}

const (
	// slabSize is the memory small objects are put into together. Most trees and deltas are of a few hundred bytes: one by
	// one they would keep allocator and collector busier than the inflater.
	slabSize = 64 << 10
	// slabObject is the largest object that shares a slab: what is left of one when the next does not fit is a quarter at
	// most. A larger one is a slab of its own.
	slabObject = slabSize / 4
)

// byteCache keeps the objects used last, up to a number of bytes. Objects lie in slabs; the oldest slab is given up as a
// whole, and an object found in the older half of them is put anew. Whoever holds an object given up keeps its memory, which is
// never written again. Items stand in a ring, in the order they were put, and hold no pointers.
type byteCache struct {
	limit, used int
	slabs       []slab // the oldest first
	first       int    // number of slabs[0]
	open        int    // number of the slab that small objects go to
	items       []cacheItem
	chains      []int // the latest item, by the upper bits of its key's spread
	shift       uint  // 64 less the bits of that index
	tail, head  int   // items are those from tail up to head, each at its number modulo len(items)
}

type slab struct {
	data []byte // up to its length taken
	size int    // counted
	own  bool   // of one object
}

// spot is where an object lies, or where one may be put. Without a slab, that is below the first, it cannot be kept.
type spot struct{ slab, at, size int }

type cacheItem struct {
	key  cacheKey
	spot spot
	next int // of the chain
	typ  objectType
}

func newByteCache(limit int) *byteCache {
	const bits = 8 // for a start
	return &byteCache{limit: limit, first: 1, tail: 1, head: 1, items: make([]cacheItem, 1<<bits), chains: make([]int, 1<<bits), shift: 64 - bits}
}

func (c *byteCache) get(k cacheKey) (cached, bool) {
	for n := c.chains[k.spread()>>c.shift]; n >= c.tail; {
		it := &c.items[n&(len(c.items)-1)]
		if it.key.is(&k) && it.spot.slab >= c.first {
			return cached{it.typ, c.touch(it)}, true
		}
		n = it.next
	}
	return cached{}, false
}

// touch returns the bytes of an item, and puts it anew if its slab is one of the older half.
func (c *byteCache) touch(it *cacheItem) []byte {
	s := &c.slabs[it.spot.slab-c.first]
	data := s.data[it.spot.at:][:it.spot.size]
	if c.used <= c.limit/2 || it.spot.slab-c.first >= len(c.slabs)/2 {
		return data
	}
	k, typ := it.key, it.typ
	if s.own {
		c.used -= s.size
		s.size = 0
		c.keep(k, cached{typ, data})
		return data
	}
	b, at := c.take(len(data))
	copy(b, data)
	c.put(k, typ, at)
	return b
}

// take returns memory for an object, with slack behind it, to be put when it is filled.
func (c *byteCache) take(n int) ([]byte, spot) {
	if n > slabObject {
		b := make([]byte, n, n+slack)
		return b, c.own(b)
	}
	need := max(n+slack, itemOverhead)
	if i := c.open - c.first; i < 0 || len(c.slabs[i].data)+need > slabSize {
		c.open = c.add(make([]byte, 0, slabSize), false)
	}
	s := &c.slabs[c.open-c.first]
	at := len(s.data)
	s.data = s.data[:at+need]
	return s.data[at : at+n : at+n+slack], spot{c.open, at, n}
}

// own makes a slab of an object, unless it alone would push most others out.
func (c *byteCache) own(b []byte) spot {
	if cap(b) > c.limit/4 {
		return spot{slab: -1}
	}
	return spot{slab: c.add(b, true), size: len(b)}
}

// keep puts an object whose memory does not come from take.
func (c *byteCache) keep(k cacheKey, v cached) { c.put(k, v.typ, c.own(v.data)) }

// itemOverhead is about what an item and its place in the chains cost: without it a million empty objects would count as
// nothing.
const itemOverhead = 100

// add appends a slab, gives up the oldest beyond the limit and returns the number of the new one.
func (c *byteCache) add(data []byte, own bool) int {
	size := cap(data) + itemOverhead
	c.slabs = append(c.slabs, slab{data, size, own})
	c.used += size
	for c.used > c.limit {
		c.used -= c.slabs[0].size
		c.slabs[0] = slab{}
		c.slabs = c.slabs[1:]
		c.first++
	}
	return c.first + len(c.slabs) - 1
}

// put enters an object that lies at a spot. Its key must not be there, or is hidden from now on.
func (c *byteCache) put(k cacheKey, typ objectType, at spot) {
	if at.slab < c.first {
		return
	}
	for c.tail < c.head && c.items[c.tail&(len(c.items)-1)].spot.slab < c.first {
		c.tail++
	}
	if c.head-c.tail == len(c.items) {
		c.grow()
	}
	c.enter(cacheItem{key: k, spot: at, typ: typ})
}

func (c *byteCache) enter(it cacheItem) {
	chain := &c.chains[it.key.spread()>>c.shift]
	it.next, *chain = *chain, c.head
	c.items[c.head&(len(c.items)-1)] = it
	c.head++
}

// grow makes room for twice as many items.
func (c *byteCache) grow() {
	old, tail, head := c.items, c.tail, c.head
	c.items, c.chains = make([]cacheItem, 2*len(old)), make([]int, 2*len(old))
	c.shift--
	for c.head = tail; c.head < head; {
		c.enter(old[c.head&(len(old)-1)])
	}
}
