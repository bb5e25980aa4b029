// Package vendored finds packages of others in a target: in vendor, node_modules, third_party and similar directories. Its input
// is paths, and a function that reads the few files that name packages. Its output is a row for each package.
//
//	vendored.go  Find: paths → rows; which directories hold packages of others
//	records.go   files in which package managers record packages; yarn.go: those of Yarn
//	version.go   versions that build files state
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

// Files gives access to the files of a target.
type Files struct {
	Paths []string                              // of regular files, with slashes
	Read  func(path string, limit int64) []byte // nil if there is none, or it is larger
}

const (
	maxManifest = 1 << 20
	maxRecord   = 32 << 20 // a list of files or of all packages
	maxPackages = 100_000
)

// Packages holds the vendored packages of a target.
type Packages struct {
	rows   []finding.Vendored
	roots  map[string]int // directory → row
	single map[string]int // file → row
}

// Find finds the vendored packages. It reads only files that name packages.
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

// Of returns the index of the package that a file belongs to, or -1.
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

// List returns the packages that have files and for which of returns true. scanned reports whether the file at a path was
// examined.
func (p *Packages) List(of func(i int) bool, scanned func(path string) bool) []finding.Vendored {
	var out []finding.Vendored
	for i, r := range p.rows {
		if r.Files > 0 && of(i) {
			at := r.Path + "/x"
			if j, single := p.single[r.Path]; single && i == j {
				at = r.Path
			}
			r.Scanned = scanned(at)
			out = append(out, r)
		}
	}
	return out
}

// Within reports whether a file is in a directory of vendored packages, or is vendored by itself.
func Within(file string) bool { return storeOf(file).dir != "" || lang.Vendored(file) }

// KeptByHand returns the directory of the package that a file belongs to, if it is in a directory that people fill by hand:
// third_party/lz4 for third_party/lz4/lib/lz4.c. It returns "" for other files.
func KeptByHand(file string) string {
	s := storeOf(file)
	if s.dir == "" || s.managed {
		return ""
	}
	name, _, below := strings.Cut(strings.TrimPrefix(file, s.dir+"/"), "/")
	if !below {
		return ""
	}
	return s.dir + "/" + name
}

// search is the work on one target.
type search struct {
	Files
	Packages
	candidates []string            // sorted
	named      map[string][]string // directory → licence files in it
	stores     map[string]store    // by the directory of a file
	declared   map[int]string      // row → licence that its manifest declares
	known      map[[sha256.Size]byte]string
	release    map[string][]string // directory → releases of Yarn in its .yarn/releases; nil until it is needed
}

// store is a directory of packages.
type store struct {
	dir     string
	managed bool // by a package manager: directories that nothing names become rows, too
}

// handFilled lists directories in which people keep packages by hand, in lower case without separators. A file in them belongs to a
// package only if a manifest or a licence shows it. So the list may have names that often are of a project's own code, such as deps.
var handFilled = []string{"thirdparty", "3rdparty", "vendored", "vendors", "external", "externals", "extern", "deps", "dependencies"}

// separators takes out what people put between words. It is made once, since each directory of a target is asked about.
var separators = strings.NewReplacer("_", "", "-", "")

// isHandFilled reports whether a directory is one of handFilled. Package managers fill "vendor"; with other letters it is filled by
// hand.
func isHandFilled(name string) bool {
	plain := separators.Replace(strings.ToLower(name))
	return slices.Contains(handFilled, plain) || plain == "vendor" && name != plain
}

// storeOf returns the innermost directory of packages that contains a file.
func storeOf(file string) store {
	for dir := path.Dir(file); dir != path.Dir(dir); dir = path.Dir(dir) {
		switch name := path.Base(dir); {
		case isHandFilled(name):
			return store{dir, false}
		case lang.Published(dir):
		case slices.Contains(nesting, name), lang.Vendored(dir+"/x") && !lang.Vendored(dir):
			return store{dir, true}
		}
	}
	return store{}
}

// nesting lists directories of package managers that packages can contain themselves.
var nesting = []string{"vendor", "node_modules", "bower_components", "site-packages", "dist-packages"}

// list keeps the files that can belong to a vendored package.
func (s *search) list() {
	for _, p := range s.Paths {
		dir := path.Dir(p)
		st, ok := s.stores[dir]
		if !ok {
			st = storeOf(p)
			s.stores[dir] = st
		}
		if st.dir == "" && !lang.Vendored(p) || path.Clean(p) != p {
			continue
		}
		s.candidates = append(s.candidates, p)
		if license.IsFile(path.Base(p)) {
			s.named[dir] = append(s.named[dir], p)
		}
	}
	slices.Sort(s.candidates)
}

// add adds a row for a package whose root is a directory, unless the directory has a row already.
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

// below reports whether a directory can be a package's root: it is inside a store.
func (s *search) below(dir string) bool {
	return len(s.rows) < maxPackages && path.Clean(dir) == dir && !strings.HasPrefix(dir, "../") && storeOf(dir).dir != ""
}

// has reports whether a file exists.
func (s *search) has(file string) bool {
	_, ok := slices.BinarySearch(s.candidates, file)
	return ok
}

// hasBelow reports whether a directory contains a file.
func (s *search) hasBelow(dir string) bool {
	i, _ := slices.BinarySearch(s.candidates, dir+"/")
	return i < len(s.candidates) && strings.HasPrefix(s.candidates[i], dir+"/")
}

// own lists directories in which package managers keep their own files.
var own = []string{"composer", "bin", "bundle", "specifications", "extensions", "build_info", "cache", "doc", "__pycache__", "Headers", "Target Support Files", "Local Podspecs"}

// shelf reports whether Rails keeps vendored scripts and styles in a directory. No package manager put them there: each file or
// directory in it was vendored by itself.
func shelf(dir string) bool {
	base, up := path.Base(dir), path.Base(path.Dir(dir))
	switch up {
	case "vendor":
		return slices.Contains([]string{"assets", "javascript", "javascripts", "stylesheets"}, base)
	case "assets":
		return path.Base(path.Dir(path.Dir(dir))) == "vendor" && slices.Contains([]string{"javascripts", "stylesheets", "images", "fonts"}, base)
	}
	return false
}

// rest adds rows for what nothing names in the stores of package managers: the topmost directories that contain no package, and
// scripts and styles on a shelf.
func (s *search) rest() {
	held := s.holding()
	for _, p := range s.candidates {
		st, dir := s.stores[path.Dir(p)], path.Dir(p)
		if !st.managed || s.Of(p) >= 0 {
			continue
		}
		for at := st.dir; at != dir; {
			at = next(at, dir)
			if shelf(at) {
				continue
			}
			if name := path.Base(at); name[0] == '.' || slices.Contains(own, name) || strings.HasSuffix(name, "-info") {
				break
			}
			if !held[at] {
				s.add(at, "", manifest.Meta{}, s.released(at))
				break
			}
		}
		if shelf(dir) {
			s.onShelf(p)
		}
	}
}

// next returns the directory one step below at on the way to dir.
func next(at, dir string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(dir, at+"/"), "/")
	return at + "/" + name
}

// holding returns the directories that contain a package.
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

// licences sets the licence of each row: the one that its manifest declares, or else that of the licence files in its directory.
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

// licence returns the licence of the licence files in a directory. Results are cached, since many packages have the same texts.
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

// nameOf returns the name of a package without type and version. npm's scopes and Go's paths are part of it.
func nameOf(p string) string {
	parsed, err := purl.Parse(p)
	if err != nil {
		return ""
	}
	return purl.FullName(parsed)
}

// versionOf returns the version of a package URL, or "".
func versionOf(p string) string {
	parsed, err := purl.Parse(p)
	if err != nil {
		return ""
	}
	return parsed.Version
}
