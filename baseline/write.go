package baseline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/shared"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Writer changes a baseline. Only one writer holds its lock; readers need no lock. Not safe for concurrent use.
type Writer struct {
	dir    string // as shown to the user: a directory, or an address
	home   home
	remote *shared.Remote // nil if the baseline is a directory
	man    *generation.Manifest
	base   *Baseline // the generation that is being changed
	made   []string  // directories that were made for the baseline, the innermost first
	unlock func()

	flushBytes int64
	largeText  int    // in bytes; 0 means the constant largeText
	learnt     int    // tokens per family that a model is learnt from; 0 means learning.DefaultTokens
	counted    string // directory of counts, see AddOptions; "" means none
	recounts   int    // families that were counted from the previous counts
	extensions int    // changes that did not list every document
	mostNew    int    // see added; 0 means mostNew
}

// OpenWriter opens a baseline for changes. If the directory does not exist or is empty, it makes a baseline, with the
// first of keys if there are any. An existing baseline keeps its k, w and key; the key must be among keys.
func OpenWriter(ctx context.Context, dir string, p fingerprint.Params, keys ...fingerprint.Key) (*Writer, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("create baseline %q: %w", dir, err)
	}
	if shared.IsAddress(dir) {
		return openSharedWriter(ctx, dir, p, keys)
	}
	if err := usable(dir); err != nil {
		return nil, err
	}
	made := absentDirs(dir)
	unlock, err := lockDir(ctx, dir)
	if err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, home: home{dir: dir}, made: made, unlock: unlock, flushBytes: flushBytes}
	if err := w.reload(ctx, p, keys); err != nil {
		w.leave()
		unlock()
		return nil, err
	}
	if err := w.sweep(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// lockDir makes a directory and locks it. A writer that makes no baseline removes both (see leave). If another one waits for the
// lock meanwhile, it gets the lock of a file that is gone, and begins again.
func lockDir(ctx context.Context, dir string) (unlock func(), err error) {
	path := filepath.Join(dir, generation.Lock)
	for range mostLocks {
		if err := disk.MakeDir(dir); err != nil {
			return nil, fmt.Errorf("create baseline: %w", err)
		}
		f, err := lock(ctx, path)
		if errors.Is(err, os.ErrNotExist) && ctx.Err() == nil {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("lock baseline %q: %w", dir, err)
		}
		held, err1 := f.Stat()
		now, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(held, now) {
			return func() { f.Close() }, nil // nothing was written
		}
		f.Close()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("lock baseline %q: its lock was removed %d times", dir, mostLocks)
}

// mostLocks bounds the attempts to lock a directory that others remove.
const mostLocks = 100

// lock waits until no other writer holds the lock, or ctx ends.
func lock(ctx context.Context, path string) (*lockedfile.File, error) {
	type result struct {
		file *lockedfile.File
		err  error
	}
	got := make(chan result, 1)
	go func() {
		f, err := lockedfile.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		got <- result{f, err}
	}()
	select {
	case r := <-got:
		return r.file, r.err
	case <-ctx.Done():
		go func() {
			if r := <-got; r.err == nil {
				r.file.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// leave removes the files of a new baseline that has no generation yet, so that a failure leaves nothing. Failures are ignored:
// the files that stay are no baseline either.
func (w *Writer) leave() {
	if w.remote != nil || w.man != nil && w.man.Generation > 0 || w.man == nil && w.made == nil {
		return
	}
	both := []string{generation.Begun, generation.Lock}
	es, err := os.ReadDir(w.home.dir)
	if err != nil || slices.ContainsFunc(es, func(e os.DirEntry) bool { return !slices.Contains(both, e.Name()) }) {
		return // without the first name, the rest would count as a baseline that has lost its manifest
	}
	for _, name := range both {
		_ = os.Remove(w.home.path(name))
	}
	for _, dir := range w.made {
		if os.Remove(dir) != nil {
			return // it has something else
		}
	}
}

func (w *Writer) reload(ctx context.Context, p fingerprint.Params, keys []fingerprint.Key) error {
	m, err := generation.Newest(w.dir)
	var none *NotBaselineError
	if errors.As(err, &none) {
		if err := writeFile(filepath.Join(w.dir, generation.Begun), nil); err != nil {
			return fmt.Errorf("create baseline: %w", err)
		}
		w.begin(p, keys)
		return nil
	}
	if err != nil {
		return err
	}
	w.man = m
	w.base, err = Open(ctx, w.dir, keys...)
	return err
}

// begin sets up the empty generation before the first.
func (w *Writer) begin(p fingerprint.Params, keys []fingerprint.Key) {
	var key fingerprint.Key
	if len(keys) > 0 {
		key = keys[0]
	}
	w.man = generation.First(p, key)
	w.base = &Baseline{dir: w.dir, home: w.home, man: w.man, key: key}
}

// Close releases the lock.
func (w *Writer) Close() error {
	err := w.base.Close()
	w.leave()
	w.unlock()
	return err
}

// Baseline returns the current generation. The next change closes it, and so does closing the writer.
func (w *Writer) Baseline() *Baseline { return w.base }

// Init commits an empty generation, so that the baseline exists with its parameters. If it exists already, Init does
// nothing and returns false.
func (w *Writer) Init(ctx context.Context) (made bool, err error) {
	if w.man.Generation > 0 {
		return false, nil
	}
	return true, w.change(func() error { return w.commit(ctx, w.man.Clone()) })
}

// commit learns the model of a new generation and publishes it.
func (w *Writer) commit(ctx context.Context, m generation.Manifest) error {
	if err := w.learn(ctx, &m); err != nil {
		return err
	}
	return w.publish(ctx, m)
}

// publish makes a manifest the newest generation and opens it.
func (w *Writer) publish(ctx context.Context, m generation.Manifest) error {
	m.Generation = w.man.Generation + 1
	js, err := m.Encode()
	if err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	next, err := w.place(ctx, m, js)
	if err != nil {
		return err
	}
	w.base.Close() // it was only read
	w.base, w.man = next, next.man
	w.sweep() // on failure the next writer removes the files: the change itself is made
	return nil
}

// place writes a manifest to where readers look for it, and opens it.
func (w *Writer) place(ctx context.Context, m generation.Manifest, js []byte) (*Baseline, error) {
	if w.remote != nil {
		return w.share(ctx, m, js)
	}
	if err := writeFile(filepath.Join(w.dir, generation.NameOf(m.Generation)), js); err != nil {
		return nil, fmt.Errorf("write manifest: %w", err)
	}
	next, err := generation.Newest(w.dir)
	if err != nil {
		return nil, err
	}
	return openGeneration(w.dir, w.home, next, []fingerprint.Key{w.base.key}, w.base.segs)
}

// change runs do, which makes a new generation. On failure it removes the files that were written, so that nothing has
// changed.
func (w *Writer) change(do func() error) error {
	before := w.man.Generation
	err := disk.Guard(do)
	if err == nil || w.man.Generation != before {
		return err
	}
	return errors.Join(err, w.sweep())
}

// sweep removes files that the generation does not refer to: leftovers of a killed or failed writer, and files of
// earlier generations. Manifests go first. Otherwise a crash could leave a manifest whose segments are gone.
func (w *Writer) sweep() error {
	keep := map[string]bool{generation.NameOf(w.man.Generation): true, w.man.ModelFile(): true, generation.Begun: w.man.Generation == 0}
	for _, s := range w.man.Segments {
		keep[s.Name+".fps"], keep[s.Name+".docs"] = true, true
	}
	es, err := disk.List(w.home.dir)
	if err != nil {
		return fmt.Errorf("sweep baseline: %w", err)
	}
	var parts []string
	withdrawn := false
	for _, e := range es {
		gen, manifest := generation.NumberOf(e.Name())
		switch {
		case keep[e.Name()] || !generation.Ours(e.Name()):
		case manifest:
			if err := disk.Remove(w.home.path(e.Name())); err != nil {
				return fmt.Errorf("sweep baseline: %w", err)
			}
			withdrawn = withdrawn || gen > w.man.Generation
		default:
			parts = append(parts, e.Name())
		}
	}
	if withdrawn {
		if err := disk.SyncDir(w.home.dir); err != nil {
			return fmt.Errorf("sweep baseline: %w", err)
		}
	}
	for _, name := range parts {
		if err := disk.Remove(w.home.path(name)); err != nil {
			return fmt.Errorf("sweep baseline: %w", err)
		}
	}
	return nil
}

// kill marks every live package with one of these package URLs as removed. It returns those that it found.
func (w *Writer) kill(m *generation.Manifest, purls map[string]bool) (found map[string]bool, err error) {
	found = make(map[string]bool, len(purls))
	if len(purls) == 0 {
		return found, nil
	}
	err = w.base.eachPURL(func(p *part, j int, name string) error {
		if purls[name] {
			s := &m.Segments[slices.Index(w.base.segs, p)]
			s.Removed = append(s.Removed, j)
			slices.Sort(s.Removed)
			found[name] = true
		}
		return nil
	})
	return found, err
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

// flushBytes bounds the memory of a build: after this many bytes of new text a segment is written. That text makes two
// to five million postings of 16 bytes each. Its compressed text and tokens take another third of its size.
const flushBytes = 128 << 20
