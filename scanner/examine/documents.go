package examine

import (
	"container/list"
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/lang"
)

// docCacheBytes bounds the decoded documents kept: neighbouring files of a
// target match the same ones.
const docCacheBytes = 48 << 20

// docKey names a document: which baseline, which document there.
type docKey struct {
	base int
	id   baseline.DocID
}

// doc is a decoded document.
type doc struct {
	baseline.Document
	key    docKey
	tokens []lang.Token
	lines  []uint32

	once sync.Once
	text []byte // by fullText: only what is judged needs it
	err  error
}

func (d *doc) bytes() int { return 20*len(d.tokens) + int(d.Size) + 256 }

// docCache keeps the documents used last. Safe for concurrent use.
type docCache struct {
	mu    sync.Mutex
	limit int
	size  int
	byKey map[docKey]*list.Element
	order *list.List // front: used last
}

func newDocCache(limit int) *docCache {
	return &docCache{limit: limit, byKey: make(map[docKey]*list.Element), order: list.New()}
}

func (c *docCache) get(k docKey) *doc {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[k]
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*doc)
}

func (c *docCache) put(d *doc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[d.key]; ok {
		return
	}
	c.byKey[d.key] = c.order.PushFront(d)
	c.size += d.bytes()
	for c.size > c.limit && c.order.Len() > 1 {
		e := c.order.Back()
		old := c.order.Remove(e).(*doc)
		delete(c.byKey, old.key)
		c.size -= old.bytes()
	}
}

// load returns a document's record and tokens.
func (s *Examiner) load(k docKey) (*doc, error) {
	if d := s.docs.get(k); d != nil {
		return d, nil
	}
	b := s.bases[k.base]
	rec, err := b.Doc(k.id)
	if err != nil {
		return nil, err
	}
	d := &doc{Document: rec, key: k}
	if d.tokens, d.lines, err = b.Tokens(rec); err != nil {
		return nil, err
	}
	s.docs.put(d)
	return d, nil
}

// fullText returns the document's text, read at its first use.
func (s *Examiner) fullText(d *doc) ([]byte, error) {
	d.once.Do(func() { d.text, d.err = s.bases[d.key.base].Text(d.Document) })
	return d.text, d.err
}
