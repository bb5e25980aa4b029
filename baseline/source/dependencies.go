package source

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// Dependencies returns what a repository depends on, as far as this machine holds
// it: the Go standard library and the modules of each go.mod, vendor folders with
// modules.txt, node_modules folders. It uses no network. What is missing or cannot
// be read is skipped; testdata folders are not looked into. Packages are ordered by package URL, each once: modules are
// taken whole from the module cache before parts of them from a vendor folder.
func Dependencies(ctx context.Context, root string, o Options) ([]*Package, []Skipped, error) {
	o.Offline = true
	o.PURL, o.License, o.Released = "", "", time.Time{} // of one package, not of many
	o.Limits = o.Limits.WithDefaults()
	d := deps{ctx: ctx, root: root}
	o.Skipped = func(s Skipped) { d.skipped = append(d.skipped, s) }
	d.o = o
	if err := fs.WalkDir(os.DirFS(root), ".", d.visit); err != nil {
		return nil, nil, fmt.Errorf("find dependencies: %w", err)
	}
	pkgs := byPURL(slices.Concat(d.std, d.modules, d.vendored, d.node))
	for _, p := range pkgs {
		o.override(p)
	}
	return pkgs, d.skips(pkgs), nil
}

type deps struct {
	ctx     context.Context
	root    string
	o       Options
	skipped []Skipped

	std, modules, vendored, node []*Package
}

func (d *deps) visit(rel string, e fs.DirEntry, err error) error {
	if ctxErr := d.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err != nil {
		if rel == "." {
			return err
		}
		d.o.skip(rel, ReasonUnreadable, files.Cause(err))
		return nil
	}
	if e.IsDir() {
		return d.dir(rel, path.Base(rel))
	}
	if e.Name() == "go.mod" && e.Type().IsRegular() {
		d.gomod(rel)
	}
	return nil
}

func (d *deps) dir(rel, name string) error {
	full := filepath.Join(d.root, filepath.FromSlash(rel))
	var pkgs []*Package
	var err error
	switch {
	case rel == ".":
		return nil
	case name == "node_modules":
		pkgs, err = nodeModules(d.ctx, full, d.o)
		d.node = append(d.node, pkgs...)
	case name == "vendor":
		pkgs, err = openVendor(d.ctx, full, d.o)
		d.vendored = append(d.vendored, pkgs...)
		if pkgs == nil && err == nil {
			d.o.skip(rel+"/", ReasonMetadata, "no modules.txt says what is in it")
		}
	case files.SkippedDir(name) != "" || name == "testdata":
	default:
		return nil
	}
	if d.ctx.Err() != nil {
		return d.ctx.Err()
	}
	if err != nil {
		d.o.skip(rel+"/", ReasonUnreadable, files.Cause(err))
	}
	return fs.SkipDir
}

// gomod adds the modules of one go.mod, and with the first the standard library.
func (d *deps) gomod(rel string) {
	if d.std == nil && d.o.GoRoot != "" {
		if p := goRoot(d.o.GoRoot); p != nil {
			d.std = []*Package{p}
		} else {
			d.std = []*Package{}
			d.o.skip(d.o.GoRoot, ReasonMissing, "not a Go distribution")
		}
	}
	mods, err := requirements(filepath.Join(d.root, filepath.FromSlash(rel)), d.o.skip)
	if err != nil {
		d.o.skip(rel, ReasonUnreadable, err.Error())
		return
	}
	for _, m := range mods {
		p := cachedModule(d.o.ModCache, m)
		if p == nil {
			d.o.skip(golangName(m), ReasonMissing, `not in the module cache: run "go mod download"`)
			continue
		}
		d.modules = append(d.modules, p)
	}
}

// skips returns what was skipped, sorted, each once, without modules that another
// place had.
func (d *deps) skips(pkgs []*Package) []Skipped {
	have := map[string]bool{}
	for _, p := range pkgs {
		have[p.PURL] = true
	}
	out := slices.DeleteFunc(d.skipped, func(s Skipped) bool { return s.Reason == ReasonMissing && have[s.Path] })
	slices.SortFunc(out, func(a, b Skipped) int {
		return strings.Compare(a.Path+"\x00"+a.Reason+"\x00"+a.Detail, b.Path+"\x00"+b.Reason+"\x00"+b.Detail)
	})
	return slices.Compact(out)
}
