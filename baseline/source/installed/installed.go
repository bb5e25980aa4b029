// Package installed finds packages where the tools of their ecosystems put them on this machine: site-packages and
// virtual environments, Cargo's registry, a local Maven repository, gem directories, vendor of Composer, NuGet's
// folder, Pods. It also finds the source of standard libraries. It runs no tool and reads no environment: the caller lists
// the places. It reads only metadata and returns descriptions.
//
//	installed.go   Places, Index, Found
//	apple.go, cargo.go, composer.go, gem.go, jvm.go, nuget.go, python.go, yarn.go  one ecosystem or tool each
//	std.go         standard libraries
package installed

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// Places are directories that may exist.
type Places struct {
	Python []string // site-packages and dist-packages
	Cargo  []string // CARGO_HOME
	Crates []string // directories of crates with .cargo-checksum.json, as cargo vendor and Debian make them
	Maven  []string // local repositories
	Gradle []string // caches of modules: …/caches/modules-2/files-2.1
	Gems   []string // each with gems and specifications
	NuGet  []string // global packages folders
	Swift  []string // folders of checkouts, as SwiftPM makes them
	Pods   []string // folders of CocoaPods, each with Manifest.lock
	Yarn   []string // caches of Yarn 2 and later

	PythonLib string // the standard library of Python: a directory with os.py
	RubyLib   string // that of Ruby: a directory with set.rb
	Java      string // a JDK: a directory with lib/src.zip
	RustLib   string // the directory library of Rust's source
}

// Found is a package on this machine.
type Found struct {
	PURL     string
	License  string    // as declared by metadata, may be ""
	Released time.Time // zero when unknown

	Repository string // address of the repository that its manifest names

	Archive string   // a file, or
	Inside  string   // in it, the folder of the package, with a slash; "" means the top
	Dir     string   // a directory, and in it
	Files   []string // files of the package; nil means all
	Without []string // names of directories that are not part of it
}

// Index finds packages in places, which it reads when they are first needed.
type Index struct {
	locate func(typ string) Places
	known  map[string]Places  // by type of package URL
	own    Places             // places in the repository, which come before all others
	python map[string][]Found // by key without version
	crates map[string][]Found
	caches map[string][]string // names in caches of Yarn
}

// New returns an index of the places that locate returns. It calls locate once for each type of package URL that is
// looked up.
func New(locate func(typ string) Places) *Index {
	return &Index{locate: locate, known: map[string]Places{}, caches: map[string][]string{}}
}

// at returns the places of a type.
func (x *Index) at(typ string) Places {
	p, ok := x.known[typ]
	if !ok && x.locate != nil {
		p = x.locate(typ)
		x.known[typ] = p
	}
	return p
}

// AddPython adds a site-packages directory of the repository to the places.
func (x *Index) AddPython(dir string) { x.own.Python, x.python = append(x.own.Python, dir), nil }

// AddCrates adds a directory of vendored crates to the places.
func (x *Index) AddCrates(dir string) { x.own.Crates, x.crates = append(x.own.Crates, dir), nil }

// AddCheckouts adds a folder of SwiftPM's checkouts to the places.
func (x *Index) AddCheckouts(dir string) { x.own.Swift = append(x.own.Swift, dir) }

// AddPods adds a folder of CocoaPods to the places.
func (x *Index) AddPods(dir string) { x.own.Pods = append(x.own.Pods, dir) }

// AddYarn adds a cache of Yarn to the places.
func (x *Index) AddYarn(dir string) { x.own.Yarn = append(x.own.Yarn, dir) }

// AddGems adds a gem directory to the places.
func (x *Index) AddGems(dir string) { x.own.Gems = append(x.own.Gems, dir) }

// Find returns the package of a package URL. Without a version it returns the highest version found.
func (x *Index) Find(name string) (Found, bool) {
	u, err := purl.Parse(name)
	if err != nil {
		return Found{}, false
	}
	var all []Found
	full := purl.FullName(u)
	switch u.Type {
	case "pypi":
		all = x.pythons()[Key(name)]
	case "cargo":
		all = x.cargo(full, u.Version)
	case "maven":
		all = x.maven(u.Namespace, u.Name, u.Version)
	case "gem":
		all = x.gem(full, u.Version)
	case "nuget":
		all = x.nuget(full, u.Version)
	case "cocoapods":
		all = x.pods(full)
	case purl.TypeNPM:
		all = x.yarn(full, u.Version)
	}
	return choose(all, u.Version)
}

// choose returns the first package of a version. If version is "", it returns the one with the highest version.
func choose(all []Found, version string) (Found, bool) {
	if version != "" {
		i := slices.IndexFunc(all, func(f Found) bool { return sameVersion(purl.Version(f.PURL), version) })
		if i < 0 {
			return Found{}, false
		}
		return all[i], true
	}
	if len(all) == 0 {
		return Found{}, false
	}
	best := all[0]
	for _, f := range all[1:] {
		if purl.CompareVersions(f.PURL, best.PURL) > 0 {
			best = f
		}
	}
	return best, true
}

// sameVersion reports whether two versions are equal, with or without "v" and in any case.
func sameVersion(a, b string) bool {
	return strings.EqualFold(strings.TrimPrefix(a, "v"), strings.TrimPrefix(b, "v"))
}

// Key returns the form of a package URL's name that is equal for all spellings of one package. Python treats ".", "_"
// and "-" as equal; NuGet and Composer ignore case.
func Key(name string) string {
	key := purl.Key(name)
	switch {
	case strings.HasPrefix(key, "pkg:pypi/"):
		return strings.Map(func(r rune) rune {
			if r == '_' || r == '.' {
				return '-'
			}
			return r
		}, strings.ToLower(key))
	case strings.HasPrefix(key, "pkg:nuget/"), strings.HasPrefix(key, "pkg:composer/"):
		return strings.ToLower(key)
	}
	return key
}

// names returns the sorted names in a directory, or nil if it cannot be read.
func names(dir string) []string {
	es, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = e.Name()
	}
	slices.Sort(out)
	return out
}

func isDir(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.IsDir()
}

func isFile(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular()
}

// within reports whether a path, with links followed, is below a directory.
func within(dir, name string) bool {
	d, err1 := filepath.EvalSymlinks(dir)
	n, err2 := filepath.EvalSymlinks(name)
	if err := cmp.Or(err1, err2); err != nil {
		return false
	}
	rel, err := filepath.Rel(d, n)
	return err == nil && filepath.IsLocal(rel)
}

// byKey lists the packages found in directories by a key of their package URL, in the order of the directories.
func byKey(dirs []string, in func(dir string) []Found, key func(purl string) string) map[string][]Found {
	out := map[string][]Found{}
	for _, dir := range dirs {
		for _, f := range in(dir) {
			k := key(f.PURL)
			out[k] = append(out[k], f)
		}
	}
	return out
}
