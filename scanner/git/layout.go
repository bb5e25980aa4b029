package git

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// layout holds the paths of a repository's parts. All paths are absolute.
type layout struct {
	gitDir     string   // HEAD and index of this work tree
	commonDir  string   // refs, objects and configuration; differs from gitDir in a linked work tree
	root       string   // the work tree, "" if bare
	indexFile  string   //
	objectDirs []string // the object directory, then its alternates in order of their discovery
	alternates []string // of the environment
	excludes   string   // the user's file of ignore patterns, "" if there is none
	rootGiven  bool     // the caller named root: the configuration does not override it
	named      bool     // the caller named the repository
}

// maxAdminFile bounds .git files, commondir, alternates and similar files: real ones have a few lines.
const maxAdminFile = 1 << 20

// maxAlternates bounds the object directories of one repository; git itself follows five levels.
const maxAlternates = 64

func findLayout(dir string, opts Options) (layout, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return layout{}, fmt.Errorf("open repository %q: %w", dir, err)
	}
	l := layout{}
	if l.named = opts.GitDir != ""; l.named {
		err = l.useGitDir(abs, opts.GitDir)
	} else {
		err = l.discover(abs)
	}
	if err != nil {
		return layout{}, err
	}
	if l.commonDir, err = commonDir(l.gitDir); err != nil {
		return layout{}, err
	}
	if opts.WorkTree != "" {
		l.root, l.rootGiven = within(abs, opts.WorkTree), true
	}
	l.indexFile = filepath.Join(l.gitDir, "index")
	if opts.IndexFile != "" {
		l.indexFile = within(abs, opts.IndexFile)
	}
	for _, a := range opts.Alternates {
		l.alternates = append(l.alternates, within(abs, a))
	}
	l.objectDirs, err = objectDirs(abs, l.commonDir, opts)
	return l, err
}

// within makes path absolute; a relative path is relative to dir.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// useGitDir takes the repository that the caller names. Hooks run with GIT_DIR set and the work tree as current
// directory. In two cases the repository itself knows its work tree, which is better than that guess.
func (l *layout) useGitDir(dir, name string) error {
	l.gitDir = within(dir, name)
	if target, ok := gitFileTarget(l.gitDir); ok {
		l.gitDir = target
	}
	if !isGitDir(l.gitDir) {
		return &NotRepositoryError{Path: l.gitDir}
	}
	l.root = dir
	if b, err := readAdminFile(filepath.Join(l.gitDir, "gitdir")); err == nil {
		l.root = filepath.Dir(within(l.gitDir, line(b)))
	} else if filepath.Base(l.gitDir) == ".git" {
		l.root = filepath.Dir(l.gitDir)
	}
	return nil
}

// discover walks up from dir to the first directory that is or holds a repository.
func (l *layout) discover(dir string) error {
	start := dir
	if fi, err := os.Stat(dir); err != nil {
		return fmt.Errorf("open repository %q: %w", dir, err)
	} else if !fi.IsDir() {
		dir = filepath.Dir(dir)
	}
	for {
		dotGit := filepath.Join(dir, ".git")
		if target, ok := gitFileTarget(dotGit); ok {
			if !isGitDir(target) {
				return &NotRepositoryError{Path: target}
			}
			l.gitDir, l.root = target, dir
			return nil
		}
		if isGitDir(dotGit) {
			l.gitDir, l.root = dotGit, dir
			return nil
		}
		if isGitDir(dir) {
			l.gitDir = dir
			if filepath.Base(dir) == ".git" {
				l.root = filepath.Dir(dir)
			}
			return nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return &NotRepositoryError{Path: start}
		}
		dir = parent
	}
}

// settleRoot applies core.bare and core.worktree.
func (l *layout) settleRoot(c config) error {
	switch {
	case l.rootGiven:
	case c.workTree != "":
		root := within(l.gitDir, c.workTree)
		if !l.named && !l.owns(root) {
			return &WorkTreeError{Repository: l.gitDir, Path: root}
		}
		l.root = root
	case c.bare && l.gitDir == l.commonDir: // the work trees linked to a bare repository are not bare
		l.root = ""
	}
	return nil
}

// owns reports whether a directory that core.worktree names belongs to a repository that was found and not named: it is in
// the directory where the repository was found, or its .git leads back. Otherwise a repository from a stranger could have
// any file of this machine scanned.
func (l *layout) owns(root string) bool {
	if target, ok := gitFileTarget(filepath.Join(root, ".git")); ok && sameFile(target, l.gitDir) {
		return true
	}
	_, ok := inside(l.root, root)
	return l.root != "" && ok
}

// inside returns a path relative to a directory, with links followed in both. ok is false if it is not in the directory.
func inside(dir, path string) (rel string, ok bool) {
	dir, err1 := filepath.EvalSymlinks(dir)
	path, err2 := filepath.EvalSymlinks(path)
	if err := cmp.Or(err1, err2); err != nil {
		return "", false
	}
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// isGitDir applies git's own test: a HEAD, objects and refs; the latter two may be elsewhere.
func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common, err := commonDir(dir)
	if err != nil {
		return false
	}
	return isDir(filepath.Join(common, "objects")) && isDir(filepath.Join(common, "refs"))
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// gitFileTarget reads the "gitdir: " line of a .git file, which linked work trees and submodules have.
func gitFileTarget(path string) (string, bool) {
	fi, err := os.Stat(path)
	if err != nil || !fi.Mode().IsRegular() {
		return "", false
	}
	b, err := readAdminFile(path)
	if err != nil {
		return "", false
	}
	target, ok := bytes.CutPrefix(b, []byte("gitdir:"))
	if !ok {
		return "", false
	}
	return within(filepath.Dir(path), strings.TrimPrefix(line(target), " ")), true
}

func commonDir(gitDir string) (string, error) {
	b, err := readAdminFile(filepath.Join(gitDir, "commondir"))
	if errors.Is(err, fs.ErrNotExist) {
		return gitDir, nil
	}
	if err != nil {
		return "", err
	}
	return within(gitDir, line(b)), nil
}

// line drops the line end only: other blanks can be part of a path.
func line(b []byte) string {
	return strings.TrimRight(string(b), "\r\n")
}

// readAdminFile reads a small file of the repository.
func readAdminFile(path string) ([]byte, error) {
	return readBounded(path, maxAdminFile)
}

// readBounded reads a regular file of at most limit bytes.
func readBounded(path string, limit int64) ([]byte, error) {
	if path == os.DevNull { // a configuration may name it as an empty file
		return nil, nil
	}
	f, _, err := object.OpenRegular(path)
	return readUpTo(f, path, limit, err)
}

// readBoundedIn is readBounded for a file of an open directory.
func readBoundedIn(dir *os.Root, name string, limit int64) ([]byte, error) {
	f, _, err := object.OpenRegularIn(dir, name)
	return readUpTo(f, name, limit, err)
}

func readUpTo(f *os.File, path string, limit int64, err error) ([]byte, error) {
	if err != nil {
		return nil, fmt.Errorf("read repository file: %w", err)
	}
	defer f.Close()
	b := &bytes.Buffer{}
	if st, err := f.Stat(); err == nil {
		b.Grow(int(min(st.Size(), limit)) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, fmt.Errorf("read repository file: %w", err)
	}
	if int64(b.Len()) > limit {
		return nil, &CorruptError{What: path, Offset: -1, Detail: fmt.Sprintf("larger than %d bytes", limit)}
	}
	return b.Bytes(), nil
}

// objectDirs lists the object directory and its alternates, breadth first. A relative alternate is relative to the
// object directory that names it.
func objectDirs(dir, common string, opts Options) ([]string, error) {
	first := filepath.Join(common, "objects")
	if opts.ObjectDir != "" {
		first = within(dir, opts.ObjectDir)
	}
	dirs := []string{first}
	for _, a := range opts.Alternates {
		dirs = append(dirs, within(dir, a))
	}
	seen := map[string]bool{}
	var out []string
	for len(dirs) > 0 && len(out) < maxAlternates {
		d := dirs[0]
		dirs = dirs[1:]
		if seen[d] {
			continue
		}
		seen[d] = true
		out = append(out, d)
		b, err := readAdminFile(filepath.Join(d, "info", "alternates"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for name := range strings.Lines(string(b)) {
			if name = line([]byte(name)); name != "" && name[0] != '#' {
				dirs = append(dirs, within(d, name))
			}
		}
	}
	return out, nil
}

func readShallow(common string, parse func(string) (Hash, error)) (map[Hash]bool, error) {
	path := filepath.Join(common, "shallow")
	b, err := readBounded(path, 64<<20) // 41 bytes a line: a million and a half boundary commits
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	shallow := map[Hash]bool{}
	for l := range bytes.Lines(b) {
		h, err := parse(line(l))
		if err != nil {
			return nil, &CorruptError{What: path, Offset: -1, Detail: err.Error()}
		}
		shallow[h] = true
	}
	return shallow, nil
}
