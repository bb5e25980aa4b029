package source

import (
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// needsNone reports whether a manifest certainly names no package, so that no lock file is missing.
func (d *deps) needsNone(rel string) bool {
	if !manifest.Tells(path.Base(rel)) {
		return false
	}
	data, err := d.small(rel)
	return err == nil && manifest.NeedsNone(path.Base(rel), data)
}

// swift returns the type of packages that a SwiftPM manifest names, or "" if it names none.
func (d *deps) swift(rel string) string {
	data, err := d.small(rel)
	if err != nil || !strings.Contains(string(data), ".package(") {
		return ""
	}
	return purl.TypeSwift
}

// languages maps extensions of source files to types of packages.
var languages = map[string]string{".go": "golang", ".py": "pypi", ".rb": "gem", ".java": "maven", ".kt": "maven", ".scala": "maven", ".rs": "cargo"}

// markers maps files that show the use of packages to their types.
var markers = map[string]string{
	"setup.py": "pypi", "setup.cfg": "pypi", "pyproject.toml": "pypi", "requirements.txt": "pypi", "Pipfile": "pypi",
	"Cargo.toml": "cargo", "Gemfile": "gem", "composer.json": "composer", "package.json": "npm",
	"pom.xml": "maven", "build.gradle": "maven", "build.gradle.kts": "maven", "build.sbt": "maven", "packages.config": "nuget",
}

// locking maps a marker to the command that makes its lock file and fetches the packages. Other markers have no such command.
var locking = map[string]string{
	"setup.py": "pip install .", "setup.cfg": "pip install .", "pyproject.toml": "pip install .", "requirements.txt": "pip install -r requirements.txt",
	"Pipfile": "pipenv install", "Cargo.toml": "cargo fetch", "Gemfile": "bundle install", "composer.json": "composer install", "package.json": "npm install",
	"Package.swift": "swift package resolve", "pom.xml": "mvn dependency:sources", "build.gradle": "gradle dependencies --write-locks", "build.gradle.kts": "gradle dependencies --write-locks",
	".csproj": dotnetLock, ".fsproj": dotnetLock, ".vbproj": dotnetLock, ".sln": dotnetLock, ".slnx": dotnetLock,
}

const dotnetLock = "dotnet restore --use-lock-file"

// standard adds the standard libraries of the ecosystems that have manifests. Without any manifest, it adds those of the languages
// of source files. It reports ecosystems without any package found.
func (d *deps) standard() {
	types := map[string]bool{}
	for typ := range d.markers {
		types[typ] = true
	}
	if len(types) == 0 || len(d.locks) > 0 {
		for typ := range d.sources {
			types[typ] = true
		}
	}
	if d.std != nil && len(d.markers) == 0 && len(d.locks) == 0 {
		return // a Go repository, possibly with scripts
	}
	if types["golang"] {
		d.goStandard()
		delete(types, "golang")
	}
	for _, typ := range slices.Sorted(maps.Keys(types)) {
		if p := standardLibrary(typ, d.index, d.o); p != nil {
			d.local = append(d.local, p)
		} else if language := speaks[typ]; language != "" {
			d.unfound[language] = true
		}
		if marker := d.marker(typ); marker != "" && !d.anyOf(typ) {
			bring := cmp.Or(locking[path.Base(marker)], locking[path.Ext(marker)])
			d.o.wants(marker, ReasonNoLock, "no lock file says which packages it uses", d.in(marker, bring))
		} else if marker != "" {
			d.unlisted(typ, marker)
		}
	}
}

// speaks maps types of packages to the language that has a standard library.
var speaks = map[string]string{"golang": "Go", "pypi": "Python", "gem": "Ruby", "maven": "Java", "cargo": "Rust"}

// libraries maps languages to the command that brings the source of their standard library.
var libraries = map[string]string{"Rust": "rustup component add rust-src"}

// lists notes the types of the packages that a lock file in a directory names.
func (d *deps) lists(dir string, text lockfile.File) {
	types := d.listed[dir]
	if types == nil {
		types = map[string]bool{}
		d.listed[dir] = types
	}
	for _, pin := range text.Pins {
		types[typeOf(pin.PURL)] = true
	}
	for _, e := range text.Left {
		types[typeOf(e.PURL)] = true
	}
}

// typeOf returns the type of a package URL, "" for "".
func typeOf(p string) string {
	typ, _, _ := strings.Cut(strings.TrimPrefix(p, "pkg:"), "/")
	return typ
}

// lockedAt reports whether a lock file names packages of a type for a directory: one in it, or one above it, as workspaces have.
func (d *deps) lockedAt(typ, dir string) bool {
	if d.listed[dir][""] {
		return true
	}
	for ; !d.listed[dir][typ]; dir = path.Dir(dir) {
		if dir == "." {
			return false
		}
	}
	return true
}

// unlisted reports the manifests beside a marker whose packages are in no lock file. A lock file of examples or documentation
// below the directory does not count.
func (d *deps) unlisted(typ, marker string) {
	dir := path.Dir(marker)
	if d.lockedAt(typ, dir) {
		return
	}
	lacks := func(rel string) {
		d.o.wants(rel, ReasonNoLock, "no lock file says which packages it uses", d.in(rel, locking[path.Base(rel)]))
	}
	switch typ {
	case "npm": // the marker is a package.json that may name packages: file has asked
		if !exists(filepath.Join(d.root, filepath.FromSlash(dir), "node_modules")) {
			lacks(marker)
		}
	case "pypi":
		for _, name := range []string{"setup.py", "setup.cfg"} {
			rel := path.Join(dir, name)
			if data, err := d.small(rel); err == nil && strings.Contains(string(data), "install_requires") {
				lacks(rel)
			}
		}
	}
}

// marker returns the file that shows the use of a type's packages. For .NET that is a solution if it may name all projects, since
// one command is then enough.
func (d *deps) marker(typ string) string {
	m := d.markers[typ]
	if typ == "nuget" && m != "" && d.solution != "" && nearer(d.solution, m) {
		return d.solution
	}
	return m
}

// anyOf reports whether a package of a type was named or found.
func (d *deps) anyOf(typ string) bool {
	prefix := "pkg:" + typ + "/"
	for key := range d.named {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return slices.ContainsFunc(d.local, func(p *Package) bool { return strings.HasPrefix(p.PURL, prefix) }) ||
		slices.ContainsFunc(d.skipped, func(s Skipped) bool { return strings.HasPrefix(s.Path, prefix) })
}
