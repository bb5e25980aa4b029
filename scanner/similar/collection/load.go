package collection

import (
	"container/list"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// Loaded is a document with its text and tokens.
type Loaded struct {
	*Document
	Text   []byte
	Tokens []lang.Token
	Masked []bool // per token: base code or import clause; nil if there are none

	lines func() lang.LineIndex
}

// Lines indexes the lines of the text.
func (d *Loaded) Lines() lang.LineIndex { return d.lines() }

func (d *Loaded) side() match.Side {
	return match.Side{Text: d.Text, Tokens: d.Tokens, Prose: d.Language == lang.Words()}
}

// tokenBytes is the size of a token in memory.
const tokenBytes = 16

// cacheBytes bounds the documents that are kept in memory. A document that is compared with many is soon needed again.
const cacheBytes = 96 << 20

// loadedBytes is the size of a Loaded and its Document without text and tokens, rounded up.
const loadedBytes = 256

// hold keeps a document in memory if there is room for all documents so far. Otherwise none is held any more.
func (s *Set) hold(doc *Document, text []byte, toks []lang.Token, masked []bool) bool {
	size := loadedBytes + len(text) + tokenBytes*len(toks) + len(masked)
	if s.held.Load() > s.room || s.held.Add(int64(size)) > s.room {
		return false
	}
	if cap(text)-len(text) > len(text)/8 { // part of something larger, which would stay in memory
		text = slices.Clone(text)
	}
	doc.held = newLoaded(doc, text, slices.Clone(toks))
	if doc.Own < doc.Tokens {
		doc.held.Masked = masked
	}
	return true
}

func newLoaded(doc *Document, text []byte, toks []lang.Token) *Loaded {
	return &Loaded{Document: doc, Text: text, Tokens: toks, lines: sync.OnceValue(func() lang.LineIndex { return lang.Lines(text) })}
}

// cache keeps the documents used last.
type cache struct {
	mu    sync.Mutex
	size  int
	byID  map[ID]*list.Element
	order *list.List // front: used last
}

type cached struct {
	id   ID
	doc  *Loaded
	size int
}

func newCache() *cache { return &cache{byID: make(map[ID]*list.Element), order: list.New()} }

func (c *cache) get(id ID) *Loaded {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byID[id]
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).doc
}

func (c *cache) put(id ID, d *Loaded) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byID[id]; ok {
		return
	}
	k := &cached{id, d, len(d.Text) + tokenBytes*len(d.Tokens) + len(d.Masked)}
	c.byID[id] = c.order.PushFront(k)
	c.size += k.size
	for c.size > cacheBytes && c.order.Len() > 1 {
		e := c.order.Back()
		old := c.order.Remove(e).(*cached)
		delete(c.byID, old.id)
		c.size -= old.size
	}
}

// Loader reads documents. It is not safe for concurrent use.
type Loader struct {
	s      *Set
	stored []byte // buffer
}

// NewLoader returns a loader.
func (s *Set) NewLoader() *Loader { return &Loader{s: s} }

// Close lets a Loader be a worker of a pool.
func (*Loader) Close() {}

// Load reads a document. It may be cached and must not be modified.
func (l *Loader) Load(id ID) (*Loaded, error) {
	rec := &l.s.Docs[id]
	if rec.held != nil {
		return rec.held, nil
	}
	if d := l.s.cache.get(id); d != nil {
		return d, nil
	}
	size := rec.Size + int(rec.packed)
	l.stored = slices.Grow(l.stored[:0], size)[:size]
	if err := l.s.spool.read(rec.stored, l.stored); err != nil {
		return nil, err
	}
	d := newLoaded(rec, slices.Clone(l.stored[:rec.Size]), make([]lang.Token, rec.Tokens))
	if err := unpack(l.stored[rec.Size:], d.Tokens); err != nil {
		return nil, err
	}
	if rec.Own < rec.Tokens {
		d.mask(&l.s.o)
	}
	l.s.cache.put(id, d)
	return d, nil
}

// mask determines which tokens do not count.
func (d *Loaded) mask(o *Options) {
	var grams []uint64
	if len(o.BaseCode) > 0 {
		grams = fingerprint.KGrams(nil, baseline.Values(nil, d.Language, d.Tokens), o.Params.K)
	}
	d.Masked, _ = o.mask(grams, d.Tokens)
}
