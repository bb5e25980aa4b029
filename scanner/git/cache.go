package git

import "encoding/binary"

// cacheKey names an inflated object: by its place in a pack, or, without a pack, by its name.
type cacheKey struct {
	pack *pack
	off  int64
	name Hash
}

// is compares two keys. Names are longer than what is compared at once, and mostly not needed.
func (k *cacheKey) is(o *cacheKey) bool {
	return k.off == o.off && k.pack == o.pack && (k.pack != nil || k.name == o.name)
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

// byteCache keeps the objects used last, up to a number of bytes. It is asked several times for every object of a
// history, so it links its items by index within one slice: no allocation for each, and little to look at for the
// collector.
type byteCache struct {
	limit, used int
	items       []cacheItem // the first is no item: after it comes the newest, before it the oldest
	chains      []int32     // of items, by the upper bits of their key's spread; zero ends a chain
	shift       uint        // 64 less the bits of that index
	free        int32       // items given up, by next
}

type cacheItem struct {
	key          cacheKey
	value        cached
	next         int32 // of the chain
	newer, older int32
}

func newByteCache(limit int) *byteCache {
	const bits = 10 // for a start
	return &byteCache{limit: limit, items: make([]cacheItem, 1, 1<<bits), chains: make([]int32, 1<<bits), shift: 64 - bits}
}

func (c *byteCache) get(k cacheKey) (cached, bool) {
	for i := c.chains[k.spread()>>c.shift]; i != 0; i = c.items[i].next {
		if it := &c.items[i]; it.key.is(&k) {
			if c.items[0].older != i {
				c.unlink(i)
				c.link(i)
			}
			return it.value, true
		}
	}
	return cached{}, false
}

// itemOverhead is about what an item and its links cost: without it a million empty objects would count as nothing.
const itemOverhead = 100

// put keeps v unless it alone would push most others out. The key must not be in the cache.
func (c *byteCache) put(k cacheKey, v cached) {
	size := cap(v.data) + itemOverhead
	if size > c.limit/4 {
		return
	}
	i := c.slot()
	chain := &c.chains[k.spread()>>c.shift]
	c.items[i] = cacheItem{key: k, value: v, next: *chain}
	*chain = i
	c.link(i)
	for c.used += size; c.used > c.limit; {
		c.remove(c.items[0].newer)
	}
}

// slot returns the index of an unused item.
func (c *byteCache) slot() int32 {
	if i := c.free; i != 0 {
		c.free = c.items[i].next
		return i
	}
	if len(c.items) == 2*len(c.chains) {
		c.grow()
	}
	c.items = append(c.items, cacheItem{})
	return int32(len(c.items) - 1)
}

// grow makes twice as many chains.
func (c *byteCache) grow() {
	c.chains = make([]int32, 2*len(c.chains))
	c.shift--
	for i := c.items[0].older; i != 0; i = c.items[i].older {
		chain := &c.chains[c.items[i].key.spread()>>c.shift]
		c.items[i].next, *chain = *chain, i
	}
}

// link makes an item the newest.
func (c *byteCache) link(i int32) {
	head := &c.items[0]
	c.items[i].newer, c.items[i].older = 0, head.older
	c.items[head.older].newer = i
	head.older = i
}

func (c *byteCache) unlink(i int32) {
	newer, older := c.items[i].newer, c.items[i].older
	c.items[newer].older, c.items[older].newer = older, newer
}

func (c *byteCache) remove(i int32) {
	it := &c.items[i]
	c.used -= cap(it.value.data) + itemOverhead
	c.unlink(i)
	at := &c.chains[it.key.spread()>>c.shift]
	for *at != i {
		at = &c.items[*at].next
	}
	*at = it.next
	*it = cacheItem{next: c.free}
	c.free = i
}
