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
	"github.com/git-provenance/git-provenance/baseline/internal/blame"
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
	unlock func()

	flushBytes int64
	largeText  int    // in bytes; 0 means the constant largeText
	learnt     int    // tokens per family that a model is learnt from; 0 means learning.DefaultTokens
	counted    string // directory of counts, see AddOptions; "" means none
	recounts   int    // families that were counted from the previous counts
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
	if err := disk.MakeDir(dir); err != nil {
		return nil, fmt.Errorf("create baseline: %w", err)
	}
	unlock, err := lock(ctx, filepath.Join(dir, generation.Lock))
	if err != nil {
		return nil, fmt.Errorf("lock baseline %q: %w", dir, err)
	}
	w := &Writer{dir: dir, home: home{dir: dir}, unlock: unlock, flushBytes: flushBytes}
	if err := w.reload(ctx, p, keys); err != nil {
		unlock()
		return nil, err
	}
	if err := w.sweep(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// lock waits until no other writer holds the lock, or ctx ends.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	type result struct {
		unlock func()
		err    error
	}
	got := make(chan result, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(path).Lock()
		got <- result{unlock, err}
	}()
	select {
	case r := <-got:
		return r.unlock, r.err
	case <-ctx.Done():
		go func() {
			if r := <-got; r.err == nil {
				r.unlock()
			}
		}()
		return nil, ctx.Err()
	}
}

// usable refuses a directory that contains anything except a baseline. So a mistyped --baseline never mixes its files
// with others.
func usable(dir string) error {
	es, err := disk.List(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open baseline: %w", err)
	}
	foreign := false
	for _, e := range es {
		if _, ok := generation.NumberOf(e.Name()); ok {
			return nil
		}
		foreign = foreign || !generation.Ours(e.Name()) && e.Name() != generation.Lock
	}
	if foreign {
		return &NotBaselineError{Path: dir}
	}
	// A directory without manifest was left by a writer killed before its first commit, or it has lost its manifest.
	if lost, ok := errors.AsType[*LostManifestError](generation.Without(dir)); ok {
		return lost
	}
	return nil
}

// Absent reports whether a directory holds no baseline yet, so that a writer can begin one: it is missing or empty, or a writer left it
// before its first commit.
func Absent(dir string) bool {
	if usable(dir) != nil {
		return false
	}
	manifests, err := generation.List(dir)
	return err == nil && len(manifests) == 0
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
	m := w.man.Clone()
	for _, p := range purls {
		found, err := w.kill(&m, p)
		if err != nil {
			return err
		}
		if !found {
			return &UnknownPackageError{w.dir, p}
		}
	}
	return w.commit(ctx, m)
}

// kill marks every live package with this package URL as removed.
func (w *Writer) kill(m *generation.Manifest, purl string) (bool, error) {
	found := false
	for i, p := range w.base.segs {
		pkgs, err := p.docs.Packages()
		if err != nil {
			return false, blame.On(w.dir, err)
		}
		for j, pkg := range pkgs {
			if pkg.PURL != purl || p.dead[uint32(j)] || slices.Contains(m.Segments[i].Removed, j) {
				continue
			}
			m.Segments[i].Removed = append(m.Segments[i].Removed, j)
			slices.Sort(m.Segments[i].Removed)
			found = true
		}
	}
	return found, nil
}
