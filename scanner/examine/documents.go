package examine

import (
	"container/list"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/contract"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/imports"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// docCacheBytes bounds the decoded documents kept: neighbouring files of a
// target match the same ones.
const docCacheBytes = 48 << 20

// doc is a document, decoded as far as it is read.
type doc struct {
	baseline.Document
	key    lookup.Key
	tokens *lang.BlockStream
	code   *lang.BlockStream // of a document whose tokens are the words of its comments: its own
	size   int               // bytes it takes in the cache, by which it is guarded

	once sync.Once
	text []byte // by fullText: only what is judged needs it
	err  error

	marked    sync.Once
	generator bool // by generated

	held  sync.Once
	occs  []baseline.Occurrence // by occurrences
	noOcc error

	searched  sync.Once
	helpers   docHelpers // by helpers
	noHelpers error

	implements sync.Once
	contracts  []contract.Stretch // by contracts

	uses    sync.Once
	imports []imports.Import // by imports
}

// docBytes is what a document takes of which nothing is decoded, its shapes included.
const docBytes = 2 << 10

// length is how many tokens the document has.
func (d *doc) length() uint64 { return uint64(d.tokens.Len()) }

// side is the document as the matcher sees it, without its text.
func (d *doc) side() match.Side { return match.Side{Blocks: d.tokens} }

// docCache keeps the documents used last, with the blocks decoded of them. Safe for concurrent use.
type docCache struct {
	mu    sync.Mutex
	limit int
	size  int
	byKey map[lookup.Key]*list.Element
	order *list.List // front: used last
}

func newDocCache(limit int) *docCache {
	return &docCache{limit: limit, byKey: make(map[lookup.Key]*list.Element), order: list.New()}
}

func (c *docCache) get(k lookup.Key) *doc {
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
	c.size += d.size
	c.shrink()
}

// grow counts what was decoded of a document.
func (c *docCache) grow(d *doc, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d.size += bytes
	if e, ok := c.byKey[d.key]; ok && e.Value.(*doc) == d {
		c.size += bytes
		c.shrink()
	}
}

// shrink drops the documents used longest ago.
func (c *docCache) shrink() {
	for c.size > c.limit && c.order.Len() > 1 {
		e := c.order.Back()
		old := c.order.Remove(e).(*doc)
		delete(c.byKey, old.key)
		c.size -= old.size
	}
}

// load returns a document's record and tokens.
func (s *Examiner) load(k lookup.Key) (*doc, error) {
	if d := s.docs.get(k); d != nil {
		return d, nil
	}
	b := s.bases[k.Base]
	rec, err := b.Doc(k.ID)
	if err != nil {
		return nil, err
	}
	d := &doc{Document: rec, key: k, size: docBytes}
	if d.tokens, err = b.Blocks(rec, func(bytes int) { s.docs.grow(d, bytes) }); err != nil {
		return nil, err
	}
	s.docs.put(d)
	return d, nil
}

// occurrences returns who has the document, to be read only. A document is asked for
// by one file after the other, and the licence of each occurrence takes time.
func (s *Examiner) occurrences(d *doc) ([]baseline.Occurrence, error) {
	d.held.Do(func() {
		if d.occs, d.noOcc = s.bases[d.key.Base].Occurrences(d.Document); d.noOcc == nil {
			const each = 128 // bytes
			s.docs.grow(d, each*len(d.occs))
		}
	})
	return d.occs, d.noOcc
}

// fullText returns the document's text, read at its first use.
func (s *Examiner) fullText(d *doc) ([]byte, error) {
	d.once.Do(func() {
		if d.text, d.err = s.bases[d.key.Base].Text(d.Document); d.err == nil {
			s.docs.grow(d, len(d.text))
		}
	})
	return d.text, d.err
}

// generated tells whether the document, whose text was read, says that a program wrote it.
func (d *doc) generated() bool {
	d.marked.Do(func() { d.generator = lang.SaysGenerated(d.text) })
	return d.generator
}

// mostBrought bounds the documents whose names are fetched before anything tells that they
// are needed. The first are those with most seeds.
const mostBrought = 10_000

// shared tells whether documents of a baseline may have to be fetched.
func (s *Examiner) shared(base int) bool { return s.bases[base].Shared() }

// bringNames fetches the names of documents that are about to be looked at, in one round
// instead of one for each. Most others fall at the first test, and of these most by their
// names: so tokens come one by one.
func (q *query) bringNames(proposals []lookup.Proposal) error {
	ids := make([][]baseline.DocID, len(q.e.bases))
	n := 0
	for _, b := range proposals {
		if !q.e.shared(b.Key.Base) {
			continue
		}
		if !q.filter.LongEnough(b.Seeds) {
			continue
		}
		ids[b.Key.Base] = append(ids[b.Key.Base], b.Key.ID)
		if n++; n == mostBrought {
			break
		}
	}
	return q.bring(ids)
}

// bringRare fetches the names of documents that have a rare hit.
func (q *query) bringRare() error {
	if !slices.ContainsFunc(q.e.bases, (*baseline.Baseline).Shared) { // nearly always
		return nil
	}
	ids := make([][]baseline.DocID, len(q.e.bases))
	err := q.hits.Rare(rarePositions, rareHits, func(_ []fingerprint.Fingerprint, hits []lookup.Hit) error {
		for _, hit := range hits {
			if key := hit.Key; q.e.shared(key.Base) && len(ids[key.Base]) < mostBrought {
				ids[key.Base] = append(ids[key.Base], key.ID)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return q.bring(ids)
}

func (q *query) bring(ids [][]baseline.DocID) error {
	for base, list := range ids {
		if len(list) == 0 {
			continue
		}
		if err := q.e.bases[base].Bring(list, false); err != nil {
			return err
		}
	}
	return nil
}

// countOwn is how many tokens of a document are not base code.
func (q *query) countOwn(d *doc, family *lang.Language) int {
	if len(q.e.o.BaseCode) == 0 {
		return d.tokens.Len()
	}
	toks, _ := d.tokens.All()
	return len(toks) - match.Count(q.e.o.BaseCode.Masked(family, toks, q.e.params.K))
}
