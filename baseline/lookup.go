package baseline

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/store"

	"golang.org/x/sync/errgroup"
)

// Posting is one position where a fingerprint occurs: a document and the index of the k-gram's first token in it.
type Posting struct {
	Doc DocID
	Pos uint32
}

// Lookup calls fn for each fingerprint that a segment has, with its true count there and the postings kept. fps must be ascending and
// unique. The slice of postings is valid only during the call. Postings of outdated documents are left out: see [Baseline.Outdated].
func (b *Baseline) Lookup(ctx context.Context, fps []uint64, fn func(i int, count uint64, ps []Posting) error) error {
	var theirs error
	err := disk.Guard(func() error {
		return b.lookup(ctx, fps, func(i int, count uint64, ps []Posting) error {
			theirs = fn(i, count, ps)
			return theirs
		})
	})
	if err == nil || theirs != nil {
		return err
	}
	return blame.On(b.dir, err)
}

func (b *Baseline) lookup(ctx context.Context, fps []uint64, fn func(i int, count uint64, ps []Posting) error) error {
	found, err := b.find(ctx, fps)
	if err != nil {
		return err
	}
	var ps []Posting
	for n, p := range b.segs {
		outdated, err := p.outdated()
		if err != nil {
			return err
		}
		err = found[n].Each(ctx, func(i int, count uint64, raw []uint64) error {
			ps = ps[:0]
			for _, pos := range raw {
				doc, tok, ok := p.docs.Locate(pos)
				if !ok {
					return &CorruptError{Path: b.dir, Err: fmt.Errorf("posting %d lies outside its segment", pos)}
				}
				if outdated != nil && outdated[doc] {
					count--
					continue
				}
				ps = append(ps, Posting{p.first + DocID(doc), tok})
			}
			if count == 0 {
				return nil
			}
			return fn(i, count, ps)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// find fetches everything that a look-up in a shared baseline reads, from all segments at once.
func (b *Baseline) find(ctx context.Context, fps []uint64) ([]*segment.Found, error) {
	out := make([]*segment.Found, len(b.segs))
	if b.home.objects == nil { // everything is on this machine
		for i, p := range b.segs {
			var err error
			if out[i], err = p.fps.Find(ctx, fps); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	g, ctx := errgroup.WithContext(ctx)
	for i, p := range b.segs {
		g.Go(func() (err error) {
			out[i], err = p.fps.Find(ctx, fps)
			return err
		})
	}
	return out, g.Wait()
}

// DocumentsOf returns the documents of a package, by content. It reads the whole list of occurrences.
func (b *Baseline) DocumentsOf(purl string) ([]DocID, error) {
	hashes := make(map[store.Hash]bool)
	err := b.Contents([]string{purl}, func(p Package) bool { return p.PURL == purl }, func(_ Package, _ string, h store.Hash) { hashes[h] = true })
	if err != nil {
		return nil, err
	}
	out := make([]DocID, 0, len(hashes))
	for _, h := range slices.SortedFunc(maps.Keys(hashes), compareHash) {
		d, ok, err := b.Find(h)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, d.ID)
		}
	}
	return out, nil
}

// Find returns the document with this content.
func (b *Baseline) Find(h store.Hash) (Document, bool, error) {
	for _, p := range b.segs {
		i, ok, err := p.docs.Find(h)
		if err != nil {
			return Document{}, false, blame.On(b.dir, err)
		}
		if ok {
			d, err := b.Doc(p.first + DocID(i))
			return d, true, err
		}
	}
	return Document{}, false, nil
}

// Occurrences lists the packages and paths that have a document, by package URL and path. It is empty if all of these packages were
// removed.
func (b *Baseline) Occurrences(d Document) ([]Occurrence, error) {
	var out []Occurrence
	for _, p := range b.segs {
		var bad error
		err := p.docs.Occurrences(d.Hash, func(o store.Occurrence) {
			if p.dead[o.Package] {
				return
			}
			pkg, err := p.docs.Package(int(o.Package))
			if err != nil {
				bad = err
				return
			}
			head := license.Stated{License: d.License, Tag: d.LicenseTag, Line: int(d.LicenseLine)}
			if pkg.Asked && head.Named() == "" { // "a BSD-style license" is replaced by the licence that the user gave
				head = license.Stated{}
			}
			expr, from := license.Of(o.Path, head, pkg.License, pkg.Statements)
			out = append(out, Occurrence{pkg.PURL, o.Path, expr, from, pkg.Released, pkg.Repository})
		})
		if err = cmp.Or(err, bad); err != nil {
			return nil, blame.On(b.dir, err)
		}
	}
	slices.SortFunc(out, func(a, b Occurrence) int {
		return cmp.Or(cmp.Compare(a.PURL, b.PURL), cmp.Compare(a.Path, b.Path))
	})
	return out, nil
}
