package baseline

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/maker"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"

	"golang.org/x/sync/errgroup"
)

// deadShare is the share of removed packages above which all segments are merged.
const deadShare = 0.2

// compactIfDue merges the segments that the last change made due. That change did not touch the first segments; before
// is their number.
func (w *Writer) compactIfDue(ctx context.Context, before int) error {
	err := w.compactWhatIsDue(ctx, before)
	if err != nil {
		return &CompactError{w.dir, err}
	}
	return nil
}

func (w *Writer) compactWhatIsDue(ctx context.Context, before int) error {
	dead, all := 0, 0
	for _, p := range w.base.segs {
		pkgs, err := p.docs.PackageCount()
		if err != nil {
			return blame.On(w.dir, err)
		}
		dead, all = dead+len(p.dead), all+pkgs
	}
	from, n := outgrown(w.base.segs, before), len(w.base.segs)
	switch {
	case float64(dead) > deadShare*float64(all) || from == 0 && n > 1:
		return w.Compact(ctx)
	case from+1 < n:
		return w.change(func() error { return w.mergeFrom(ctx, from) })
	}
	return nil
}

// outgrown returns the first segment that is no larger than all later ones together, or else the last. All segments from there on
// are merged. Each segment is then larger than all later ones together, and a byte is written again each time its baseline doubles
// (Bentley and Saxe 1980). before is the number of segments that the latest change did not touch. They are merged only if this
// change made them due. If an earlier merge was interrupted, its segments wait, so that no later change pays for that merge.
func outgrown(segs []*part, before int) int {
	first, behind, waiting := max(len(segs)-1, 0), uint64(0), uint64(0)
	for i := len(segs) - 1; i >= 0; i-- {
		size := segs[i].docs.Size() + uint64(segs[i].fps.Info().Size)
		if size <= behind && (i >= before || size > waiting) {
			first = i
		}
		if behind += size; i < before {
			waiting += size
		}
	}
	return first
}

// mergeFrom merges the segment with index from and all later ones into one. The content of the baseline and its model
// stay the same.
func (w *Writer) mergeFrom(ctx context.Context, from int) error {
	c := &compaction{w: w, segs: w.base.segs[from:], behind: w.base.segs[:from], live: make(map[store.Hash]uint32)}
	if err := c.packages(); err != nil {
		return blame.On(w.dir, err)
	}
	e, err := c.write(ctx)
	if err != nil {
		return err
	}
	m := w.man.Clone()
	m.Segments = m.Segments[:from]
	if e.Docs > 0 || len(c.pkgs) > 0 {
		m.Segments = append(m.Segments, e)
	}
	before, err := w.unitsOf(w.base)
	if err != nil {
		return err
	}
	if err := w.publish(ctx, m); err != nil {
		return err
	}
	return w.keepUnits(before)
}

// Compact merges all segments into one and drops removed packages. The result equals, byte for byte, one Add of the
// remaining packages to an empty baseline, whatever the order of the additions. The first reading decides. A package
// keeps its own record of skips. A document keeps the front-end that its first file name gave it. A fingerprint above
// the limit of postings keeps its old count and postings, less the removed ones. Outdated documents are tokenised
// again.
func (w *Writer) Compact(ctx context.Context) error {
	old, err := w.base.Outdated()
	if err != nil {
		return err
	}
	if len(w.base.segs) == 0 || len(w.base.segs) == 1 && len(w.base.segs[0].dead) == 0 && !renewable(old) {
		return nil
	}
	return w.change(func() error { return w.rewrite(ctx) })
}

// rewrite commits one segment with everything that is left.
func (w *Writer) rewrite(ctx context.Context) error {
	c := &compaction{w: w, segs: w.base.segs, live: make(map[store.Hash]uint32)}
	if err := c.packages(); err != nil {
		return blame.On(w.dir, err)
	}
	if err := c.renew(ctx); err != nil {
		return errors.Join(err, c.renewed.Close())
	}
	m := w.man.Clone()
	m.Segments = nil
	if len(c.pkgs) > 0 {
		e, err := c.write(ctx)
		if err != nil {
			return errors.Join(err, c.renewed.Close())
		}
		m.Segments = append(m.Segments, e)
	}
	c.renewed.Close()                       // it was only read
	c.live, c.occs, c.bases = nil, nil, nil // frees memory for learning
	return w.commit(ctx, m)
}

// UnknownPackageError reports that a baseline does not have a package.
type UnknownPackageError struct{ Path, PURL string }

func (e *UnknownPackageError) Error() string {
	return fmt.Sprintf("baseline %q has no package %q", e.Path, e.PURL)
}

// Remove removes packages. Their documents stay on disk until the next compaction, but are not found.
func (w *Writer) Remove(ctx context.Context, purls []string) error {
	if err := w.change(func() error { return w.remove(ctx, purls) }); err != nil {
		return err
	}
	return w.compactIfDue(ctx, len(w.base.segs))
}

func (w *Writer) remove(ctx context.Context, purls []string) error {
	m, gone := w.man.Clone(), make(map[string]bool, len(purls))
	for _, p := range purls {
		gone[p] = true
	}
	found, err := w.kill(&m, gone)
	if err != nil {
		return err
	}
	for _, p := range purls {
		if !found[p] {
			return &UnknownPackageError{w.dir, p}
		}
		delete(found, p) // a name that comes twice is unknown the second time
	}
	return w.commit(ctx, m)
}

// renew tokenises documents again and writes them to separate segments, which the compaction merges with the others. If
// one language of a family is outdated, renew handles the whole family, whose fingerprints can be equal. So the result
// equals that of indexing everything again.
func (c *compaction) renew(ctx context.Context) error {
	c.renewed = &Baseline{dir: c.w.dir, home: c.w.home, man: c.w.man, key: c.w.base.key}
	c.again, c.segs = make(map[store.Hash]bool), slices.Clone(c.w.base.segs)
	old, err := c.w.base.Outdated()
	if err != nil || !renewable(old) {
		return err
	}
	families := make(map[string]bool)
	for _, o := range old {
		if l := lang.ByName(o.Language); o.renewable() {
			families[l.Family] = true
		}
	}
	docs, err := c.ofFamilies(families)
	if err != nil {
		return err
	}
	for len(docs) > 0 {
		n, size := 0, int64(0)
		for n < len(docs) && (n == 0 || size < c.w.flushBytes) {
			size += int64(docs[n].Size)
			n++
		}
		if err := c.renewBatch(ctx, docs[:n]); err != nil {
			return err
		}
		docs = docs[n:]
	}
	c.segs = append(c.segs, c.renewed.segs...)
	return c.forget()
}

// ofFamilies lists, by hash, the live documents of some families that have their text.
func (c *compaction) ofFamilies(families map[string]bool) ([]Document, error) {
	var out []Document
	for _, p := range c.w.base.segs {
		for i := range p.docs.Docs() {
			d, err := c.w.base.Doc(p.first + DocID(i))
			if err != nil {
				return nil, err
			}
			l := lang.ByName(d.Language)
			if _, live := c.live[d.Hash]; l == nil || d.Bare || !live || !families[l.Family] || c.again[d.Hash] {
				continue
			}
			c.again[d.Hash] = true
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b Document) int { return compareHash(a.Hash, b.Hash) })
	return out, nil
}

// renewBatch writes one segment of documents tokenised again.
func (c *compaction) renewBatch(ctx context.Context, docs []Document) error {
	fresh := make([]*built, len(docs))
	g, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		g.Go(func() error {
			m, err := maker.New(lang.Limits{}, c.w.man.Params, c.w.base.key)
			if err != nil {
				return err
			}
			defer m.Close()
			for i := w; i < len(docs) && ctx.Err() == nil; i += workers {
				if fresh[i], err = c.anew(m, docs[i]); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	fresh = slices.DeleteFunc(fresh, func(b *built) bool { return b == nil })
	e, err := c.w.writeSegment(fresh, nil, nil)
	if err != nil {
		return err
	}
	return c.renewed.openPart(e, nil)
}

// anew tokenises a document again. It returns nil if the document now has too few tokens for a k-gram.
func (c *compaction) anew(m *maker.Maker, doc Document) (*built, error) {
	text, err := c.w.base.Text(doc)
	if err != nil {
		return nil, err
	}
	d := m.Again(doc.Hash, lang.ByName(doc.Language), text)
	if d == nil {
		return nil, nil
	}
	return &built{Document: d}, nil
}

// forget removes the documents that turned out too short, as Add would have.
func (c *compaction) forget() error {
	lost := make(map[store.Hash]bool)
	for h := range c.again {
		_, found, err := c.renewed.Find(h)
		if err != nil {
			return err
		}
		if !found {
			lost[h] = true
		}
	}
	if len(lost) == 0 {
		return nil
	}
	left := make([][]store.Occurrence, len(c.pkgs))
	short := make([]int, len(c.pkgs))
	for _, o := range c.occs {
		if lost[o.Hash] {
			short[o.Package]++
		} else {
			left[o.Package] = append(left[o.Package], o)
		}
	}
	c.occs = slices.Concat(left...)
	c.findFirst()
	for i := range c.pkgs {
		if p := &c.pkgs[i]; short[i] > 0 {
			skipped := map[string]int{string(ReasonTooShort): short[i]}
			for reason, n := range p.Skipped { // the map belongs to the reader
				skipped[reason] += n
			}
			p.Skipped = skipped
			p.Files, p.Digest = len(left[i]), packageDigest(left[i])
		}
	}
	return nil
}

// Refresh tokenises the outdated documents again, from their stored text, and returns their numbers. Documents in a
// language that this program does not know stay as they are.
func (w *Writer) Refresh(ctx context.Context) ([]Outdated, error) {
	old, err := w.base.Outdated()
	if err != nil {
		return nil, err
	}
	old = slices.DeleteFunc(old, func(o Outdated) bool { return !o.renewable() })
	if len(old) == 0 {
		return nil, nil
	}
	for i := range old {
		old[i].Documents, old[i].Bare = old[i].Documents-old[i].Bare, 0
	}
	return old, w.Compact(ctx)
}
