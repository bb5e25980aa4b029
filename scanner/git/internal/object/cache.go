package object

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/git/internal/inflate"
)

// cacheKey names an inflated object: by the number of its pack and its place in it, or, with the number zero, by its name.
type cacheKey struct {
	off  int64
	pack int32
	name Hash
}

// spread is a number that differs where keys do, mostly.
func (k *cacheKey) spread() uint64 {
	const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	return (uint64(k.off) ^ binary.LittleEndian.Uint64(k.name[:])) * golden
}

type cached struct {
	typ  Type
	data []byte
	slab int32 // that the data lie in; 0: they are not of the cache
}

const (
	// slabSize is the memory small objects are put into together. Most trees and deltas are of a few hundred bytes, and most
	// contents of some ten thousand: one by one they would keep allocator and collector busier than the inflater.
	slabSize = 128 << 10
	// slabObject is the largest object that shares a slab: what is left of one when the next does not fit is a quarter at
	// most. A larger one is a slab of its own.
	slabObject = slabSize / 4
	// maxSpare bounds the slabs that wait to be used again.
	maxSpare = 24
)

// byteCache keeps the objects used last, up to a number of bytes. Objects lie in slabs; the oldest slab is given up as a
// whole, and an object found in the older half of them is put anew. Whoever holds an object given up keeps its memory,
// which is not written again unless the Reader lent the object and its loan has ended. Items stand in a ring, in the order
// they were put: two to a line of the processor's cache, as they are asked for in no order, and without pointers.
type byteCache struct {
	limit, used int
	slabs       []slab // the oldest first
	first       int32  // number of slabs[0]
	open        int32  // number of the slab that small objects go to
	items       []cacheItem
	names       []Hash  // of the items without a pack, if there are any
	chains      []int32 // the latest item, by the upper bits of its key's spread
	shift       uint    // 64 less the bits of that index
	tail, head  int32   // items are those from tail up to head, each at its number modulo len(items)
	gone        []slab  // given up, and not held: may still be in use
	spare       [][]byte
}

type slab struct {
	data   []byte // up to its length taken
	size   int    // counted
	number int32
	own    bool // of one object
	held   bool // somebody has an object of it for good
}

// spot is where an object lies, or where one may be put. Without a slab, that is below the first, it cannot be kept.
type spot struct{ slab, at, size int32 }

type cacheItem struct {
	off  int64 // of the key, as the next
	pack int32
	next int32 // of the chain
	spot spot
	typ  Type
}

const (
	firstChains = 1 << 8
	lastItem    = math.MaxInt32 - 1
)

func newByteCache(limit int) *byteCache {
	c := &byteCache{limit: limit}
	c.clear()
	return c
}

func (c *byteCache) clear() {
	*c = byteCache{limit: c.limit, first: 1, tail: 1, head: 1, items: make([]cacheItem, firstChains),
		chains: make([]int32, firstChains), shift: 64 - uint(bits.Len(firstChains-1))}
}

func (c *byteCache) place(n int32) int { return int(n) & (len(c.items) - 1) }

func (c *byteCache) get(k cacheKey) (cached, bool) {
	for n := c.chains[k.spread()>>c.shift]; n >= c.tail; {
		it := &c.items[c.place(n)]
		if it.off == k.off && it.pack == k.pack && it.spot.slab >= c.first && (k.pack != 0 || c.names[c.place(n)] == k.name) {
			data, slab := c.touch(k, *it)
			return cached{it.typ, data, slab}, true
		}
		n = it.next
	}
	return cached{}, false
}

// touch returns the bytes of an item and the number of their slab, and puts it anew if its slab is one of the older half.
func (c *byteCache) touch(k cacheKey, it cacheItem) ([]byte, int32) {
	i := int(it.spot.slab - c.first)
	s := &c.slabs[i]
	data := s.data[it.spot.at:][:it.spot.size]
	if !c.old(i) {
		return data, it.spot.slab
	}
	if s.own {
		c.used -= s.size
		s.size = 0
		c.keep(k, it.typ, data)
		return data, 0
	}
	b, at := c.take(len(data))
	copy(b, data)
	c.put(k, it.typ, at)
	return b, at.slab
}

// old tells whether a slab is one of the older half, of a cache that is half full.
func (c *byteCache) old(i int) bool { return c.used > c.limit/2 && i < len(c.slabs)/2 }

// take returns memory for an object, with inflate.Slack behind it, to be put when it is filled.
func (c *byteCache) take(n int) ([]byte, spot) {
	if n > slabObject {
		b := make([]byte, n, n+inflate.Slack)
		return b, c.own(b)
	}
	need := max(n+inflate.Slack, itemOverhead)
	if i := int(c.open - c.first); i < 0 || c.old(i) || len(c.slabs[i].data)+need > slabSize {
		c.open = c.add(c.fresh(), false)
	}
	s := &c.slabs[c.open-c.first]
	at := len(s.data)
	s.data = s.data[:at+need]
	return s.data[at : at+n : at+n+inflate.Slack], spot{c.open, int32(at), int32(n)}
}

// own makes a slab of an object, unless it alone would push most others out.
func (c *byteCache) own(b []byte) spot {
	if cap(b) > c.limit/4 {
		return spot{slab: -1}
	}
	return spot{slab: c.add(b, true), size: int32(len(b))}
}

// keep puts an object whose memory does not come from take.
func (c *byteCache) keep(k cacheKey, typ Type, data []byte) { c.put(k, typ, c.own(data)) }

// fresh returns an empty slab for small objects.
func (c *byteCache) fresh() []byte {
	if n := len(c.spare) - 1; n >= 0 {
		b := c.spare[n]
		c.spare = c.spare[:n]
		return b
	}
	return make([]byte, 0, slabSize)
}

// hold keeps the memory of a slab from being used again: somebody has an object of it.
func (c *byteCache) hold(number int32) {
	if i := int(number - c.first); i >= 0 && i < len(c.slabs) {
		c.slabs[i].held = true
		return
	}
	c.gone = slices.DeleteFunc(c.gone, func(s slab) bool { return s.number == number })
}

// reuse says that nobody has an object of a slab that was given up and is not held.
func (c *byteCache) reuse() {
	for _, s := range c.gone {
		if len(c.spare) < maxSpare {
			c.spare = append(c.spare, s.data[:0])
		}
	}
	clear(c.gone)
	c.gone = c.gone[:0]
}

// itemOverhead is about what an item and its place in the chains cost: without it a million empty objects would count as
// nothing.
const itemOverhead = 100

// add appends a slab, gives up the oldest beyond the limit and returns the number of the new one.
func (c *byteCache) add(data []byte, own bool) int32 {
	size := cap(data) + itemOverhead
	number := c.first + int32(len(c.slabs))
	c.slabs = append(c.slabs, slab{data: data, size: size, number: number, own: own})
	c.used += size
	for c.used > c.limit {
		if s := c.slabs[0]; !s.own && !s.held && len(c.gone) < maxSpare {
			c.gone = append(c.gone, s)
		}
		c.used -= c.slabs[0].size
		c.slabs[0] = slab{}
		c.slabs = c.slabs[1:]
		c.first++
	}
	return number
}

// put enters an object that lies at a spot. Its key must not be there, or is hidden from now on.
func (c *byteCache) put(k cacheKey, typ Type, at spot) {
	if at.slab < c.first {
		return
	}
	for c.tail < c.head && c.items[c.place(c.tail)].spot.slab < c.first {
		c.tail++
	}
	switch {
	case c.head == lastItem:
		c.clear() // two billion objects in, their numbers begin anew
		return
	case int(c.head-c.tail) == len(c.items):
		c.grow()
	}
	c.enter(k, cacheItem{spot: at, typ: typ})
}

func (c *byteCache) enter(k cacheKey, it cacheItem) {
	at, chain := c.place(c.head), &c.chains[k.spread()>>c.shift]
	it.off, it.pack = k.off, k.pack
	it.next, *chain = *chain, c.head
	c.items[at] = it
	if k.pack == 0 {
		if c.names == nil {
			c.names = make([]Hash, len(c.items))
		}
		c.names[at] = k.name
	}
	c.head++
}

// grow makes room for twice as many items.
func (c *byteCache) grow() {
	old := *c
	c.items, c.chains, c.names = make([]cacheItem, 2*len(old.items)), make([]int32, 2*len(old.items)), nil
	c.shift--
	for c.head = old.tail; c.head < old.head; {
		it := old.items[old.place(c.head)]
		k := cacheKey{off: it.off, pack: it.pack}
		if it.pack == 0 {
			k.name = old.names[old.place(c.head)]
		}
		c.enter(k, it)
	}
}
