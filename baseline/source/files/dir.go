package files

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	pathpkg "path"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// Exclude returns why a directory, by its path below the walked one, is left out. "" keeps it; Silent means that
// another package covers it.
type Exclude func(path string) (reason string)

// Silent is the reason for directories that another package covers.
const Silent = "-"

// WalkDir visits the files below dir. It follows no links and never opens a file outside dir, even if directories are
// replaced by links meanwhile.
func WalkDir(ctx context.Context, dir string, ex Exclude, v *Visit) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("read directory: %w", err)
	}
	w := dirWalk{root: root, here: root, ex: ex, v: v}
	defer w.close()
	return w.dir(ctx, "")
}

type dirWalk struct {
	root *os.Root
	here *os.Root // directory of the last file, since opening from the root takes time in proportion to depth
	at   string   // path of here: "" or ends in a slash
	ex   Exclude
	v    *Visit
}

func (w *dirWalk) close() {
	if w.here != w.root {
		w.here.Close()
	}
	w.root.Close()
}

// in opens a directory; only one is open at a time.
func (w *dirWalk) in(dir string) (*os.Root, error) {
	if dir == w.at {
		return w.here, nil
	}
	next := w.root
	if dir != "" {
		var err error
		if next, err = w.root.OpenRoot(dir); err != nil {
			return nil, err
		}
	}
	if w.here != w.root {
		w.here.Close()
	}
	w.here, w.at = next, dir
	return next, nil
}

// dir visits one directory; path is "" or ends in a slash.
func (w *dirWalk) dir(ctx context.Context, path string) error {
	entries, err := w.list(path)
	if err != nil {
		if path == "" {
			return fmt.Errorf("read directory: %w", err)
		}
		w.v.Skipped(path, ReasonUnreadable, Cause(err))
		return nil
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.entry(ctx, path+e.Name(), e.Type()); err != nil {
			return err
		}
	}
	return nil
}

// list returns the entries of a directory in bytewise order of the paths below it: a directory sorts as its name with a
// slash.
func (w *dirWalk) list(path string) ([]fs.DirEntry, error) {
	f, err := w.root.Open(cmp.Or(path, "."))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	key := func(e fs.DirEntry) string {
		if e.IsDir() {
			return e.Name() + "/"
		}
		return e.Name()
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(key(a), key(b)) })
	return entries, err
}

func (w *dirWalk) entry(ctx context.Context, path string, mode fs.FileMode) error {
	switch {
	case mode.IsDir():
		return w.subdir(ctx, path)
	case mode.IsRegular():
		return w.file(path)
	case mode&fs.ModeSymlink != 0:
		w.v.Skipped(path, ReasonSymlink, "")
	default:
		w.v.Skipped(path, ReasonSpecial, "")
	}
	return nil
}

func (w *dirWalk) subdir(ctx context.Context, path string) error {
	reason := SkippedDir(baseName(path))
	if reason == "" && w.ex != nil {
		reason = w.ex(path)
	}
	if reason == "" && len(path) > maxPath { // opening takes time in proportion to depth
		reason = ReasonUnsafePath
	}
	switch reason {
	case "":
		return w.dir(ctx, path+"/")
	case Silent:
	default:
		w.v.Skipped(path+"/", reason, "")
	}
	return nil
}

// SkippedDir returns why a directory of this name never belongs to a package, or "".
func SkippedDir(name string) string {
	switch name {
	case "vendor", "node_modules":
		return ReasonVendored
	case ".git", ".hg", ".svn", ".bzr", "CVS":
		return ReasonVCS
	}
	return ""
}

func (w *dirWalk) file(path string) error {
	dir, name := pathpkg.Split(path)
	data, size, err := w.read(dir, name)
	switch {
	case errors.Is(err, ErrTooLarge):
		w.v.Skipped(path, ReasonTooLarge, SizeDetail(size, w.v.Limits.FileBytes))
	case errors.Is(err, ErrNotRegular):
		w.v.Skipped(path, ReasonSpecial, "")
	case err != nil:
		w.v.Skipped(path, ReasonUnreadable, Cause(err))
	default:
		return w.v.File(path, data)
	}
	return nil
}

var (
	ErrTooLarge   = errors.New("too large")
	ErrNotRegular = errors.New("not a regular file")
)

func (w *dirWalk) read(dir, name string) ([]byte, int64, error) {
	here, err := w.in(dir)
	if err != nil {
		return nil, 0, err
	}
	f, err := here.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	return ReadFile(f, w.v.Limits.FileBytes)
}

// ReadFile reads a regular file of at most limit bytes. It also returns the size.
func ReadFile(f *os.File, limit int64) ([]byte, int64, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, ErrNotRegular
	}
	if info.Size() > limit {
		return nil, info.Size(), ErrTooLarge
	}
	data, err := ReadBounded(f, info.Size(), limit)
	return data, int64(len(data)), err
}

// ReadBounded reads r to its end, at most limit bytes; hint is the likely size.
func ReadBounded(r io.Reader, hint, limit int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(max(hint, 0), limit)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, ErrTooLarge
	}
	return b.Bytes(), nil
}

// maxMetadata bounds go.mod, package.json and similar files, in bytes. The largest published ones are below 300 KB.
const maxMetadata = 4 << 20

func ReadSmall(name string) ([]byte, error) { return ReadSmallLimit(name, maxMetadata) }

func ReadSmallLimit(name string, limit int64) ([]byte, error) {
	f, err := OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, _, err := ReadFile(f, limit)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", name, err)
	}
	return data, nil
}

// OpenRegular opens a regular file, or one that a link leads to. A pipe would wait for a writer, a device may never end.
func OpenRegular(name string) (*os.File, error) {
	f, _, err := disk.OpenRegular(name, os.Stat, os.OpenFile)
	if errors.Is(err, disk.ErrIrregular) {
		err = fmt.Errorf("read %q: %w", name, ErrNotRegular)
	}
	return f, err
}

func SizeDetail(size, limit int64) string {
	if size <= 0 {
		return fmt.Sprintf("more than %d bytes", limit)
	}
	return fmt.Sprintf("%d bytes, more than %d", size, limit)
}

// Cause returns the text of err without its path, which the caller already names.
func Cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func baseName(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

// WalkList visits the files of dir that a list names, in the order of the list. Files that are missing in dir are
// skipped. It opens no file outside dir.
func WalkList(ctx context.Context, dir string, list []string, v *Visit) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("read directory: %w", err)
	}
	w := dirWalk{root: root, here: root, v: v}
	defer w.close()
	for _, path := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		info, err := root.Lstat(path)
		if err != nil {
			v.Skipped(path, ReasonUnreadable, Cause(err))
			continue
		}
		if info.IsDir() {
			continue
		}
		if err := w.entry(ctx, path, info.Mode().Type()); err != nil {
			return err
		}
	}
	return nil
}
