package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// WorkTree lists the regular files below paths that are tracked, or untracked and not ignored, sorted by path. paths are
// relative to the root, with slashes; an empty list means the whole work tree. A file that paths itself names is listed
// even if it is ignored. Other ignored files do not belong to the target and are not reported.
//
// Links are never followed, nested repositories and submodules are not entered, and entries named .git are not listed.
// These entries, files absent in a sparse checkout, and directories that cannot be read are reported to skipped. The
// caller reads the content.
func (r *Repo) WorkTree(ctx context.Context, paths []string, skipped Skipped) ([]File, error) {
	if r.layout.root == "" {
		return nil, &BareError{GitDir: r.layout.gitDir}
	}
	entries, err := r.index(ctx)
	if err != nil {
		return nil, err
	}
	ignore, err := r.ignoreRules()
	if err != nil {
		return nil, err
	}
	w := workWalk{ctx: ctx, root: r.layout.root, skipped: skipped, ignore: ignore, tracked: entries}
	if err := w.targets(paths); err != nil {
		return nil, err
	}
	w.absent(entries, cleanPaths(paths))
	return w.sorted(), nil
}

// Files lists the regular files below paths, sorted, for a directory without a repository. paths are relative to root,
// with slashes; an empty list means all of root. The rest is as in WorkTree.
func Files(ctx context.Context, root string, paths []string, skipped Skipped) ([]File, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", root, err)
	}
	w := workWalk{ctx: ctx, root: abs, skipped: skipped, all: true}
	if err := w.targets(paths); err != nil {
		return nil, err
	}
	return w.sorted(), nil
}

// Rel turns a path of the operating system into one relative to the root of the work tree, with slashes. It fails with
// *OutsideError for paths elsewhere.
func (r *Repo) Rel(name string) (string, error) {
	if r.layout.root == "" {
		return "", &BareError{GitDir: r.layout.gitDir}
	}
	return relative(r.layout.root, name)
}

// relative compares real directories, since the working directory may have been entered through a link. It resolves the
// last element only if nothing else helps, so that a link below the root that is named as target stays a link.
func relative(root, name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("locate %q: %w", name, err)
	}
	if rel, ok := below(root, abs); ok {
		return rel, nil
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", fmt.Errorf("locate %q: %w", root, err)
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return "", fmt.Errorf("locate %q: %w", name, err)
	}
	if rel, ok := below(realRoot, filepath.Join(parent, filepath.Base(abs))); ok {
		return rel, nil
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil { // a link outside of the root that leads into it
		if rel, ok := below(realRoot, real); ok {
			return rel, nil
		}
	}
	return "", &OutsideError{Path: name, Root: root}
}

func below(root, abs string) (string, bool) {
	rel, err := filepath.Rel(root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return cleanPath(filepath.ToSlash(rel)), true
}

// cleanPath drops "./" and slashes at the end; the root itself is "".
func cleanPath(p string) string {
	if p = path.Clean(p); p == "." || p == "/" {
		return ""
	}
	return p
}

// workWalk lists files of the file system.
type workWalk struct {
	ctx     context.Context
	root    string
	skipped Skipped
	all     bool         // there is no repository: every file belongs
	tracked []indexEntry // sorted by path
	ignore  *ignoreRules
	files   []File
	notes   []note
}

// note is a report that is held back until all can be passed on in the order of their paths.
type note struct {
	path   string
	reason Reason
	detail string
}

func (w *workWalk) note(path string, reason Reason, detail string) {
	w.notes = append(w.notes, note{path, reason, detail})
}

// sorted ends the walk. It passes on the reports and returns the files, both in order of path and each once, since paths
// may overlap.
func (w *workWalk) sorted() []File {
	slices.SortStableFunc(w.notes, func(a, b note) int { return strings.Compare(a.path, b.path) })
	for i, n := range w.notes {
		if i == 0 || n.path != w.notes[i-1].path || n.reason != w.notes[i-1].reason {
			w.skipped.report(n.path, n.reason, n.detail)
		}
	}
	slices.SortFunc(w.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(w.files, func(a, b File) bool { return a.Path == b.Path })
}

func (w *workWalk) targets(paths []string) error {
	if len(paths) == 0 {
		paths = []string{""}
	}
	for _, p := range paths {
		p = cleanPath(p)
		if p != "" && !filepath.IsLocal(filepath.FromSlash(p)) {
			return &OutsideError{Path: p, Root: w.root}
		}
		if err := w.target(p); err != nil {
			return err
		}
	}
	return nil
}

// target walks to one named path and checks each directory on the way: one of them may be a link that leaves the root.
func (w *workWalk) target(p string) error {
	if p == "" {
		if _, err := os.Stat(w.root); err != nil {
			return fmt.Errorf("list %q: %w", w.root, err)
		}
		return w.dir("", false)
	}
	for i := 0; i < len(p); {
		end := len(p)
		if n := strings.IndexByte(p[i:], '/'); n >= 0 {
			end = i + n
		}
		at := p[:end]
		fi, err := os.Lstat(w.os(at))
		if err != nil {
			return fmt.Errorf("list %q: %w", p, err)
		}
		if isGitName(p[i:end]) && !w.all {
			w.note(at, ReasonSpecial, "part of the repository's own data")
			return nil
		}
		switch {
		case !fi.IsDir(): // the named file, or something in the way
			w.file(at, fi, func() ([]byte, error) { return readBounded(w.os(at), maxPointer) })
			return nil
		case w.isRepository(at):
			return nil
		case end == len(p):
			return w.dir(at, false)
		}
		i = end + 1
	}
	return nil
}

func (w *workWalk) os(p string) string { return filepath.Join(w.root, filepath.FromSlash(p)) }

// isGitName reports whether a name is that of a repository's own data. File systems may ignore case.
func isGitName(name string) bool { return strings.EqualFold(name, ".git") }

// dir lists a directory. trackedOnly means that the directory is ignored and only its tracked files belong to the target.
func (w *workWalk) dir(dir string, trackedOnly bool) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	below, err := w.list(dir, trackedOnly)
	if err != nil {
		w.note(dir, ReasonUnreadable, reasonOf(err))
	}
	for _, d := range below {
		if err := w.dir(d.path, d.trackedOnly); err != nil {
			return err
		}
	}
	return nil
}

// subdirectory is a directory to be listed; trackedOnly is as for [workWalk.dir].
type subdirectory struct {
	path        string
	trackedOnly bool
}

// list lists the files of one directory and returns its subdirectories. It resolves the path of the directory once and
// opens its entries from there: in a deep tree, resolving would take all the time.
func (w *workWalk) list(dir string, trackedOnly bool) (below []subdirectory, err error) {
	root, entries, err := openDir(w.os(dir))
	if root != nil {
		defer root.Close()
	}
	if dir != "" && (err != nil || slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isGitName(e.Name()) })) && w.isNested(dir) {
		return nil, nil
	}
	w.ignore.listed(dir, entries, err)
	for _, e := range entries {
		if isGitName(e.Name()) {
			continue
		}
		p := path.Join(dir, e.Name())
		isTracked := w.all || w.isTracked(p)
		out := !isTracked && (trackedOnly || w.ignored(p, e.IsDir()))
		if out && !(e.IsDir() && w.hasTracked(p)) {
			continue
		}
		fi, err := root.Lstat(e.Name())
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
		case err != nil:
			w.note(p, ReasonUnreadable, reasonOf(err))
		case !fi.IsDir():
			w.file(p, fi, func() ([]byte, error) { return readBoundedIn(root, e.Name(), maxPointer) })
		case !w.isSubmodule(p):
			below = append(below, subdirectory{p, out})
		}
	}
	return below, err
}

// openDir opens a directory and reads its entries, sorted by name.
func openDir(name string) (*os.Root, []fs.DirEntry, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, nil, err
	}
	f, err := root.Open(".")
	if err != nil {
		return root, nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return root, entries, err
}

// isRepository reports whether a directory is another repository. If so, it passes that on as skipped.
func (w *workWalk) isRepository(p string) bool { return w.isSubmodule(p) || w.isNested(p) }

// isNested reports whether a directory has a repository of its own. If so, it passes that on as skipped.
func (w *workWalk) isNested(p string) bool {
	if w.all {
		return false
	}
	dotGit := w.os(path.Join(p, ".git"))
	if _, isFile := gitFileTarget(dotGit); isFile || isGitDir(dotGit) {
		w.note(p, ReasonSubmodule, "a nested repository")
		return true
	}
	return false
}

// file lists one regular file and reports anything else as skipped. read returns the content of a small file.
func (w *workWalk) file(p string, fi fs.FileInfo, read func() ([]byte, error)) {
	switch mode := fi.Mode(); {
	case mode&fs.ModeSymlink != 0:
		w.note(p, ReasonSymlink, "")
	case !mode.IsRegular():
		w.note(p, ReasonSpecial, mode.Type().String())
	case pointer(fi, read):
		w.note(p, ReasonLFS, "")
	default:
		w.files = append(w.files, File{Path: p, Mode: fileMode(mode), Size: fi.Size()})
	}
}

func fileMode(m fs.FileMode) uint32 {
	if m&0o100 != 0 {
		return ModeExecutable
	}
	return ModeFile
}

// pointer reports whether a file is an LFS pointer; it reads only files that are small enough. If reading fails, the
// caller that reads the content gets the error.
func pointer(fi fs.FileInfo, read func() ([]byte, error)) bool {
	if fi.Size() > maxPointer || fi.Size() < int64(len(pointerPrefix)) {
		return false
	}
	b, err := read()
	return err == nil && IsLFSPointer(b)
}

func reasonOf(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}

// firstTracked is the index of the first entry not before path.
func (w *workWalk) firstTracked(p string) int {
	i, _ := slices.BinarySearchFunc(w.tracked, p, func(e indexEntry, p string) int { return strings.Compare(e.path, p) })
	return i
}

func (w *workWalk) isTracked(p string) bool {
	i := w.firstTracked(p)
	return i < len(w.tracked) && w.tracked[i].path == p
}

// isSubmodule reports whether a directory is a submodule. If so, it passes that on as skipped.
func (w *workWalk) isSubmodule(p string) bool {
	i := w.firstTracked(p)
	if i == len(w.tracked) || w.tracked[i].path != p || w.tracked[i].mode != ModeSubmodule {
		return false
	}
	w.note(p, ReasonSubmodule, "")
	return true
}

// hasTracked reports whether a file below directory p is tracked.
func (w *workWalk) hasTracked(p string) bool {
	i := w.firstTracked(p + "/")
	return i < len(w.tracked) && strings.HasPrefix(w.tracked[i].path, p+"/")
}

func (w *workWalk) ignored(p string, isDir bool) bool {
	return w.ignore != nil && w.ignore.match(p, isDir)
}

// absent reports the tracked files that a sparse checkout leaves out.
func (w *workWalk) absent(entries []indexEntry, paths *pathSet) {
	for _, e := range entries {
		if !e.skipWorkTree {
			continue
		}
		if !paths.has(e.path) {
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(e.path)) {
			continue // no checkout would write it
		}
		if _, err := os.Lstat(w.os(e.path)); errors.Is(err, fs.ErrNotExist) {
			w.note(e.path, ReasonNotCheckedOut, "")
		}
	}
}
