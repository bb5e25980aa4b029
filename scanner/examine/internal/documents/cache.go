// Package documents loads documents of baselines. It takes a baseline and the number of a document. It returns a Document, whose tokens,
// text and names are decoded when they are first read. It keeps the documents used last, because neighbouring files of a target match
// the same documents. All types are safe for concurrent use.
//
//	cache.go       Cache
//	document.go    Document
//	index.go       the positions of names in a document; answers.go: searches that are remembered
//	package.go     the other documents of a package
package documents

import (
	"container/list"
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
)

// Cache loads and keeps documents of baselines.
type Cache struct {
	bases []*baseline.Baseline

	mu    sync.Mutex
	limit int // bytes
	size  int
	byKey map[lookup.Key]*list.Element
	order *list.List // last used first

	packages map[packageOf][]baseline.DocID // guarded by mu
	answers  answers
}

// New returns a cache of documents of baselines. It keeps up to limit decoded bytes of the documents used last, and always at least one
// document.
func New(bases []*baseline.Baseline, limit int) *Cache {
	return &Cache{bases: bases, limit: limit, byKey: make(map[lookup.Key]*list.Element), order: list.New()}
}

// documentBytes is the memory of a document before any part is decoded, its shapes included.
const documentBytes = 2 << 10

// Load returns a document. Its tokens are decoded when they are read.
func (c *Cache) Load(k lookup.Key) (*Document, error) {
	if d := c.get(k); d != nil {
		return d, nil
	}
	b := c.bases[k.Baseline]
	rec, err := b.Doc(k.ID)
	if err != nil {
		return nil, err
	}
	d := &Document{Document: rec, Key: k, in: c, size: documentBytes}
	if d.Stream, err = b.Blocks(rec, d.Read, func(bytes int) { c.grow(d, bytes) }); err != nil {
		return nil, err
	}
	c.put(d)
	return d, nil
}

// Names returns the names of a document, which need not be loaded.
func (c *Cache) Names(k lookup.Key) (store.NameSet, error) { return c.bases[k.Baseline].Names(k.ID) }

// Remote reports whether documents of a baseline may have to be fetched.
func (c *Cache) Remote(base int) bool { return c.bases[base].Shared() }

// mostFetched is the number of documents whose names are fetched in advance.
const mostFetched = 10_000

// FetchNames fetches the names of documents, in one round for each baseline instead of one for each document. It fetches at most the
// first mostFetched. Tokens are not fetched, since most documents are rejected by their names.
func (c *Cache) FetchNames(keys []lookup.Key) error {
	ids := make([][]baseline.DocID, len(c.bases))
	for _, k := range keys[:min(len(keys), mostFetched)] {
		ids[k.Baseline] = append(ids[k.Baseline], k.ID)
	}
	for base, list := range ids {
		if len(list) == 0 {
			continue
		}
		if err := c.bases[base].FetchNames(list); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cache) get(k lookup.Key) *Document {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[k]
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*Document)
}

func (c *Cache) put(d *Document) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[d.Key]; ok {
		return
	}
	c.byKey[d.Key] = c.order.PushFront(d)
	c.size += d.size
	c.shrink()
}

// grow adds decoded bytes to a document's size.
func (c *Cache) grow(d *Document, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d.size += bytes
	if e, ok := c.byKey[d.Key]; ok && e.Value.(*Document) == d {
		c.size += bytes
		c.shrink()
	}
}

// shrink drops the documents that were not used for longest, down to the limit.
func (c *Cache) shrink() {
	for c.size > c.limit && c.order.Len() > 1 {
		e := c.order.Back()
		old := c.order.Remove(e).(*Document)
		delete(c.byKey, old.Key)
		c.size -= old.size
	}
}
