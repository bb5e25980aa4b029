package baseline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// home is where the files of a generation are. A local baseline has all of them in a directory. A shared baseline has
// them as objects in its store; the directory then holds only the files that a writer is about to add.
type home struct {
	dir     string
	objects *shared.Snapshot // nil if the baseline is a directory
}

// content is one open file.
type content interface {
	io.ReaderAt
	io.Closer
	Name() string
	Size() (int64, error)
}

// object reports whether the store has a file of this name.
func (h home) object(name string) bool { return h.objects != nil && h.objects.Has(name) }

func (h home) open(name string) (content, error) {
	if h.object(name) {
		f, err := h.objects.Open(name)
		if err != nil {
			return nil, err // an interface that holds a nil file would not be nil
		}
		return f, nil
	}
	f, err := disk.Open(h.path(name))
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (h home) path(name string) string { return filepath.Join(h.dir, name) }

// whole opens a file that will be read completely.
func (h home) whole(name string) (f content, size int64, err error) {
	if f, err = h.open(name); err != nil {
		return nil, 0, err
	}
	if size, err = bringAll(f); err != nil {
		f.Close()
	}
	return f, size, err
}

// bringAll returns a file's size. It fetches all parts that are not on this machine in one request.
func bringAll(f content) (size int64, err error) {
	size, err = f.Size()
	if p, ok := f.(disk.Parts); ok && err == nil {
		err = p.Need(disk.Range{Len: uint64(size)})
	}
	return size, err
}

// files opens both files of a segment.
func (h home) files(name string) (*segmentFiles, error) {
	fps, err := h.segment(name + ".fps")
	if err != nil {
		return nil, err
	}
	docs, err := h.documents(name + ".docs")
	if err != nil {
		fps.Close()
		return nil, err
	}
	return &segmentFiles{name: name, fps: fps, docs: docs, outdated: sync.OnceValues(func() ([]bool, error) { return docs.Which(outdated) })}, nil
}

func (h home) segment(name string) (*segment.Reader, error) {
	if !h.object(name) {
		return segment.Open(h.path(name))
	}
	f, err := h.objects.Open(name)
	if err != nil {
		return nil, err
	}
	return segment.OpenParts(f)
}

func (h home) documents(name string) (*store.Reader, error) {
	if !h.object(name) {
		return store.Open(h.path(name))
	}
	f, err := h.objects.Open(name)
	if err != nil {
		return nil, err
	}
	return store.OpenParts(f)
}

func (h home) size(name string) (int64, error) {
	if h.objects != nil {
		if size, ok := h.objects.Size(name); ok {
			return size, nil
		}
	}
	st, err := os.Stat(h.path(name))
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

// away translates an error of the store: it could not be reached, or it has no baseline.
func away(name string, err error) error {
	_, none := errors.AsType[*shared.NoneError](err)
	_, store := errors.AsType[*shared.StoreError](err)
	_, busy := errors.AsType[*shared.BusyError](err)
	_, conflict := errors.AsType[*shared.ConflictError](err)
	switch {
	case none:
		return &NotBaselineError{Path: name}
	case store || busy || conflict:
		return err // the error names the baseline itself
	}
	return blame.On(name, err)
}

// openSharedWriter opens a shared baseline for changes. New files are built in a separate directory until they are
// committed.
func openSharedWriter(ctx context.Context, address string, p fingerprint.Params, keys []fingerprint.Key) (*Writer, error) {
	r, err := dial(ctx, address)
	if err != nil {
		return nil, err
	}
	w := &Writer{dir: r.Name(), remote: r, flushBytes: flushBytes}
	w.unlock = func() {
		if w.home.dir != "" {
			disk.RemoveAll(w.home.dir)
		}
		r.Close() // everything committed is already safe
	}
	if err := r.Lock(ctx); err != nil {
		w.unlock()
		return nil, away(w.dir, err)
	}
	if w.home.dir, err = r.WorkDir(); err == nil {
		err = w.reloadShared(ctx, p, keys)
	}
	if err != nil {
		w.unlock()
		return nil, err
	}
	return w, nil
}

func (w *Writer) reloadShared(ctx context.Context, p fingerprint.Params, keys []fingerprint.Key) error {
	s, m, err := newest(ctx, w.remote)
	if _, none := errors.AsType[*NotBaselineError](err); none {
		w.begin(p, keys)
		return nil
	}
	if err != nil {
		return err
	}
	w.man, w.home.objects = m, s
	w.base, err = openGeneration(w.dir, w.home, m, keys, nil)
	return err
}

// share publishes a generation in the store and opens it.
func (w *Writer) share(ctx context.Context, m generation.Manifest, js []byte) (*Baseline, error) {
	c := shared.Change{From: w.man.Generation, Manifest: js, Keep: m.Parts()}
	for _, name := range c.Keep {
		if w.home.object(name) {
			continue
		}
		size, err := w.home.size(name)
		if err != nil {
			return nil, fmt.Errorf("publish baseline: %w", err)
		}
		c.Add = append(c.Add, shared.Local{Object: shared.Object{Name: name, Size: size}, Path: w.home.path(name)})
	}
	if err := w.remote.Commit(ctx, c); err != nil {
		return nil, away(w.dir, err)
	}
	s, next, err := newest(ctx, w.remote)
	if err != nil {
		return nil, err
	}
	w.home.objects = s
	return openGeneration(w.dir, w.home, next, []fingerprint.Key{w.base.key}, w.base.segs)
}
