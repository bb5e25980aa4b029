package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/mod/semver"

	"github.com/git-provenance/git-provenance/baseline/bounded"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
	"github.com/git-provenance/git-provenance/baseline/source/web"
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

// stores are the folders in which pnpm, bun and npm keep packages that node_modules links to.
var stores = []string{".pnpm", ".bun", ".store"}

// folder visits the packages of one node_modules folder. A store has folders of its own; other names with a leading dot
// are caches of tools.
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
		case slices.Contains(stores, e.Name()) && e.IsDir():
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

// list returns the entries of a folder. An unreadable folder below the top is skipped.
func (n *nodeWalk) list(rel string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(n.fsys, rel)
	if err != nil && rel != "." {
		n.o.skip(filepath.Join(n.base, filepath.FromSlash(rel)), ReasonUnreadable, files.Cause(err))
		return nil, nil
	}
	return entries, err
}

// store visits a store: folders "name@version", each with a node_modules folder.
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

// link skips a link outside the folder, which leads to a package of the project itself. A link inside it leads to a
// package that is found anyway. So does one inside the repository whose dependencies are looked for: workspaces link to each other,
// and to one store.
func (n *nodeWalk) link(rel string) {
	full := filepath.Join(n.base, filepath.FromSlash(rel))
	inside := n.base
	if n.o.repository != "" {
		inside = n.o.repository
	}
	if _, ok := below(inside, full); !ok {
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

// npmVersions reads the document on all versions of a package.
func npmVersions(ctx context.Context, name string, o Options) ([]*Release, error) {
	asked := purl.NPM(name, "")
	base, err := npmBase(name, o)
	if err != nil {
		return nil, err
	}
	r, err := o.web().Get(ctx, base)
	if web.Missing(err) {
		return nil, &NotFoundError{PURL: asked, Tried: []string{web.Shown(base)}}
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	doc, err := readPackument(io.LimitReader(r, maxPackument))
	if err == nil && doc.name != name {
		err = errors.New("not a document about this package")
	}
	if err != nil {
		return nil, &FetchError{URL: web.Shown(base), Err: err}
	}
	var out []*Release
	for v, d := range doc.versions {
		if semver.IsValid("v"+v) && d.Version == v && web.IsHTTP(d.Dist.Tarball) {
			out = append(out, npmRelease(name, d, doc.time[v], o))
		}
	}
	return out, nil
}

func npmRelease(name string, d npmVersion, released string, o Options) *Release {
	t, _ := time.Parse(time.RFC3339, released)
	m := manifest.Meta{PURL: purl.NPM(name, d.Version), License: d.Declared(), Released: t.UTC(), Repository: d.Address()}
	return &Release{PURL: m.PURL, Released: m.Released,
		open: func(context.Context) (*Package, error) { return npmTarball(m, d.Dist, "", o), nil }}
}

// packument has the parts that are kept of the document on all versions of a package.
type packument struct {
	name     string
	versions map[string]npmVersion
	time     map[string]string
}

// readPackument reads a document of any size and keeps only small parts of it.
func readPackument(r io.Reader) (p packument, err error) {
	o, err := bounded.NewObject(r)
	for err == nil {
		key, more, e := o.Next()
		if e != nil || !more {
			return p, e
		}
		switch key {
		case "name":
			err = decodeValue(o, &p.name)
		case "time":
			p.time, err = timesOf(o)
		case "versions":
			p.versions, err = decodeVersions(o)
		default:
			err = o.Skip()
		}
	}
	return p, err
}

func decodeValue(o *bounded.Object, into any) error {
	raw, err := o.Value(web.MaxDocument)
	if err != nil {
		return err
	}
	return bounded.JSON(raw, into)
}

// maxNPMVersions bounds the versions of one package. The most on the public registry are some tens of thousands.
const maxNPMVersions = 200_000

// decodeVersions reads one version at a time, since the unused parts of a version are large.
func decodeVersions(o *bounded.Object) (map[string]npmVersion, error) {
	in, err := o.Inner()
	out := map[string]npmVersion{}
	for err == nil {
		key, more, e := in.Next()
		if e != nil || !more {
			return out, e
		}
		var v npmVersion
		if err = decodeValue(in, &v); err == nil {
			out[key] = v
		}
		if len(out) > maxNPMVersions {
			err = bounded.ErrTooMany
		}
	}
	return nil, err
}
