package baseline

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/store"

	"golang.org/x/sync/errgroup"
)

// bareBatch is the number of documents whose text is removed in one batch.
const bareBatch = 256

// WithoutText makes the first generation: a copy of another baseline without its texts. Each document keeps its tokens.
// The text between two tokens is kept only if notice returns true for it. Names, lines and fingerprints stay the same.
func (w *Writer) WithoutText(ctx context.Context, from *Baseline, notice func(between []byte) bool) error {
	if w.man.Generation > 0 {
		return &ReplaceError{Path: w.dir, Have: w.base.Digest()}
	}
	return w.change(func() error { return w.takeBare(ctx, from, notice) })
}

func (w *Writer) takeBare(ctx context.Context, from *Baseline, notice func([]byte) bool) error {
	m := from.man.Clone()
	for i, p := range from.segs {
		if err := p.docs.BringAll(); err != nil {
			return blame.On(from.dir, err)
		}
		e, err := w.bareSegment(ctx, from, p, m.Segments[i], notice)
		if err != nil {
			return err
		}
		m.Segments[i].Name = e.Name
	}
	if err := w.copyOf(from, m.ModelFile(), m.ModelFile()); err != nil {
		return err
	}
	return w.publish(ctx, m)
}

// copyOf copies a file of another baseline.
func (w *Writer) copyOf(from *Baseline, name, to string) error {
	in, size, err := from.home.whole(name)
	if err != nil {
		return blame.On(from.dir, err)
	}
	defer in.Close()
	out, err := disk.Create(w.home.path(to), os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.NewSectionReader(in, 0, size))
	return errors.Join(err, out.Sync(), out.Close())
}

// bareSegment writes a copy of a segment whose documents have no text.
func (w *Writer) bareSegment(ctx context.Context, from *Baseline, p *part, is generation.Segment, notice func([]byte) bool) (generation.Segment, error) {
	pkgs, err := p.docs.Packages()
	if err != nil {
		return generation.Segment{}, blame.On(from.dir, err)
	}
	var occs []store.Occurrence
	if err := p.docs.AllOccurrences(func(o store.Occurrence) { occs = append(occs, o) }); err != nil {
		return generation.Segment{}, blame.On(from.dir, err)
	}
	dw, err := store.Create(w.home.path(generation.Building) + ".docs")
	if err != nil {
		return generation.Segment{}, err
	}
	defer dw.Abort()
	batch := make([]store.Entry, bareBatch)
	for at := 0; at < p.docs.Docs(); at += bareBatch {
		n := min(bareBatch, p.docs.Docs()-at)
		if err := bareEntries(ctx, batch[:n], p.docs, at, notice); err != nil {
			return generation.Segment{}, blame.On(from.dir, err)
		}
		for i := range batch[:n] {
			dw.Add(&batch[i])
		}
	}
	if err := dw.Close(pkgs, occs); err != nil {
		return generation.Segment{}, err
	}
	if err := w.copyOf(from, is.Name+".fps", generation.Building+".fps"); err != nil {
		return generation.Segment{}, err
	}
	return w.adopt(is.Postings, is.Docs)
}

// bareEntries fills out with the entries of the documents from index at on, without their text.
func bareEntries(ctx context.Context, out []store.Entry, docs *store.Reader, at int, notice func([]byte) bool) error {
	g, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		g.Go(func() error {
			enc, err := store.NewEncoder()
			for i := w; i < len(out) && err == nil; i += workers {
				if err = ctx.Err(); err == nil {
					out[i], err = bareEntry(enc, docs, at+i, notice)
				}
			}
			return err
		})
	}
	return g.Wait()
}

func bareEntry(enc *store.Encoder, docs *store.Reader, i int, notice func([]byte) bool) (store.Entry, error) {
	none := store.Entry{}
	e, err := docs.Entry(i)
	if err != nil {
		return none, err
	}
	if e.Bare {
		return *e, nil
	}
	d, err := docs.Doc(i)
	if err != nil {
		return none, err
	}
	text, err := docs.Text(d)
	if err != nil {
		return none, err
	}
	toks, lines, err := docs.Stream(d)
	if err != nil {
		return none, err
	}
	return enc.Bare(*e, text, toks, lines, notice), nil
}
