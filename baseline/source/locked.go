package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/installed"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// foundPackage makes a package from one found on this machine.
func foundPackage(f installed.Found) *Package {
	p := &Package{PURL: f.PURL, License: f.License, Released: f.Released, Repository: f.Repository, From: f.Dir}
	switch {
	case f.Archive != "":
		p.From = f.Archive
		fm := files.Form{Strip: strings.HasSuffix(f.Archive, ".crate"), Prefix: f.Inside}
		p.walk = func(ctx context.Context, v *files.Visit) error {
			return files.WalkArchiveFile(ctx, f.Archive, f.Archive, fm, v)
		}
	case f.Files != nil:
		p.walk = func(ctx context.Context, v *files.Visit) error { return files.WalkList(ctx, f.Dir, f.Files, v) }
	default:
		p.walk = func(ctx context.Context, v *files.Visit) error {
			return files.WalkDir(ctx, f.Dir, without(f.Without), v)
		}
	}
	return p
}

// without excludes directories of these names, which other packages cover.
func without(names []string) files.Exclude {
	return func(p string) string {
		if slices.Contains(names, path.Base(p)) {
			return files.Silent
		}
		return ""
	}
}

// foundPackages makes packages from all that were found.
func foundPackages(all []installed.Found) []*Package {
	out := make([]*Package, len(all))
	for i, f := range all {
		out[i] = foundPackage(f)
	}
	return out
}

// besides adds the packages inside a project directory to an index. It returns those with a layout of their own:
// packages of Node and of Composer.
func besides(ctx context.Context, dir string, x *installed.Index, o Options) ([]*Package, error) {
	for _, venv := range []string{".venv", "venv", "env"} {
		for _, site := range installed.SitePackages(filepath.Join(dir, venv)) {
			x.AddPython(site)
		}
	}
	vendor := filepath.Join(dir, "vendor")
	x.AddCrates(vendor)
	addBundle(x, vendor)
	all, _ := installed.Composer(vendor)
	pkgs := foundPackages(all)
	if nm := filepath.Join(dir, "node_modules"); isDir(nm) {
		o.Skipped = nil // the lock file's packages are reported later
		node, err := nodeModules(ctx, nm, o)
		if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, node...)
	}
	return pkgs, nil
}

// checkoutsOf returns the directory where SwiftPM keeps the repositories that a package depends on.
func checkoutsOf(dir string) string { return filepath.Join(dir, ".build", "checkouts") }

// podsOf returns the directory where CocoaPods keeps packages.
func podsOf(dir string) string { return filepath.Join(dir, "Pods") }

// yarnOf returns the directory where Yarn keeps its cache if it is part of the repository.
func yarnOf(dir string) string { return filepath.Join(dir, ".yarn", "cache") }

// addBundle adds the gem directories below vendor/bundle/ruby.
func addBundle(x *installed.Index, vendor string) {
	dirs, _ := filepath.Glob(filepath.Join(globEscape(vendor), "bundle", "ruby", "*"))
	for _, d := range dirs {
		x.AddGems(d)
	}
}

// globEscape escapes the special characters of a pattern.
func globEscape(s string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, string(filepath.Separator)).Replace(s)
}

// poms provides the files that the lock file at rel of a tree refers to. Links are not followed: they lead to files whose content
// nobody meant to list.
func poms(root, rel string, x *installed.Index) lockfile.Poms {
	return lockfile.Poms{
		Tree: func(to string) []byte {
			p := path.Join(path.Dir(rel), to)
			if !filepath.IsLocal(filepath.FromSlash(p)) || linked(root, p) {
				return nil
			}
			data, err := files.ReadSmall(filepath.Join(root, filepath.FromSlash(p)))
			if err != nil {
				return nil
			}
			return data
		},
		Repo: x.POM,
	}
}

// linked reports whether a path below root has a link in it, or cannot be examined.
func linked(root, rel string) bool {
	for ; rel != "."; rel = path.Dir(rel) {
		if st, err := os.Lstat(filepath.Join(root, filepath.FromSlash(rel))); err != nil || st.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// readLock reads a lock file at rel of a tree.
func readLock(root, rel string, f *lockfile.Format, x *installed.Index) (lockfile.File, error) {
	data, err := files.ReadSmallLimit(filepath.Join(root, filepath.FromSlash(rel)), lockfile.MaxBytes)
	if err != nil {
		return lockfile.File{}, err
	}
	return f.Read(data, poms(root, rel, x))
}

// openLock opens every package of a lock file, from this machine or else from its registry. Packages that neither has
// are skipped, and so are entries that name no package of a registry.
func openLock(ctx context.Context, name string, f *lockfile.Format, o Options) ([]*Package, error) {
	x := installed.New(o.Places)
	dir, base := filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	lock, err := readLock(dir, base, f, x)
	if err != nil {
		return nil, &UnknownSourceError{Arg: name, Why: err.Error()}
	}
	slashed := filepath.ToSlash(name)
	home := filepath.FromSlash(lockfile.Home(slashed))
	x.AddCheckouts(checkoutsOf(home))
	x.AddYarn(yarnOf(home))
	x.AddPods(podsOf(home))
	local, err := besides(ctx, dir, x, o)
	if err != nil {
		return nil, err
	}
	l := lockPins{x: x, o: o, local: byVersion(local), bring: f.Brings(slashed)}
	if !f.Anywhere() {
		l.bring = runIn(home, l.bring)
	}
	for _, e := range lock.Left {
		if e.Name == "" { // of the whole file
			e.Name = name
		}
		o.skip(e.Name, e.Reason, e.Detail)
	}
	usable := works(f, home)
	if !usable {
		l.bring = ""
	}
	whole := l.bring
	types := map[string]bool{}
	for _, pin := range lock.Pins {
		if l.bring = whole; pin.Bring != "" && usable {
			if l.bring = pin.Bring; !f.Anywhere() {
				l.bring = runIn(home, pin.Bring)
			}
		}
		l.open(ctx, pin)
		types[typeOf(pin.PURL)] = true
	}
	l.standard(types)
	return byPURL(l.pkgs), ctx.Err()
}

// standard adds the standard libraries of ecosystems from where they lie on this machine. A lock file does not list them, but code
// is copied from them too.
func (l *lockPins) standard(types map[string]bool) {
	for _, typ := range slices.Sorted(maps.Keys(types)) {
		if p := standardLibrary(typ, l.x, l.o); p != nil {
			p.unasked = true
			l.pkgs = append(l.pkgs, p)
		} else if language := speaks[typ]; language != "" && l.o.Unfound != nil {
			l.o.Unfound(language, libraries[language])
		}
	}
}

// standardLibrary returns the standard library that belongs to an ecosystem, nil if it is not on this machine. Go's needs no index.
func standardLibrary(typ string, x *installed.Index, o Options) *Package {
	switch {
	case typ == "golang" && o.GoRoot == "":
		return nil
	case typ == "golang":
		return goRoot(o.GoRoot)
	}
	f, ok := x.Std(typ)
	if !ok {
		return nil
	}
	p := foundPackage(f)
	p.Asked = true // a licence file beside it covers all parts and past versions
	p.Standard = true
	return p
}

// versionKey returns the key of a package with its version.
func versionKey(name string) string {
	return installed.Key(name) + "@" + strings.TrimPrefix(purl.Version(name), "v")
}

func byVersion(pkgs []*Package) map[string]*Package {
	m := make(map[string]*Package, len(pkgs))
	for _, p := range pkgs {
		m[versionKey(p.PURL)] = p
	}
	return m
}

// lockPins opens the pins of one lock file.
type lockPins struct {
	x     *installed.Index
	o     Options
	local map[string]*Package // by key and version
	bring string
	pkgs  []*Package
}

func (l *lockPins) open(ctx context.Context, pin lockfile.Pin) {
	if p := l.here(pin); p != nil {
		l.pkgs = append(l.pkgs, p)
		return
	}
	if pin.Bundled {
		l.o.skip(pin.PURL, ReasonVendored, "inside the package that depends on it")
		return
	}
	if pin.Unreadable != "" && !l.o.Offline {
		l.o.wants(pin.PURL, ReasonChecksum, fmt.Sprintf("not on this machine, and what is downloaded cannot be compared with the checksum %q", pin.Unreadable), l.bring)
		return
	}
	p, err := fetchPin(ctx, pin, l.o)
	switch {
	case err != nil && forOthers(pin.Limits):
		l.o.skip(pin.PURL, ReasonMissing, files.Cause(err)+", and optional: it is for other machines")
		return
	case err != nil:
		l.o.failed(pin.PURL, files.Cause(err), err, pinBrings(pin, l.bring))
		return
	}
	l.pkgs = append(l.pkgs, p)
}

// here returns a package from this machine, or nil.
func (l *lockPins) here(pin lockfile.Pin) *Package {
	name := pin.PURL
	if p := l.local[versionKey(name)]; p != nil {
		return p
	}
	if pin.Git != "" {
		f, ok := l.x.Checkout(name, pin.Git, pin.Revision)
		if !ok {
			return nil
		}
		if l.o.Committed != nil {
			f.Released = l.o.Committed(f.Dir, pin.Revision)
		}
		return foundPackage(f)
	}
	u, err := purl.Parse(name)
	if err != nil {
		return nil
	}
	if u.Type == purl.TypeGolang {
		return cachedModule(l.o.ModCache, moduleOf(u))
	}
	if f, ok := l.x.Find(name); ok {
		return foundPackage(f)
	}
	return nil
}

// forOthers reports whether a package is optional and only for other machines, so that no command fetches it.
func forOthers(on lockfile.Limits) bool {
	return on.Excludes(nodeSystem(runtime.GOOS), nodeProcessor(runtime.GOARCH))
}

// nodeSystem returns npm's name of a system; nodeProcessor, that of a processor.
func nodeSystem(goos string) string {
	if goos == "windows" {
		return "win32"
	}
	return goos
}

func nodeProcessor(goarch string) string {
	switch goarch {
	case "amd64":
		return "x64"
	case "386":
		return "ia32"
	}
	return goarch
}

// publicNPM lists addresses in lock files for packages that every npm registry has.
var publicNPM = []string{defaultNPM, "https://registry.yarnpkg.com/"}

// pinBrings returns the command that fetches a pin. For a commit of a repository, the command names the commit.
func pinBrings(pin lockfile.Pin, bring string) string {
	if pin.Git == "" || pin.Revision == "" {
		return bring
	}
	if _, err := publicHTTPS(pin.Git); err != nil {
		return "" // the command would refuse it too
	}
	return "git-provenance baseline add " + lockfile.Quoted("git+"+pin.Git) + " --ref " + pin.Revision + " --purl " + lockfile.Quoted(pin.PURL)
}

// archiveOf reports whether a path below a registry is that of an archive of the package. A server may decode it, more than once, before
// it follows it.
func archiveOf(name, rest string) bool {
	for again := true; again; {
		plain, err := url.PathUnescape(rest)
		if err != nil {
			return false
		}
		again, rest = plain != rest, plain
	}
	return strings.HasPrefix(rest, name+"/-/") && !strings.ContainsAny(rest, "\\?#") && path.Clean(rest) == rest
}

// fetchPin opens a pin from its registry. An address in a lock file is not trusted: only its path below the configured
// registry is used.
func fetchPin(ctx context.Context, pin lockfile.Pin, o Options) (*Package, error) {
	u, err := purl.Parse(pin.PURL)
	if err != nil {
		return nil, err
	}
	if o.Offline {
		return nil, errors.New("not on this machine")
	}
	if pin.Git != "" {
		if o.Clone == nil || pin.Revision == "" {
			return nil, errors.New("not on this machine")
		}
		addr, err := publicHTTPS(pin.Git)
		if err != nil {
			return nil, err
		}
		return o.Clone(ctx, pin.PURL, addr, pin.Revision)
	}
	if u.Type == purl.TypeNPM && pin.Integrity != "" {
		for _, base := range append([]string{registryOf(purl.FullName(u), o) + "/"}, publicNPM...) {
			if rest, ok := strings.CutPrefix(pin.Address, base); ok && archiveOf(purl.FullName(u), rest) {
				return npmTarball(manifest.Meta{PURL: pin.PURL, License: pin.License}, npmDist{Tarball: registryOf(purl.FullName(u), o) + "/" + rest, Integrity: pin.Integrity}, "", o), nil
			}
		}
	}
	return fetchPURL(ctx, u, pin.Integrity, o)
}

func moduleOf(u purl.PURL) module.Version {
	return module.Version{Path: purl.FullName(u), Version: u.Version}
}

// pin adds a package that a lock file pins. It returns false if the package would have to be downloaded.
func (d *deps) pin(l *lockPins, pin lockfile.Pin, bring string) bool {
	d.named[installed.Key(pin.PURL)] = true
	u, err := purl.Parse(pin.PURL)
	if err == nil {
		d.sources[u.Type] = true
	}
	if p := l.here(pin); p != nil {
		l.pkgs = append(l.pkgs, p)
	} else if pin.Bundled {
		d.o.skip(pin.PURL, ReasonVendored, "inside the package that depends on it")
	} else if forOthers(pin.Limits) {
		d.o.skip(pin.PURL, ReasonMachine, "optional, and its package manager may leave it out here")
	} else {
		d.o.lacks(pin.PURL, "not on this machine", bring)
		return false
	}
	return true
}

// lockRange is an entry without an exact version.
type lockRange struct {
	lockfile.Left
	rel   string // path of the lock file
	bring string
}

// anyVersion adds whichever version is on this machine, for a package that no lock file pins.
func (d *deps) anyVersion(key string, r lockRange) {
	if d.named[key] || slices.ContainsFunc(d.local, func(p *Package) bool { return installed.Key(p.PURL) == key }) {
		return
	}
	if f, ok := d.index.Find(r.PURL); ok {
		d.local = append(d.local, foundPackage(f))
		return
	}
	if forOthers(r.Limits) {
		d.o.skip(r.PURL, ReasonMachine, "no version is on this machine, and its package manager may leave it out here")
		return
	}
	d.o.lacks(r.PURL, strings.TrimSuffix("no version is on this machine: "+r.Detail, ": "), r.bring)
}
