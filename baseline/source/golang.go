package source

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
	"github.com/git-provenance/git-provenance/baseline/source/web"
)

func modulePath(gomod []byte) string {
	p := modfile.ModulePath(gomod)
	if module.CheckImportPath(p) != nil {
		return ""
	}
	return p
}

// goDownload fetches the modules of a go.mod to this machine.
const goDownload = "go mod download"

// openGoMod opens every module that a go.mod requires, directly and indirectly, at the version it states, and the standard
// library. From go 1.17 on, a build selects the same versions. A module comes from the module cache or else from a proxy.
// Modules that neither has are skipped.
func openGoMod(ctx context.Context, name string, o Options) ([]*Package, error) {
	mods, err := requirements(name, o.skip)
	if err != nil {
		return nil, err
	}
	sums := strings.TrimSuffix(name, ".mod") + ".sum"
	known, other, err := readGoSum(sums)
	if err != nil {
		o.skip(sums, ReasonUnreadable, files.Cause(err)+"; no module is downloaded without it")
	}
	o.goSum = known
	l := lockPins{o: o, bring: runIn(filepath.Dir(name), goDownload)}
	for _, m := range mods {
		pin := lockfile.Pin{PURL: golangName(m), Unreadable: other[m]}
		if err != nil {
			pin.Unreadable = filepath.Base(sums)
		}
		l.open(ctx, pin)
	}
	l.standard(map[string]bool{"golang": true})
	return byPURL(l.pkgs), ctx.Err()
}

// readGoSum reads the checksums of modules in a go.sum, not those of go.mod files alone. other has the lines of modules
// without a checksum of a known kind. Without a go.sum, the checksum database is used.
func readGoSum(name string) (sums, other map[module.Version]string, err error) {
	data, err := files.ReadSmallLimit(name, web.MaxDocument)
	if err != nil {
		if os.IsNotExist(err) {
			err = nil
		}
		return nil, nil, err
	}
	sums, other = map[module.Version]string{}, map[module.Version]string{}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 2 || strings.HasSuffix(f[1], "/go.mod") {
			continue
		}
		m := module.Version{Path: f[0], Version: f[1]}
		if len(f) == 3 && strings.HasPrefix(f[2], "h1:") {
			sums[m] = f[2]
		} else {
			other[m] = strings.TrimSpace(line[:min(len(line), 256)])
		}
	}
	maps.DeleteFunc(other, func(m module.Version, _ string) bool { return sums[m] != "" })
	return sums, other, nil
}

// requirements returns the modules that a go.mod requires, after its replacements, in order of path and version.
// Modules replaced by directories are skipped.
func requirements(name string, skip func(path, reason, detail string)) ([]module.Version, error) {
	data, err := files.ReadSmall(name)
	if err != nil {
		return nil, fmt.Errorf("open source: %w", err)
	}
	f, err := modfile.Parse(name, data, nil)
	if err != nil {
		return nil, fmt.Errorf("open source: %w", err)
	}
	var mods []module.Version
	for _, r := range f.Require {
		m := replaced(f, r.Mod)
		if m.Version == "" {
			skip(purl.Golang(r.Mod.Path, r.Mod.Version), ReasonLocal, m.Path)
			continue
		}
		mods = append(mods, m)
	}
	module.Sort(mods)
	return slices.Compact(mods), nil
}

// replaced applies the replace directives to m; one for its exact version has priority.
func replaced(f *modfile.File, m module.Version) module.Version {
	out := m
	for _, r := range f.Replace {
		if r.Old == m {
			return r.New
		}
		if r.Old.Path == m.Path && r.Old.Version == "" {
			out = r.New
		}
	}
	return out
}

// cachedModule returns a module from the module cache, unpacked or as zip, or nil.
func cachedModule(cache string, m module.Version) *Package {
	c, ok := cachePaths(cache, m)
	if !ok {
		return nil
	}
	p := &Package{PURL: golangName(m), Released: moduleTime(c.download+".info", m.Version)}
	switch {
	case isDir(c.dir) && !exists(c.download+".partial"):
		p.From = "$GOMODCACHE/" + c.rel
		p.walk = func(ctx context.Context, v *files.Visit) error { return files.WalkDir(ctx, c.dir, nil, v) }
	case exists(c.download + ".zip"):
		p.From = "$GOMODCACHE/cache/download/" + c.relDownload + ".zip"
		p.walk = func(ctx context.Context, v *files.Visit) error {
			return files.WalkArchiveFile(ctx, c.download+".zip", p.From, files.GoZip(m), v)
		}
	default:
		return nil
	}
	return p
}

func golangName(m module.Version) string { return purl.Golang(m.Path, m.Version) }

// cached has the paths of a module in the module cache.
type cached struct {
	rel, dir              string
	relDownload, download string // without extension
}

func cachePaths(cache string, m module.Version) (cached, bool) {
	esc, err1 := module.EscapePath(m.Path)
	ver, err2 := module.EscapeVersion(m.Version)
	if cache == "" || m.Version == "" || err1 != nil || err2 != nil {
		return cached{}, false
	}
	c := cached{rel: esc + "@" + ver, relDownload: esc + "/@v/" + ver}
	c.dir = filepath.Join(cache, filepath.FromSlash(c.rel))
	c.download = filepath.Join(cache, "cache", "download", filepath.FromSlash(c.relDownload))
	return c, true
}

// moduleInfo is the .info document of a module version.
type moduleInfo struct {
	Version string
	Time    time.Time
}

// moduleTime returns when a version was made: from its .info file, else from a pseudo-version, else zero.
func moduleTime(infoFile, version string) time.Time {
	var info moduleInfo
	if data, err := files.ReadSmall(infoFile); err == nil && json.Unmarshal(data, &info) == nil && !info.Time.IsZero() {
		return info.Time.UTC()
	}
	t, _ := module.PseudoVersionTime(version)
	return t
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// openModCache opens the module cache itself, or one module in it.
func openModCache(ctx context.Context, dir string, o Options) ([]*Package, error) {
	if o.ModCache == "" {
		return nil, nil
	}
	rel, ok := below(o.ModCache, dir)
	if !ok {
		return nil, nil
	}
	if rel == "." {
		return modCacheAll(ctx, o)
	}
	if m, ok := cacheEntry(rel); ok {
		if p := cachedModule(o.ModCache, m); p != nil {
			return []*Package{p}, nil
		}
	}
	return nil, nil
}

// below returns the slash path of dir relative to root, if dir is root or below it.
func below(root, dir string) (string, bool) {
	root, err1 := realPath(root)
	dir, err2 := realPath(dir)
	if err1 != nil || err2 != nil {
		return "", false
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

func realPath(name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// cacheEntry reads the escaped "path@version" of a module cache directory.
func cacheEntry(rel string) (module.Version, bool) {
	esc, ver, ok := strings.Cut(rel, "@")
	if !ok {
		return module.Version{}, false
	}
	p, err1 := module.UnescapePath(esc)
	v, err2 := module.UnescapeVersion(ver)
	if err1 != nil || err2 != nil || module.Check(p, v) != nil {
		return module.Version{}, false
	}
	return module.Version{Path: p, Version: v}, true
}

// modCacheAll returns every unpacked module of the module cache.
func modCacheAll(ctx context.Context, o Options) ([]*Package, error) {
	pkgs := []*Package{}
	err := fs.WalkDir(os.DirFS(o.ModCache), ".", func(rel string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			o.skip(rel, ReasonUnreadable, files.Cause(err))
			return nil
		case !d.IsDir():
			return nil
		case rel == "cache":
			return fs.SkipDir
		case !strings.Contains(d.Name(), "@"):
			return nil
		}
		m, ok := cacheEntry(rel)
		if p := cachedModule(o.ModCache, m); ok && p != nil {
			pkgs = append(pkgs, p)
		} else {
			o.skip(rel+"/", ReasonMetadata, "not a module")
		}
		return fs.SkipDir
	})
	if err != nil {
		return nil, fmt.Errorf("open source %q: %w", o.ModCache, err)
	}
	return byPURL(pkgs), nil
}

// goLicense is the licence of every release of the Go distribution. Its text is outside the src folder that the package
// consists of.
const goLicense = "BSD-3-Clause"

// openGoRoot opens a Go distribution: its src folder as the module std.
func openGoRoot(_ context.Context, dir string, _ Options) ([]*Package, error) {
	p := goRoot(dir)
	if p == nil {
		return nil, nil
	}
	return []*Package{p}, nil
}

// goRoot returns the standard library of a Go distribution, nil if dir is none.
func goRoot(dir string) *Package {
	data, err := files.ReadSmall(filepath.Join(dir, "VERSION"))
	if err != nil || !isDir(filepath.Join(dir, "src", "runtime")) {
		return nil
	}
	version, released, ok := goVersion(string(data))
	if !ok {
		return nil
	}
	return &Package{PURL: purl.Golang("std", version), License: goLicense, Released: released, From: "$GOROOT/src", Standard: true,
		walk: func(ctx context.Context, v *files.Visit) error {
			return files.WalkDir(ctx, filepath.Join(dir, "src"), excludeTestdata, v)
		}}
}

// goVersion reads a VERSION file: "go1.26.0", and since Go 1.21 "time <RFC 3339>".
func goVersion(s string) (version string, released time.Time, ok bool) {
	first, rest, _ := strings.Cut(s, "\n")
	version, ok = strings.CutPrefix(strings.TrimSpace(first), "go")
	if !ok || version == "" || strings.ContainsAny(version, "/ \t") {
		return "", time.Time{}, false
	}
	for line := range strings.Lines(rest) {
		if t, found := strings.CutPrefix(strings.TrimSpace(line), "time "); found {
			released, _ = time.Parse(time.RFC3339, t)
		}
	}
	return version, released, true
}

func excludeTestdata(p string) string {
	if path.Base(p) == "testdata" {
		return ReasonTestdata
	}
	return ""
}

// openVendor opens a vendor folder of the Go command: one package per module.
func openVendor(_ context.Context, dir string, o Options) ([]*Package, error) {
	if filepath.Base(dir) != "vendor" {
		return nil, nil
	}
	data, err := files.ReadSmall(filepath.Join(dir, "modules.txt"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return vendored(dir, manifest.Modules(data), o), nil
}

func vendored(dir string, mods []manifest.Module, o Options) []*Package {
	roots := map[string]bool{}
	for _, m := range mods {
		roots[m.Dir] = true
	}
	pkgs := []*Package{}
	for _, m := range mods {
		root := filepath.Join(dir, filepath.FromSlash(m.Dir))
		if !isDir(root) {
			continue // needed for the build list only; no files of it are vendored
		}
		if m.Version.Version == "" {
			o.skip(root, ReasonLocal, m.Version.Path)
			continue
		}
		c, _ := cachePaths(o.ModCache, m.Version)
		pkgs = append(pkgs, &Package{PURL: golangName(m.Version), From: root,
			Released: moduleTime(c.download+".info", m.Version.Version),
			walk: func(ctx context.Context, v *files.Visit) error {
				return files.WalkDir(ctx, root, nestedModules(m.Dir, roots), v)
			}})
	}
	return byPURL(pkgs)
}

// nestedModules leaves out directories of other vendored modules.
func nestedModules(dir string, roots map[string]bool) files.Exclude {
	return func(p string) string {
		if roots[path.Join(dir, p)] {
			return files.Silent
		}
		return ""
	}
}

// byPURL sorts packages by package URL and keeps the first of equal ones.
func byPURL(pkgs []*Package) []*Package {
	slices.SortStableFunc(pkgs, func(a, b *Package) int { return strings.Compare(a.PURL, b.PURL) })
	return slices.CompactFunc(pkgs, func(a, b *Package) bool { return a.PURL == b.PURL })
}
