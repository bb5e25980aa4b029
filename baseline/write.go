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
	made   []string  // directories that were made for the baseline, the innermost first
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

// absentDirs returns the directories at and above dir that do not exist, the innermost first.
func absentDirs(dir string) (out []string) {
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
			return out
		}
		out = append(out, dir)
		dir = filepath.Dir(dir)
	}
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
