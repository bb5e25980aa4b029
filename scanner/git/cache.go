package git

import "container/list"

// cacheKey names an inflated object: by its place in a pack, or by name if it is loose.
type cacheKey struct {
	pack  *pack
	off   int64
	loose Hash
}

type cached struct {
	typ  objectType
	data []byte
}

// byteCache keeps the objects used last, up to a number of bytes.
type byteCache struct {
	limit, used int
	order       *list.List // of cacheItem, most recent first
	items       map[cacheKey]*list.Element
}

type cacheItem struct {
	key   cacheKey
	value cached
}

func newByteCache(limit int) *byteCache {
	return &byteCache{limit: limit, order: list.New(), items: map[cacheKey]*list.Element{}}
}

func (c *byteCache) get(k cacheKey) (cached, bool) {
	e, ok := c.items[k]
	if !ok {
		return cached{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(cacheItem).value, true
}

// itemOverhead is about what list element, map entry and slice header cost: without it a million empty objects would
// count as nothing.
const itemOverhead = 200

// put keeps v unless it alone would push most others out.
func (c *byteCache) put(k cacheKey, v cached) {
	size := len(v.data) + itemOverhead
	if _, ok := c.items[k]; ok || size > c.limit/4 {
		return
	}
	c.items[k] = c.order.PushFront(cacheItem{k, v})
	c.used += size
	for c.used > c.limit {
		old := c.order.Remove(c.order.Back()).(cacheItem)
		delete(c.items, old.key)
		c.used -= len(old.value.data) + itemOverhead
	}
}
