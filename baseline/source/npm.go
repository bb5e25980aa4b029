package source

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// openNodeModules opens a node_modules folder: every package in it, at any depth.
func openNodeModules(ctx context.Context, dir string, o Options) ([]*Package, error) {
	if filepath.Base(dir) != "node_modules" {
		return nil, nil
	}
	return nodeModules(ctx, dir, o)
}

func nodeModules(ctx context.Context, dir string, o Options) ([]*Package, error) {
	n := nodeWalk{ctx: ctx, base: dir, fsys: os.DirFS(dir), o: o, pkgs: []*Package{}}
	if err := n.folder("."); err != nil {
		return nil, fmt.Errorf("open source %q: %w", dir, err)
	}
	return byPURL(n.pkgs), nil
}

type nodeWalk struct {
	ctx  context.Context
	base string
	fsys fs.FS
	o    Options
	pkgs []*Package
}

// folder visits the packages of one node_modules folder. The stores of pnpm
// (".pnpm") hold folders of their own; other names with a dot are tools' caches.
func (n *nodeWalk) folder(rel string) error {
	if err := n.ctx.Err(); err != nil {
		return err
	}
	entries, err := n.list(rel)
	if err != nil {
		return err
	}
	for _, e := range entries {
		p := path.Join(rel, e.Name())
		switch {
		case e.Name() == ".pnpm" && e.IsDir():
			err = n.store(p)
		case e.Name()[0] == '.':
			continue
		case e.Type()&fs.ModeSymlink != 0:
			n.link(p)
		case e.IsDir() && e.Name()[0] == '@' && rel == path.Dir(p) && path.Base(rel)[0] != '@':
			err = n.folder(p)
		case e.IsDir():
			err = n.pkg(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list returns the entries of a folder; below the top, one that cannot be read is
// skipped.
func (n *nodeWalk) list(rel string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(n.fsys, rel)
	if err != nil && rel != "." {
		n.o.skip(filepath.Join(n.base, filepath.FromSlash(rel)), ReasonUnreadable, files.Cause(err))
		return nil, nil
	}
	return entries, err
}

// store visits a pnpm store: folders "name@version" with a node_modules each.
func (n *nodeWalk) store(rel string) error {
	entries, err := n.list(rel)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if err := n.nested(path.Join(rel, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// link skips a link, a package of the project itself, unless it leads to a package
// that is found where it lies.
func (n *nodeWalk) link(rel string) {
	full := filepath.Join(n.base, filepath.FromSlash(rel))
	if _, ok := below(n.base, full); !ok {
		n.o.skip(full, ReasonSymlink, "")
	}
}

// nested visits the node_modules folder in rel, if there is one.
func (n *nodeWalk) nested(rel string) error {
	rel = path.Join(rel, "node_modules")
	info, err := os.Lstat(filepath.Join(n.base, filepath.FromSlash(rel)))
	if err != nil || !info.IsDir() {
		return nil
	}
	return n.folder(rel)
}

func (n *nodeWalk) pkg(rel string) error {
	dir := filepath.Join(n.base, filepath.FromSlash(rel))
	data, err := files.ReadSmall(filepath.Join(dir, "package.json"))
	m := manifest.NPM(data)
	if err != nil {
		n.o.skip(dir, ReasonMetadata, "package.json: "+files.Cause(err))
	} else if m.PURL == "" {
		n.o.skip(dir, ReasonMetadata, "package.json names no package")
	} else {
		n.pkgs = append(n.pkgs, dirPackage(dir, m))
	}
	return n.nested(rel)
}

// lockFile is what is read of package-lock.json (versions 2 and 3).
type lockFile struct {
	LockfileVersion int                  `json:"lockfileVersion"`
	Packages        map[string]lockEntry `json:"packages"`
}

type lockEntry struct {
	manifest.NPMDocument
	Resolved  string `json:"resolved"`
	Integrity string `json:"integrity"`
	Link      bool   `json:"link"`
	InBundle  bool   `json:"inBundle"`
}

// openPackageLock opens every package of a package-lock.json: from node_modules
// beside it where that holds the same version, else from the registry.
func openPackageLock(_ context.Context, name string, o Options) ([]*Package, error) {
	data, err := files.ReadSmallLimit(name, maxLock)
	if err != nil {
		return nil, fmt.Errorf("open source: %w", err)
	}
	var lock lockFile
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("open source %q: %w", name, err)
	}
	if lock.LockfileVersion < 2 {
		return nil, &UnknownSourceError{Arg: name, Why: fmt.Sprintf("version %d of package-lock.json does not list packages; npm 7 writes version 2 and later", lock.LockfileVersion)}
	}
	return lockPackages(name, lock, o)
}

// maxLock bounds package-lock.json: about 400 bytes a package, 20,000 packages in
// the largest.
const maxLock = 32 << 20

func lockPackages(name string, lock lockFile, o Options) ([]*Package, error) {
	paths := make([]string, 0, len(lock.Packages))
	for p := range lock.Packages {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	var absent []string
	pkgs := []*Package{}
	for _, p := range paths {
		e := lock.Packages[p]
		if e.Link || !strings.Contains(p, "node_modules/") {
			continue // the project itself and its workspaces
		}
		if e.Name == "" { // it differs from the folder's for aliases only
			e.Name = p[strings.LastIndex(p, "node_modules/")+len("node_modules/"):]
		}
		if !manifest.ValidNPMName(e.Name) || e.Version == "" {
			o.skip(p, ReasonMetadata, "no name or version")
			continue
		}
		if q := lockPackage(name, p, e, o); q != nil {
			pkgs = append(pkgs, q)
		} else if e.InBundle {
			o.skip(purl.NPM(e.Name, e.Version), ReasonVendored, "inside the package that depends on it")
		} else {
			absent = append(absent, purl.NPM(e.Name, e.Version))
		}
	}
	if absent != nil {
		slices.Sort(absent)
		return nil, &MissingPackagesError{Lock: name, Packages: slices.Compact(absent)}
	}
	return byPURL(pkgs), nil
}

func lockPackage(lockName, p string, e lockEntry, o Options) *Package {
	want := manifest.Meta{PURL: purl.NPM(e.Name, e.Version), License: e.Declared()}
	if filepath.IsLocal(filepath.FromSlash(p)) {
		dir := filepath.Join(filepath.Dir(lockName), filepath.FromSlash(p))
		data, err := files.ReadSmall(filepath.Join(dir, "package.json"))
		if m := manifest.NPM(data); err == nil && m.PURL == want.PURL {
			return dirPackage(dir, m)
		}
	}
	if o.Offline || !isHTTP(e.Resolved) {
		return nil
	}
	if rest, ok := strings.CutPrefix(e.Resolved, defaultNPM); ok && o.NPMRegistry != "" { // as npm does
		e.Resolved = strings.TrimRight(o.NPMRegistry, "/") + "/" + rest
	}
	return npmTarball(want, npmDist{Tarball: e.Resolved, Integrity: e.Integrity}, o)
}
