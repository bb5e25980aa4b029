package object

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/git/internal/inflate"
)

// cacheKey names an inflated object: by the number of its pack and its offset in it, or, if the number is zero, by its name.
type cacheKey struct {
	off  int64
	pack int32
	name Hash
}

// hash returns a hash of the key.
func (k *cacheKey) hash() uint64 {
	const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	return (uint64(k.off) ^ binary.LittleEndian.Uint64(k.name[:])) * golden
}

type cached struct {
	typ  Type
	data []byte
	slab int32 // slab that contains the data; 0: not in the cache
}

const (
	// slabSize is the size of the memory that small objects share. Most trees and deltas have a few hundred bytes, most
	// contents some ten thousand. One allocation each would keep allocator and collector busier than the inflater.
	slabSize = 128 << 10
	// slabObject is the largest object that shares a slab. So at most a quarter of a slab is left when the next object does
	// not fit. A larger object has a slab of its own.
	slabObject = slabSize / 4
	// maxSpare bounds the slabs that wait to be used again.
	maxSpare = 24
)

// byteCache keeps the objects used last, up to a number of bytes. Objects are stored in slabs. The oldest slab is dropped as
// a whole; an object found in the older half of the slabs is stored again. A caller that holds a dropped object keeps its
// memory. That memory is not written again, unless the Reader lent the object and its loan has ended. Items are kept in a
// ring in the order they were stored, without pointers. Two fit in a line of the processor's cache, since they are asked for
// in no order.
type byteCache struct {
	limit, used int
	slabs       []slab // the oldest first
	first       int32  // number of slabs[0]
	open        int32  // number of the slab that small objects go to
	items       []cacheItem
	names       []Hash  // of the items without a pack, if there are any
	chains      []int32 // the latest item, by the upper bits of its key's hash
	shift       uint    // 64 less the bits of that index
	tail, head  int32   // items are numbered from tail up to head; number n is at n modulo len(items)
	gone        []slab  // dropped, and not held: may still be in use
	spare       [][]byte
}

type slab struct {
	data   []byte // its length is the part in use
	size   int    // bytes counted against the limit
	number int32
	own    bool // it has one object
	held   bool // a caller keeps one of its objects for good
}

// slot is the position of an object, or a position where one may be stored. If slab is below the first slab, the object cannot
// be kept.
type slot struct{ slab, at, size int32 }

type cacheItem struct {
	off  int64 // of the key, like the next field
	pack int32
	next int32 // in the chain
	slot slot
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

func (c *byteCache) index(n int32) int { return int(n) & (len(c.items) - 1) }

func (c *byteCache) get(k cacheKey) (cached, bool) {
	for n := c.chains[k.hash()>>c.shift]; n >= c.tail; {
		it := &c.items[c.index(n)]
		if it.off == k.off && it.pack == k.pack && it.slot.slab >= c.first && (k.pack != 0 || c.names[c.index(n)] == k.name) {
			data, slab := c.touch(k, *it)
			return cached{it.typ, data, slab}, true
		}
		n = it.next
	}
	return cached{}, false
}

// touch returns the bytes of an item and the number of their slab. It stores the item again if its slab is in the older
// half.
func (c *byteCache) touch(k cacheKey, it cacheItem) ([]byte, int32) {
	i := int(it.slot.slab - c.first)
	s := &c.slabs[i]
	data := s.data[it.slot.at:][:it.slot.size]
	if !c.old(i) {
		return data, it.slot.slab
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

// old reports whether a slab is in the older half of a cache that is half full.
func (c *byteCache) old(i int) bool { return c.used > c.limit/2 && i < len(c.slabs)/2 }

// take returns memory for an object, with inflate.Slack after it. The caller fills it and calls put.
func (c *byteCache) take(n int) ([]byte, slot) {
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
	return s.data[at : at+n : at+n+inflate.Slack], slot{c.open, int32(at), int32(n)}
}

// own makes a slab of one object, unless the object would push most others out.
func (c *byteCache) own(b []byte) slot {
	if cap(b) > c.limit/4 {
		return slot{slab: -1}
	}
	return slot{slab: c.add(b, true), size: int32(len(b))}
}

// keep stores an object whose memory does not come from take.
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

// hold keeps the memory of a slab from being reused, because a caller has one of its objects.
func (c *byteCache) hold(number int32) {
	if i := int(number - c.first); i >= 0 && i < len(c.slabs) {
		c.slabs[i].held = true
		return
	}
	c.gone = slices.DeleteFunc(c.gone, func(s slab) bool { return s.number == number })
}

// reuse makes dropped slabs available again. No caller may have an object of a dropped slab that is not held.
func (c *byteCache) reuse() {
	for _, s := range c.gone {
		if len(c.spare) < maxSpare {
			c.spare = append(c.spare, s.data[:0])
		}
	}
	clear(c.gone)
	c.gone = c.gone[:0]
}

// itemOverhead is the approximate cost of an item and its place in the chains. Without it a million empty objects would
// count as zero bytes.
const itemOverhead = 100

// add appends a slab, drops the oldest slabs beyond the limit and returns the number of the new slab.
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

// put enters an object at a slot. An earlier item with the same key is hidden.
func (c *byteCache) put(k cacheKey, typ Type, at slot) {
	if at.slab < c.first {
		return
	}
	for c.tail < c.head && c.items[c.index(c.tail)].slot.slab < c.first {
		c.tail++
	}
	switch {
	case c.head == lastItem:
		c.clear() // after two billion objects the numbers start again
		return
	case int(c.head-c.tail) == len(c.items):
		c.grow()
	}
	c.enter(k, cacheItem{slot: at, typ: typ})
}

func (c *byteCache) enter(k cacheKey, it cacheItem) {
	at, chain := c.index(c.head), &c.chains[k.hash()>>c.shift]
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
		it := old.items[old.index(c.head)]
		k := cacheKey{off: it.off, pack: it.pack}
		if it.pack == 0 {
			k.name = old.names[old.index(c.head)]
		}
		c.enter(k, it)
	}
}
