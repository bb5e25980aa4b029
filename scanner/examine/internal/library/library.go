// Package library loads documents of baselines. It takes a baseline and the number of a document. It returns a Document, whose tokens,
// text and names are decoded when they are first read. It keeps the documents used last, because neighbouring files of a target match
// the same documents. All types are safe for concurrent use.
package library

import (
	"container/list"
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
)

// Library loads and keeps documents of baselines.
type Library struct {
	bases []*baseline.Baseline

	mu    sync.Mutex
	limit int // bytes
	size  int
	byKey map[lookup.Key]*list.Element
	order *list.List // last used first

	packages map[packageOf][]baseline.DocID // guarded by mu
	answers  answers
}

// New returns the library of baselines. It keeps up to limit decoded bytes of the documents used last, and always at least one
// document.
func New(bases []*baseline.Baseline, limit int) *Library {
	return &Library{bases: bases, limit: limit, byKey: make(map[lookup.Key]*list.Element), order: list.New()}
}

// documentBytes is the memory of a document before any part is decoded, its shapes included.
const documentBytes = 2 << 10

// Load returns a document. Its tokens are decoded when they are read.
func (l *Library) Load(k lookup.Key) (*Document, error) {
	if d := l.get(k); d != nil {
		return d, nil
	}
	b := l.bases[k.Baseline]
	rec, err := b.Doc(k.ID)
	if err != nil {
		return nil, err
	}
	d := &Document{Document: rec, Key: k, in: l, size: documentBytes}
	if d.Stream, err = b.Blocks(rec, d.Read, func(bytes int) { l.grow(d, bytes) }); err != nil {
		return nil, err
	}
	l.put(d)
	return d, nil
}

// Names returns the names of a document, which need not be loaded.
func (l *Library) Names(k lookup.Key) (store.NameSet, error) { return l.bases[k.Baseline].Names(k.ID) }

// Remote reports whether documents of a baseline may have to be fetched.
func (l *Library) Remote(base int) bool { return l.bases[base].Shared() }

// mostFetched is the number of documents whose names are fetched in advance.
const mostFetched = 10_000

// FetchNames fetches the names of documents, in one round for each baseline instead of one for each document. It fetches at most the
// first mostFetched. Tokens are not fetched, since most documents are rejected by their names.
func (l *Library) FetchNames(keys []lookup.Key) error {
	ids := make([][]baseline.DocID, len(l.bases))
	for _, k := range keys[:min(len(keys), mostFetched)] {
		ids[k.Baseline] = append(ids[k.Baseline], k.ID)
	}
	for base, list := range ids {
		if len(list) == 0 {
			continue
		}
		if err := l.bases[base].Bring(list, false); err != nil {
			return err
		}
	}
	return nil
}

func (l *Library) get(k lookup.Key) *Document {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.byKey[k]
	if !ok {
		return nil
	}
	l.order.MoveToFront(e)
	return e.Value.(*Document)
}

func (l *Library) put(d *Document) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.byKey[d.Key]; ok {
		return
	}
	l.byKey[d.Key] = l.order.PushFront(d)
	l.size += d.size
	l.shrink()
}

// grow adds decoded bytes to a document's size.
func (l *Library) grow(d *Document, bytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d.size += bytes
	if e, ok := l.byKey[d.Key]; ok && e.Value.(*Document) == d {
		l.size += bytes
		l.shrink()
	}
}

// shrink drops the documents that were not used for longest, down to the limit.
func (l *Library) shrink() {
	for l.size > l.limit && l.order.Len() > 1 {
		e := l.order.Back()
		old := l.order.Remove(e).(*Document)
		delete(l.byKey, old.Key)
		l.size -= old.size
	}
}
