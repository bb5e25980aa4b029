package vendored

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// yarnFile is a kind of file that Yarn writes, in the layout that Yarn documents.
type yarnFile int

const (
	noYarnFile  yarnFile = iota
	yarnRelease          // its program, in .yarn/releases
	yarnPlugin           // in .yarn/plugins
	yarnSDKs             // the list of scripts for editors, in .yarn/sdks
	yarnPnP              // of Plug'n'Play, beside package.json
	yarnCached           // a package, in .yarn/cache
)

// yarnFileOf returns the kind of a file, and its name without directory and extension; a plugin's name has the directories below
// .yarn/plugins.
func yarnFileOf(p string) (kind yarnFile, name string) {
	dir, base := path.Split("/" + p)
	ext := path.Ext(base)
	script, name := ext == ".cjs" || ext == ".js", strings.TrimSuffix(base, ext)
	_, plugin, inPlugins := strings.Cut("/"+p, "/.yarn/plugins/")
	switch {
	case slices.Contains(lang.PlugAndPlay, base):
		return yarnPnP, name
	case script && strings.HasSuffix(dir, "/.yarn/releases/") && strings.HasPrefix(base, "yarn"):
		return yarnRelease, name
	case script && inPlugins:
		return yarnPlugin, strings.TrimSuffix(plugin, ext)
	case base == "integrations.yml" && strings.HasSuffix(dir, "/.yarn/sdks/"):
		return yarnSDKs, name
	case ext == ".zip" && strings.HasSuffix(dir, "/.yarn/cache/"):
		return yarnCached, name
	}
	return noYarnFile, ""
}

// byYarn adds a row for a file that Yarn writes.
func (s *search) byYarn(p string) {
	kind, name := yarnFileOf(p)
	if _, known := s.single[p]; known || kind == noYarnFile || len(s.rows) >= maxPackages {
		return
	}
	switch kind {
	case yarnSDKs:
		dir := path.Dir(p)
		s.roots[dir] = s.row(dir, p, manifest.Meta{PURL: purl.NPM("@yarnpkg/sdks", "")}.Valid(), finding.Vendored{})
	case yarnPlugin:
		s.single[p] = s.row(p, p, manifest.Meta{}, finding.Vendored{Name: name})
	case yarnRelease:
		s.single[p] = s.yarnRow(p, p, releaseOf(name))
	case yarnPnP:
		record, version := s.yarnOf(path.Dir(p))
		s.single[p] = s.yarnRow(p, record, version)
	case yarnCached:
		s.cached(p, name)
	}
}

// cached adds a row for a package in the cache of Yarn: NAME-npm-VERSION and two hashes.
func (s *search) cached(p, file string) {
	name, rest, ok := strings.Cut(file, "-npm-")
	i := strings.LastIndex(rest, "-")
	j := strings.LastIndex(rest[:max(i, 0)], "-")
	if j <= 0 || !ok {
		return
	}
	m := manifest.Meta{PURL: purl.NPM(name, rest[:j])}.Valid()
	if strings.HasPrefix(name, "@") { // the end of its scope is unknown
		m.PURL = ""
	}
	s.single[p] = s.row(p, p, m, finding.Vendored{Name: name, Version: rest[:j]})
}

// yarnRow adds a row for a file of Yarn. Yarn is published as yarn up to version 1, and as @yarnpkg/cli-dist since version 2.
func (s *search) yarnRow(p, record, version string) int {
	name := "@yarnpkg/cli-dist"
	if strings.HasPrefix(version, "0.") || strings.HasPrefix(version, "1.") {
		name = "yarn"
	}
	return s.row(p, record, manifest.Meta{PURL: purl.NPM(name, version)}.Valid(), finding.Vendored{})
}

// releaseOf returns the version in the name of a release of Yarn, yarn-4.12.0, or "".
func releaseOf(name string) string {
	name, version, ok := nameVersion(name)
	if !ok || name != "yarn" {
		return ""
	}
	return version
}

// yarnOf returns the version of Yarn that a project has, and the file that names it: its only release in .yarn/releases, or else the
// packageManager of its package.json.
func (s *search) yarnOf(dir string) (record, version string) {
	if s.release == nil {
		s.release = map[string][]string{}
		for _, p := range s.candidates {
			if kind, name := yarnFileOf(p); kind == yarnRelease && releaseOf(name) != "" {
				of := path.Dir(path.Dir(path.Dir(p)))
				s.release[of] = append(s.release[of], p)
			}
		}
	}
	if own := s.release[dir]; len(own) == 1 {
		_, name := yarnFileOf(own[0])
		return own[0], releaseOf(name)
	}
	file := path.Join(dir, "package.json")
	var m struct{ PackageManager string }
	if json.Unmarshal(s.Read(file, maxManifest), &m) == nil {
		if name, v, ok := strings.Cut(m.PackageManager, "@"); ok && name == "yarn" && v != "" && '0' <= v[0] && v[0] <= '9' {
			v, _, _ = strings.Cut(v, "+")
			return file, v
		}
	}
	return "", ""
}
