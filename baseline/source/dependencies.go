package source

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/installed"
	"github.com/git-provenance/git-provenance/lang"
)

// Dependencies returns the packages that a repository depends on and that are on this machine. These are the packages that its
// go.mod files and lock files name, from the places where each ecosystem keeps them. It also returns packages inside the repository
// (vendor folders, node_modules, virtual environments), and the standard libraries of its languages. It uses no network. Missing and
// unreadable packages are skipped. It does not look into testdata folders, and it ignores lock files and packages below folders of
// tests. Packages are ordered by package URL, each once. A whole module from the module cache is preferred to its part in a vendor
// folder.
func Dependencies(ctx context.Context, root string, o Options) ([]*Package, []Skipped, error) {
	o.Offline = true
	o.PURL, o.License, o.Released = "", "", time.Time{} // these apply to one package
	o.Limits = o.Limits.WithDefaults()
	d := deps{ctx: ctx, root: root, index: installed.New(o.Places), markers: map[string]string{}, sources: map[string]bool{}, unfound: map[string]bool{}, named: map[string]bool{}, lacking: map[string]int{}, listed: map[string]map[string]bool{}}
	o.Skipped = func(s Skipped) { d.skipped = append(d.skipped, s) }
	d.o = o
	d.o.repository = root
	if err := fs.WalkDir(os.DirFS(root), ".", d.visit); err != nil {
		return nil, nil, fmt.Errorf("find dependencies: %w", err)
	}
	d.locked()
	d.standard()
	d.tell()
	pkgs := byPURL(slices.Concat(d.std, d.modules, d.vendored, d.local, d.pinned))
	for _, p := range pkgs {
		o.override(p)
	}
	return pkgs, d.skips(pkgs), nil
}

// tell reports the lock files that name packages which are not on this machine, and the standard libraries that are not.
func (d *deps) tell() {
	for _, rel := range slices.Sorted(maps.Keys(d.lacking)) {
		if name := lockfile.Quoted(d.seen(rel)); name != "" && d.o.Lacking != nil {
			d.o.Lacking(name, d.lacking[rel])
		}
	}
	for _, language := range slices.Sorted(maps.Keys(d.unfound)) {
		if d.o.Unfound != nil {
			d.o.Unfound(language, libraries[language])
		}
	}
}

type deps struct {
	ctx     context.Context
	root    string
	o       Options
	skipped []Skipped
	index   *installed.Index

	locks   []string          // paths of lock files
	markers map[string]string // per type of package URLs: the marker file nearest to the root that may name packages; "" if all name none
	sources map[string]bool   // types whose languages have source files
	unfound map[string]bool   // languages without the source of their standard library
	named   map[string]bool   // keys of packages that lock files name
	lacking map[string]int    // per lock file: number of pinned packages that are not on this machine

	builds map[string]string          // paths of pom.xml files that are modules, each with the one that names it; nil until needed
	listed map[string]map[string]bool // per directory with a lock file or a manifest: the types of the packages that it names; "" if it names some without type

	solution string // the solution nearest to the root, which names .NET projects, or a file of another tool with that extension

	std, modules, vendored, local, pinned []*Package
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
	if e.Type().IsRegular() {
		d.file(rel, e.Name())
	}
	return nil
}

// file records what a file shows about the repository's ecosystems.
func (d *deps) file(rel, name string) {
	if name == "go.mod" {
		d.gomod(rel)
		return
	}
	if typ := languages[path.Ext(name)]; typ != "" {
		d.sources[typ] = true
	}
	if ofTests(rel) {
		return
	}
	if f := lockfile.Of(rel); f != nil {
		d.locks = append(d.locks, rel)
	}
	typ := markers[name]
	if name == "Package.swift" {
		typ = d.swift(rel)
	}
	switch path.Ext(name) {
	case ".csproj", ".fsproj", ".vbproj":
		typ = "nuget"
	case ".sln", ".slnx":
		if d.solution == "" || nearer(rel, d.solution) {
			d.solution = rel
		}
	}
	if was := d.markers[typ]; typ != "" && (was == "" || nearer(rel, was)) {
		if d.needsNone(rel) {
			rel = was
		}
		d.markers[typ] = rel
	}
}

// small reads a small file of the repository.
func (d *deps) small(rel string) ([]byte, error) {
	return files.ReadSmall(filepath.Join(d.root, filepath.FromSlash(rel)))
}

// nearer reports whether path a is nearer to the root than b.
func nearer(a, b string) bool { return strings.Count(a, "/") < strings.Count(b, "/") }

// in returns a command for a file of the repository, as the user can run it. Tools expect to run in the file's directory.
func (d *deps) in(rel, command string) string { return runIn(d.seen(lockfile.Home(rel)), command) }

// seen returns a path of the repository relative to the user's directory.
func (d *deps) seen(rel string) string {
	rel = filepath.FromSlash(rel)
	if d.o.Here == "" {
		return rel
	}
	root, err1 := filepath.EvalSymlinks(d.root)
	here, err2 := filepath.EvalSymlinks(d.o.Here)
	if cmp.Or(err1, err2) != nil {
		return filepath.Join(d.root, rel)
	}
	if below, err := filepath.Rel(here, filepath.Join(root, rel)); err == nil && filepath.IsLocal(below) {
		return below
	}
	return filepath.Join(root, rel)
}

// runIn returns a command line that runs a command in a directory, in a subshell. It returns "" if the directory's name cannot be
// shown on one line.
func runIn(dir, command string) string {
	if dir == "." || command == "" {
		return command
	}
	dir = lockfile.Quoted(dir)
	if dir == "" {
		return ""
	}
	return "(cd " + dir + " && " + command + ")"
}

// ofTests reports whether a path is below a folder of tests, where lock files are test data.
func ofTests(rel string) bool {
	for part := range strings.SplitSeq(path.Dir(rel), "/") {
		switch part {
		case "test", "tests", "fixtures", "__fixtures__", "spec", "testing":
			return true
		}
	}
	return false
}

func (d *deps) dir(rel, name string) error {
	full := filepath.Join(d.root, filepath.FromSlash(rel))
	var pkgs []*Package
	var err error
	switch {
	case rel == ".":
		return nil
	case ofTests(rel) && (name == "node_modules" || name == "vendor"): // data for tests
	case name == "node_modules":
		pkgs, err = nodeModules(d.ctx, full, d.o)
		d.local = append(d.local, pkgs...)
	case lang.Published(rel):
		return nil
	case name == "vendor":
		err = d.vendor(rel, full)
	case files.SkippedDir(name) != "" || name == "testdata":
	case name == ".build" && exists(filepath.Join(filepath.Dir(full), "Package.swift")): // SwiftPM's folder; its contents are not the repository's own code
	case name == "Pods" && exists(filepath.Join(full, "Manifest.lock")): // that of CocoaPods
	case exists(filepath.Join(full, "pyvenv.cfg")):
		d.venv(full)
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

// venv adds the packages of a virtual environment in the repository.
func (d *deps) venv(dir string) {
	for _, site := range installed.SitePackages(dir) {
		d.index.AddPython(site)
		d.local = append(d.local, foundPackages(installed.Python(site))...)
	}
}

// vendor adds the packages of a vendor folder of the Go command, Composer, Cargo or Bundler.
func (d *deps) vendor(rel, full string) error {
	pkgs, err := openVendor(d.ctx, full, d.o)
	d.vendored = append(d.vendored, pkgs...)
	composer, ok := installed.Composer(full)
	crates := installed.Crates(full)
	d.local = append(d.local, foundPackages(slices.Concat(composer, crates))...)
	d.index.AddCrates(full)
	bundle := isDir(filepath.Join(full, "bundle"))
	addBundle(d.index, full)
	if pkgs == nil && err == nil && !ok && crates == nil && !bundle {
		d.o.skip(rel+"/", ReasonMetadata, "no file of the Go command, Composer, Cargo or Bundler says what is in it")
	}
	return err
}

// goStandard adds the standard library of Go, once.
func (d *deps) goStandard() {
	switch {
	case d.std != nil:
	case d.o.GoRoot == "":
		d.unfound["Go"] = true
	default:
		if p := goRoot(d.o.GoRoot); p != nil {
			d.std = []*Package{p}
			return
		}
		d.std, d.unfound["Go"] = []*Package{}, true
		d.o.skip(d.o.GoRoot, ReasonMissing, "not a Go distribution")
	}
}

// gomod adds the modules of one go.mod, and the standard library.
func (d *deps) gomod(rel string) {
	d.goStandard()
	mods, err := requirements(filepath.Join(d.root, filepath.FromSlash(rel)), d.o.skip)
	if err != nil {
		d.o.skip(rel, ReasonUnreadable, err.Error())
		return
	}
	for _, m := range mods {
		p := cachedModule(d.o.ModCache, m)
		if p == nil {
			d.o.lacks(golangName(m), "not in the module cache", d.in(rel, goDownload))
			d.lacking[rel]++
			continue
		}
		d.modules = append(d.modules, p)
	}
}

// locked adds the packages that lock files name and that are on this machine.
func (d *deps) locked() {
	slices.Sort(d.locks)
	ranges := map[string]lockRange{}
	l := lockPins{x: d.index, o: d.o, local: byVersion(d.local)}
	for _, rel := range d.locks {
		d.lockFile(rel, &l, ranges)
	}
	for key, r := range ranges {
		d.anyVersion(key, r)
	}
	d.pinned = l.pkgs
}

// lockFile adds the packages that a lock file pins. It notes in ranges the entries without a version.
func (d *deps) lockFile(rel string, l *lockPins, ranges map[string]lockRange) {
	f := lockfile.Of(rel)
	home := filepath.Join(d.root, filepath.FromSlash(lockfile.Home(rel)))
	d.index.AddCheckouts(checkoutsOf(home))
	switch path.Base(rel) {
	case "yarn.lock":
		d.index.AddYarn(yarnOf(home))
	case "Podfile.lock":
		d.index.AddPods(podsOf(home))
	}
	text, err := readLock(d.root, rel, f, d.index)
	if err != nil {
		d.o.skip(rel, ReasonUnreadable, files.Cause(err))
		return
	}
	d.lists(lockfile.Home(rel), text)
	for _, own := range text.Own {
		d.named[installed.Key(own)] = true
	}
	brings := d.brings(f, rel)
	for _, e := range text.Left {
		key := installed.Key(e.PURL)
		if e.Name == "" { // of the whole file
			d.o.skip(rel, e.Reason, e.Detail)
		} else if e.PURL == "" {
			d.o.skip(e.Name, e.Reason, strings.TrimSuffix(rel+": "+e.Detail, ": "))
		} else if was, ok := ranges[key]; !ok || forOthers(was.Limits) || !nearer(was.rel, rel) && !forOthers(e.Limits) {
			ranges[key] = lockRange{e, rel, brings(e.Bring)}
		}
	}
	for _, pin := range text.Pins {
		if !d.pin(l, pin, brings(pin.Bring)) {
			d.lacking[rel]++
		}
	}
}

// brings returns the command that fetches an entry of a lock file: the entry's own, or else the command of the file.
func (d *deps) brings(f *lockfile.Format, rel string) func(own string) string {
	whole := f.Brings(rel)
	if f.Anywhere() {
		return func(own string) string { return cmp.Or(own, whole) }
	}
	if path.Base(rel) == "pom.xml" {
		rel = d.project(rel)
	}
	if !works(f, filepath.Join(d.root, filepath.FromSlash(lockfile.Home(rel)))) {
		return func(string) string { return "" }
	}
	return func(own string) string { return d.in(rel, cmp.Or(own, whole)) }
}

// works reports whether the command that fetches what a lock file lists finds the file it needs.
func works(f *lockfile.Format, home string) bool {
	if f.Needs == "" {
		return true
	}
	st, err := os.Stat(filepath.Join(home, f.Needs))
	return err == nil && st.Mode().IsRegular()
}

// project returns the pom.xml of the whole build that a pom.xml is a module of, or the pom.xml itself. One command there brings the
// dependencies of every module.
func (d *deps) project(rel string) string {
	if d.builds == nil {
		d.builds = d.modulesOf()
	}
	for d.builds[rel] != "" {
		rel = d.builds[rel]
	}
	return rel
}

// modulesOf maps the pom.xml of each module to the pom.xml that names the module. A module counts only if it is deeper in the tree
// than the file that names it, so that there are no circles.
func (d *deps) modulesOf() map[string]string {
	builds := map[string]string{}
	for _, rel := range d.locks {
		if path.Base(rel) != "pom.xml" {
			continue
		}
		data, err := files.ReadSmallLimit(filepath.Join(d.root, filepath.FromSlash(rel)), lockfile.MaxBytes)
		if err != nil {
			continue // reading its dependencies reports the error
		}
		for _, m := range lockfile.Modules(data) {
			at := path.Join(path.Dir(rel), m)
			if path.Base(at) != "pom.xml" {
				at = path.Join(at, "pom.xml")
			}
			if nearer(rel, at) && builds[at] == "" {
				builds[at] = rel
			}
		}
	}
	return builds
}

// skips returns the skipped packages, sorted, each once, without modules that were found elsewhere.
func (d *deps) skips(pkgs []*Package) []Skipped {
	have := map[string]bool{}
	for _, p := range pkgs {
		have[p.PURL] = true
	}
	absent := func(s Skipped) bool { return s.Reason == ReasonMissing || s.Reason == ReasonMachine }
	out := slices.DeleteFunc(d.skipped, func(s Skipped) bool { return absent(s) && have[s.Path] })
	slices.SortFunc(out, func(a, b Skipped) int {
		return cmp.Or(strings.Compare(a.Path+"\x00"+a.Reason, b.Path+"\x00"+b.Reason), cmp.Compare(strings.Count(a.Bring, "/"), strings.Count(b.Bring, "/")),
			cmp.Compare(len(a.Bring), len(b.Bring)), strings.Compare(a.Detail, b.Detail))
	})
	return slices.CompactFunc(out, func(a, b Skipped) bool {
		return a == b || a.Path == b.Path && absent(a) && absent(b) // one command fetches it; one lock file may want it here, and another not
	})
}
