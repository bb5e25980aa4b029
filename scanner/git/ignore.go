package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/git/ignore"
)

// maxIgnoreFile bounds a file of ignore patterns; the largest collections are below 100 KB.
const maxIgnoreFile = 4 << 20

// ignoreRules decides whether git would ignore an untracked path. It reads the .gitignore of a directory when first asked
// about one of its entries. It is not safe for concurrent use.
type ignoreRules struct {
	root     string
	foldCase bool
	dirs     map[string]*ignoreDir // by directory
	shared   []ignore.Patterns     // info/exclude, then the user's file: the first that matches decides
}

func (r *Repo) ignoreRules() (*ignoreRules, error) {
	rules := &ignoreRules{root: r.layout.root, foldCase: r.config.ignoreCase, dirs: map[string]*ignoreDir{}}
	for _, file := range []string{filepath.Join(r.layout.commonDir, "info", "exclude"), r.layout.excludes} {
		if file == "" {
			continue
		}
		b, err := readBounded(file, maxIgnoreFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		rules.shared = append(rules.shared, ignore.Parse(b, rules.foldCase))
	}
	return rules, nil
}

// ignoreDir is a directory whose .gitignore has patterns, with the nearest such directory above. Most directories have
// none, so a deep path is compared with few pattern files.
type ignoreDir struct {
	base     string // with a slash at the end, "" for the root
	patterns ignore.Patterns
	above    *ignoreDir
}

// match reports whether p is ignored, given that no directory above it is: git does not look below ignored directories. The
// pattern file nearest to p decides; within one file, the last match decides.
func (r *ignoreRules) match(p string, isDir bool) bool {
	for d := r.dir(parentDir(p)); d != nil; d = d.above {
		if ignored, decided := d.patterns.Decide(r.fold(p[len(d.base):]), isDir); decided {
			return ignored
		}
	}
	for _, patterns := range r.shared {
		if ignored, decided := patterns.Decide(r.fold(p), isDir); decided {
			return ignored
		}
	}
	return false
}

// dir returns the nearest directory with patterns, from dir upwards; nil if there is none.
func (r *ignoreRules) dir(dir string) *ignoreDir {
	if known, ok := r.dirs[dir]; ok {
		return known
	}
	var d *ignoreDir
	base := ""
	if dir != "" {
		d, base = r.dir(parentDir(dir)), dir+"/"
	}
	if patterns := r.patterns(dir); len(patterns) > 0 {
		d = &ignoreDir{base, patterns, d}
	}
	r.dirs[dir] = d
	return d
}

// listed notes that a directory has no .gitignore, which saves looking for it. A non-nil err means that the listing is
// incomplete.
func (r *ignoreRules) listed(dir string, entries []fs.DirEntry, err error) {
	named := func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), ".gitignore") }
	if r == nil || err != nil || slices.ContainsFunc(entries, named) {
		return
	}
	if dir == "" {
		r.dirs[dir] = nil
	} else {
		r.dirs[dir] = r.dir(parentDir(dir))
	}
}

// parentDir returns the directory of a path, "" if there is none.
func parentDir(p string) string { return p[:max(strings.LastIndexByte(p, '/'), 0)] }

func (r *ignoreRules) fold(s string) string {
	if r.foldCase {
		return strings.ToLower(s)
	}
	return s
}

// patterns reads a directory's .gitignore. Like git, it does not follow a link. A file that cannot be read ignores nothing,
// so that more is scanned rather than less.
func (r *ignoreRules) patterns(dir string) ignore.Patterns {
	name := filepath.Join(r.root, filepath.FromSlash(dir), ".gitignore")
	if fi, err := os.Lstat(name); err == nil && fi.Mode().IsRegular() {
		if b, err := readBounded(name, maxIgnoreFile); err == nil {
			return ignore.Parse(b, r.foldCase)
		}
	}
	return nil
}
