package baseline

import (
	"cmp"
	"context"
	"encoding/binary"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/internal/learning"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// compaction is one merge of segments.
type compaction struct {
	w      *Writer
	pkgs   []Package
	occs   []store.Occurrence
	live   map[store.Hash]uint32 // per content: index of its first occurrence in occs
	segs   []*part               // segments of the baseline, then of documents tokenised again
	behind []*part               // segments that are not merged
	gone   map[string]bool       // packages to be removed by this merge
	bases  [][]uint64            // per segment and document: global position in the new file, or dropped

	renewed *Baseline           // holds the segments of documents that were tokenised again
	again   map[store.Hash]bool // the documents that were tokenised again
}

const dropped = ^uint64(0)

// packages collects the live packages of the segments, by package URL, and their occurrences.
func (c *compaction) packages() error {
	type source struct {
		part, index int
		Package
	}
	var all []source
	for i, p := range c.segs {
		pkgs, err := p.docs.Packages()
		if err != nil {
			return err
		}
		for j, pkg := range pkgs {
			if !p.dead[uint32(j)] && !c.gone[pkg.PURL] {
				all = append(all, source{i, j, pkg})
			}
		}
	}
	slices.SortFunc(all, func(a, b source) int { return cmp.Compare(a.PURL, b.PURL) })
	renumber := make(map[[2]int]uint32, len(all))
	for n, s := range all {
		renumber[[2]int{s.part, s.index}] = uint32(n)
		c.pkgs = append(c.pkgs, s.Package)
	}
	for i, p := range c.segs {
		err := p.docs.AllOccurrences(func(o store.Occurrence) {
			if n, ok := renumber[[2]int{i, int(o.Package)}]; ok {
				o.Package = n
				c.occs = append(c.occs, o)
			}
		})
		if err != nil {
			return err
		}
	}
	c.findFirst()
	return nil
}

// findFirst finds the first occurrence of each content.
func (c *compaction) findFirst() {
	clear(c.live)
	for i, o := range c.occs {
		if first, ok := c.live[o.Hash]; !ok || store.CompareOccurrences(o, c.occs[first]) < 0 {
			c.live[o.Hash] = uint32(i)
		}
	}
}

func (c *compaction) write(ctx context.Context) (generation.Segment, error) {
	tmp := c.w.home.path(generation.Building)
	for _, p := range c.segs {
		if err := p.docs.FetchAll(); err != nil {
			return generation.Segment{}, blame.On(c.w.dir, err)
		}
	}
	docs, err := c.documents(ctx, tmp+".docs")
	if err != nil {
		return generation.Segment{}, err
	}
	postings, err := c.postings(ctx, tmp+".fps")
	if err != nil {
		disk.Remove(tmp + ".docs")
		return generation.Segment{}, err
	}
	return c.w.adopt(postings, docs)
}

// postings merges the fingerprints of all segments, and returns how many postings are stored.
func (c *compaction) postings(ctx context.Context, path string) (uint64, error) {
	all, err := sources(c.segs, func(segment, document int) (uint64, bool) {
		base := c.bases[segment][document]
		return base, base != dropped
	})
	if err != nil {
		return 0, blame.On(c.w.dir, err)
	}
	for i := range all {
		all[i].Whole = !slices.Contains(c.bases[i], dropped)
	}
	info, err := segment.Merge(ctx, path, segment.Options{Scheme: c.w.man.Scheme, MaxPostings: MaxPostings}, all)
	if err == nil && info.Keys == 0 {
		_, err = writePostings(path, c.w.man.Scheme, nil)
	}
	return info.Postings, err
}

// sources returns the segments as sources of a merge; base gives each document's new position.
func sources(segs []*part, base func(segment, document int) (uint64, bool)) (out []segment.Source, err error) {
	for i, p := range segs {
		remap, err := p.docs.Moves(func(document int) (uint64, bool) { return base(i, document) })
		if err != nil {
			return nil, err
		}
		out = append(out, segment.Source{Reader: p.fps, Remap: remap})
	}
	return out, nil
}

// documents copies the live documents of all segments in the order of their hash.
func (c *compaction) documents(ctx context.Context, path string) (int, error) {
	dw, err := store.Create(path)
	if err != nil {
		return 0, err
	}
	defer dw.Abort()
	c.bases = make([][]uint64, len(c.segs))
	for i, p := range c.segs {
		c.bases[i] = slices.Repeat([]uint64{dropped}, p.docs.Docs())
	}
	n := 0
	for m, err := range c.stay(ctx, 0, math.MaxUint32) {
		if err != nil {
			return 0, err
		}
		c.bases[m.Segment][m.Index] = dw.Base()
		dw.Add(m.Entry)
		n++
	}
	return n, dw.Close(c.pkgs, c.occs)
}

// Moved is a document that is kept, with its old segment and index.
type Moved struct {
	Segment, Index int
	Entry          *store.Entry
}

// stay yields the live documents of all segments in the order of their hashes. It yields only documents whose hash
// begins with a number in the range from to to, both included.
func (c *compaction) stay(ctx context.Context, from, to uint32) iter.Seq2[Moved, error] {
	return func(yield func(Moved, error) bool) {
		docs := newLineUp(c.segs, func(p *part) int {
			return sort.Search(p.docs.Docs(), func(j int) bool { return begins(p.docs.Hash(j)) >= from })
		})
		var last store.Hash
		for n := 0; ; {
			m, more, err := c.following(docs, to)
			if err = cmp.Or(err, ctx.Err()); err != nil {
				yield(m, err)
				return
			}
			if !more {
				return
			}
			if m.Entry == nil || n > 0 && m.Entry.Hash == last {
				continue // the content is in two segments and is taken once
			}
			last = m.Entry.Hash
			if n++; n%docsAtHand == 0 {
				for _, p := range c.segs {
					p.docs.GiveBack()
				}
			}
			if !yield(m, nil) {
				return
			}
		}
	}
}

// docsAtHand is the number of documents after which a merge gives back the memory of what it has read, which is some
// megabytes.
const docsAtHand = 1 << 14

// begins returns the first 4 bytes of a hash as a number.
func begins(h store.Hash) uint32 { return binary.BigEndian.Uint32(h[:]) }

// following steps to the document with the next hash. It returns the document without an entry if it is not kept.
func (c *compaction) following(all *lineUp, to uint32) (m Moved, more bool, err error) {
	at := all.lowest()
	if at < 0 || begins(c.segs[at].docs.Hash(all.next[at])) > to {
		return m, false, nil
	}
	docs, i := c.segs[at].docs, all.next[at]
	all.step(at)
	if _, err := docs.Doc(i); err != nil { // a damaged hash could equal that of a removed document
		return m, false, blame.On(c.w.dir, err)
	}
	h := docs.Hash(i)
	if c.again[h] && at < len(c.w.base.segs) {
		return m, true, nil
	}
	first, live, err := c.first(h)
	if err != nil || !live {
		return m, true, blame.On(c.w.dir, err)
	}
	e, err := docs.Entry(i)
	if err != nil {
		return m, false, blame.On(c.w.dir, err)
	}
	if len(c.behind) == 0 { // otherwise the first package that has it may be in an earlier segment
		e.Unit = learning.Unit(c.pkgs[first.Package].PURL, first.Path)
	}
	return Moved{at, i, e}, true, nil
}

// first returns the first occurrence of a content and whether there is one. If only a segment that is not merged has
// the content, first just reports that it exists.
func (c *compaction) first(h store.Hash) (first store.Occurrence, live bool, err error) {
	if i, live := c.live[h]; live {
		return c.occs[i], true, nil
	}
	for _, p := range c.behind {
		err := p.docs.Occurrences(h, func(o store.Occurrence) { live = live || !p.dead[o.Package] })
		if live || err != nil {
			return first, live, err
		}
	}
	return first, false, nil
}
