// Package vendored recognises the packages of others that a target carries with it: in vendor, node_modules, third_party and their
// like. Paths flow in, with a way to read the few files by which packages name themselves; a row for each package flows out.
package vendored

import (
	"cmp"
	"context"
	"crypto/sha256"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Files are those of a target.
type Files struct {
	Paths []string                              // of regular files, with slashes
	Read  func(path string, limit int64) []byte // nil if there is none, or it is larger
}

const (
	maxManifest = 1 << 20
	maxRecord   = 32 << 20 // a list of files or of all packages
	maxPackages = 100_000
)

// Packages are those that a target carries.
type Packages struct {
	rows   []finding.Vendored
	roots  map[string]int // directory → row
	single map[string]int // file → row
}

// Find recognises packages. Only what names packages is read.
func Find(ctx context.Context, f Files) *Packages {
	s := &search{Files: f, Packages: Packages{roots: map[string]int{}, single: map[string]int{}},
		named: map[string][]string{}, stores: map[string]store{}, declared: map[int]string{}, known: map[[sha256.Size]byte]string{}}
	s.list()
	for _, p := range s.candidates {
		if read := records[path.Base(p)]; read != nil && ctx.Err() == nil {
			read(s, p)
		}
	}
	for _, p := range s.candidates {
		s.byName(p)
	}
	for _, p := range s.candidates {
		if ctx.Err() == nil {
			s.byManifest(p)
		}
	}
	s.rest()
	for _, p := range s.candidates {
		if i := s.Of(p); i >= 0 {
			s.rows[i].Files++
		}
	}
	s.licences(ctx)
	return &s.Packages
}

// Of is the number of the package that a file belongs to, -1 if it belongs to none.
func (p *Packages) Of(file string) int {
	if i, ok := p.single[file]; ok {
		return i
	}
	for dir := path.Dir(file); dir != path.Dir(dir); dir = path.Dir(dir) {
		if i, ok := p.roots[dir]; ok {
			return i
		}
	}
	return -1
}

// List returns the packages that have files, those only that of holds for. scanned
// tells whether the files of a directory were examined.
func (p *Packages) List(of func(i int) bool, scanned func(path string) bool) []finding.Vendored {
	var out []finding.Vendored
	for i, r := range p.rows {
		if r.Files > 0 && of(i) {
			r.Scanned = scanned(r.Path + "/x")
			out = append(out, r)
		}
	}
	return out
}

// Within tells whether a file lies where packages of others are kept.
func Within(file string) bool { return storeOf(file).dir != "" }

// search is the work on one target.
type search struct {
	Files
	Packages
	candidates []string            // sorted
	named      map[string][]string // directory → licence files right in it
	stores     map[string]store    // by the directory of a file
	declared   map[int]string      // licence that a manifest declares, by row
	known      map[[sha256.Size]byte]string
}

// store is a directory of packages.
type store struct {
	dir     string
	managed bool // by a package manager: what nothing names is a row, too
}

// guests are directories in which people keep packages by hand. A file in them is a
// package's only if a manifest or a licence says so.
var guests = []string{"third_party", "third-party", "thirdparty", "3rdparty", "_vendor", "vendored", "external", "extern"}

// storeOf is the innermost directory of packages that a file lies in.
func storeOf(file string) store {
	for dir := path.Dir(file); dir != path.Dir(dir); dir = path.Dir(dir) {
		switch name := path.Base(dir); {
		case slices.Contains(guests, name):
			return store{dir, false}
		case slices.Contains(nesting, name), lang.Vendored(dir+"/x") && !lang.Vendored(dir):
			return store{dir, true}
		}
	}
	return store{}
}

// nesting are directories of package managers that packages can have inside of
// themselves.
var nesting = []string{"vendor", "node_modules", "bower_components", "site-packages", "dist-packages"}

// list keeps the files that can belong to a package of others.
func (s *search) list() {
	for _, p := range s.Paths {
		dir := path.Dir(p)
		st, ok := s.stores[dir]
		if !ok {
			st = storeOf(p)
			s.stores[dir] = st
		}
		if st.dir == "" || path.Clean(p) != p {
			continue
		}
		s.candidates = append(s.candidates, p)
		if license.IsFile(path.Base(p)) {
			s.named[dir] = append(s.named[dir], p)
		}
	}
	slices.Sort(s.candidates)
}

// add makes a row of a package whose root is a directory. The first one that names
// a directory names it.
func (s *search) add(dir, record string, m manifest.Meta, r finding.Vendored) {
	if _, known := s.roots[dir]; known || !s.below(dir) {
		return
	}
	s.roots[dir] = s.row(dir, record, m, r)
}

// row adds a package.
func (s *search) row(at, record string, m manifest.Meta, r finding.Vendored) int {
	r.Path, r.Record, r.PURL = at, record, m.PURL
	r.Name = cmp.Or(r.Name, nameOf(m.PURL), path.Base(at))
	r.Version = cmp.Or(r.Version, versionOf(m.PURL))
	s.declared[len(s.rows)] = m.License
	s.rows = append(s.rows, r)
	return len(s.rows) - 1
}

// below tells whether a directory can be a package's: strictly inside a store.
func (s *search) below(dir string) bool {
	return len(s.rows) < maxPackages && path.Clean(dir) == dir && !strings.HasPrefix(dir, "../") && storeOf(dir).dir != ""
}

// has tells whether there is a file.
func (s *search) has(file string) bool {
	_, ok := slices.BinarySearch(s.candidates, file)
	return ok
}

// hasBelow tells whether there is a file in a directory.
func (s *search) hasBelow(dir string) bool {
	i, _ := slices.BinarySearch(s.candidates, dir+"/")
	return i < len(s.candidates) && strings.HasPrefix(s.candidates[i], dir+"/")
}

// own are directories in which package managers keep their own files.
var own = []string{"composer", "bin", "bundle", "specifications", "extensions", "build_info", "cache", "doc", "__pycache__", "Headers", "Target Support Files", "Local Podspecs"}

// rest makes rows of what nothing names in the stores of package managers: the
// uppermost directories that hold no package.
func (s *search) rest() {
	held := s.holding()
	for _, p := range s.candidates {
		st, dir := s.stores[path.Dir(p)], path.Dir(p)
		if !st.managed || s.Of(p) >= 0 {
			continue
		}
		for at := st.dir; at != dir; {
			at = next(at, dir)
			if name := path.Base(at); name[0] == '.' || slices.Contains(own, name) || strings.HasSuffix(name, "-info") {
				break
			}
			if !held[at] {
				s.add(at, "", manifest.Meta{}, finding.Vendored{})
				break
			}
		}
	}
}

// next is the directory one step below at on the way to dir.
func next(at, dir string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(dir, at+"/"), "/")
	return at + "/" + name
}

// holding are the directories with a package somewhere below them.
func (s *search) holding() map[string]bool {
	held := map[string]bool{}
	mark := func(dir string) {
		for ; dir != path.Dir(dir) && !held[dir]; dir = path.Dir(dir) {
			held[dir] = true
		}
	}
	for dir := range s.roots {
		mark(dir)
	}
	for file := range s.single {
		mark(path.Dir(file))
	}
	return held
}

// licences decides the licence of each row: what its manifest declares, else what
// the licence files right in its directory say.
func (s *search) licences(ctx context.Context) {
	for i := range s.rows {
		r := &s.rows[i]
		r.License = license.NoAssertion
		if d := s.declared[i]; d != "" {
			r.License = license.Expression(d)
		}
		for _, dir := range []string{r.Path, path.Dir(r.Record), path.Dir(r.Record) + "/licenses"} {
			if r.License == license.NoAssertion && ctx.Err() == nil && (dir == r.Path || strings.HasSuffix(path.Dir(r.Record), ".dist-info")) {
				r.License = s.licence(dir)
			}
		}
	}
}

// licence is that of the licence files right in a directory. The same texts stand in
// many packages.
func (s *search) licence(dir string) string {
	var files []license.File
	sum := sha256.New()
	for _, name := range s.named[dir] {
		if text := s.Read(name, maxManifest); text != nil {
			files = append(files, license.File{Path: path.Base(name), Data: text})
			sum.Write([]byte(path.Base(name) + "\x00"))
			sum.Write(text)
		}
	}
	key := [sha256.Size]byte(sum.Sum(nil))
	if l, ok := s.known[key]; ok {
		return l
	}
	l := license.Package(files)
	s.known[key] = l
	return l
}

// nameOf is the name of a package without namespace and version, but for npm's
// scopes and Go's paths, which are part of it.
func nameOf(p string) string {
	parsed, err := purl.Parse(p)
	if err != nil {
		return ""
	}
	return purl.FullName(parsed)
}

// versionOf is the version of a package URL, "" if it has none.
func versionOf(p string) string {
	parsed, err := purl.Parse(p)
	if err != nil {
		return ""
	}
	return parsed.Version
}
