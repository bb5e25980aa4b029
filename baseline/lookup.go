package baseline

import (
	"context"
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/segment"

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
