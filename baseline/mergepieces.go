package baseline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// Merging is Compact in pieces, for one generation: Documents for a range of hashes, Lists for a range of fingerprints,
// and then CompactPieces, once.
type Merging struct{ c *compaction }

// RenewError reports that a merge in pieces would keep outdated documents.
type RenewError struct{ Path string }

func (e *RenewError) Error() string {
	return fmt.Sprintf("baseline %q has documents that are to be tokenised again", e.Path)
}

// Remedy says what the user can do.
func (e *RenewError) Remedy() string {
	return fmt.Sprintf("run \"git-provenance baseline refresh --baseline %s\", which merges as well", e.Path)
}

// Merging prepares a merge of all segments without the packages in gone. It returns nil if there is nothing to do.
func (b *Baseline) Merging(gone []string) (*Merging, error) {
	c := &compaction{w: &Writer{dir: b.dir, man: b.man, base: b}, segs: b.segs, live: make(map[store.Hash]uint32), gone: make(map[string]bool)}
	old, err := b.Outdated()
	if err == nil && renewable(old) {
		err = &RenewError{b.dir}
	}
	if err != nil {
		return nil, err
	}
	for _, purl := range gone {
		c.gone[purl] = true
	}
	if merged := len(b.segs) == 0 || len(b.segs) == 1 && len(b.segs[0].dead) == 0; merged && len(gone) == 0 {
		return nil, nil
	}
	pkgs, err := b.Packages()
	if err != nil {
		return nil, err
	}
	for _, purl := range gone {
		if !slices.ContainsFunc(pkgs, func(p Package) bool { return p.PURL == purl }) {
			return nil, &UnknownPackageError{b.dir, purl}
		}
	}
	return &Merging{c}, nil
}

// Documents yields the documents that are kept, in the order of their hashes. It yields only those whose hash begins
// with a number in the range from to to, both included.
func (m *Merging) Documents(ctx context.Context, from, to uint32) iter.Seq2[Moved, error] {
	return func(yield func(Moved, error) bool) {
		err := disk.Guard(func() error {
			if m.c.pkgs == nil {
				if err := m.c.packages(); err != nil {
					return blame.On(m.c.w.dir, err)
				}
			}
			for d, err := range m.c.stay(ctx, from, to) {
				if err != nil {
					return err
				}
				if !yield(d, nil) {
					return errStopped
				}
			}
			return nil
		})
		if err != nil && err != errStopped {
			yield(Moved{}, err)
		}
	}
}

var errStopped = errors.New("stopped")

// Lists calls fn with the lists of a range of fingerprints, in order. base returns a document's new position, by its segment and its number there, and whether it is kept.
func (m *Merging) Lists(ctx context.Context, fps segment.Range, base func(segment, document int) (uint64, bool), fn func(segment.List) error) error {
	o := segment.Options{Scheme: m.c.w.man.Scheme, MaxPostings: MaxPostings}
	all, err := sources(m.c.segs, base)
	if err == nil {
		err = segment.Union(ctx, o, all, fps, func(fp, count uint64, postings []uint64) error {
			return fn(segment.List{Fingerprint: fp, Count: count, Positions: postings[:min(len(postings), MaxPostings)]})
		})
	}
	if err != nil {
		return blame.On(m.c.w.dir, err)
	}
	return nil
}

// CompactPieces makes a generation from the results of Documents and Lists, without the packages in gone. It equals,
// byte for byte, Remove and Compact. If that was already done, it changes nothing, so it can be repeated.
func (w *Writer) CompactPieces(ctx context.Context, p Pieces, gone []string) error {
	if w.digest() != p.From {
		if len(w.base.segs) <= 1 && !w.base.hasAny(gone) {
			return nil
		}
		return &MovedError{w.dir}
	}
	m, err := w.base.Merging(gone)
	if err != nil || m == nil {
		return err
	}
	m.c.w = w
	return w.change(func() error { return w.replace(ctx, m.c, p) })
}

// hasAny reports whether a baseline has, or may have, one of these packages.
func (b *Baseline) hasAny(purls []string) bool {
	pkgs, err := b.Packages()
	return err != nil || slices.ContainsFunc(pkgs, func(p Package) bool { return slices.Contains(purls, p.PURL) })
}

// replace commits one segment of pieces in place of all segments.
func (w *Writer) replace(ctx context.Context, c *compaction, p Pieces) error {
	if err := c.packages(); err != nil {
		return blame.On(w.dir, err)
	}
	m := w.man.Clone()
	m.Segments = nil
	if len(c.pkgs) == 0 {
		return w.commit(ctx, m)
	}
	dw, err := store.Create(w.home.path(generation.Building) + ".docs")
	if err != nil {
		return err
	}
	defer dw.Abort()
	n := 0
	for e, err := range p.Documents {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		dw.Add(e)
		n++
	}
	e, err := w.finish(dw, c.pkgs, c.occs, n, p)
	if err != nil {
		return err
	}
	m.Segments = append(m.Segments, e)
	return w.commit(ctx, m)
}
