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

// yarnWrites reports whether yarnOwn has a row for a file.
func yarnWrites(p string) bool {
	dir, base := path.Split("/" + p)
	script := path.Ext(base) == ".cjs" || path.Ext(base) == ".js"
	switch {
	case slices.Contains(lang.PlugAndPlay, base):
		return true
	case strings.HasSuffix(dir, "/.yarn/releases/"):
		return script && strings.HasPrefix(base, "yarn")
	}
	return script && strings.Contains(dir, "/.yarn/plugins/") || strings.HasSuffix("/"+p, "/.yarn/sdks/integrations.yml")
}

// yarnOwn adds rows for files that Yarn writes, in the layout that Yarn documents: its program in .yarn/releases, its plugins in
// .yarn/plugins, scripts for editors in .yarn/sdks, and the files of Plug'n'Play beside package.json.
func (s *search) yarnOwn(p string) {
	if _, known := s.single[p]; known || len(s.rows) >= maxPackages {
		return
	}
	_, plugin, isPlugin := strings.Cut("/"+p, "/.yarn/plugins/")
	switch {
	case path.Base(p) == "integrations.yml":
		dir := path.Dir(p)
		s.roots[dir] = s.row(dir, p, manifest.Meta{PURL: purl.NPM("@yarnpkg/sdks", "")}.Valid(), finding.Vendored{})
	case isPlugin:
		name := strings.TrimSuffix(plugin, path.Ext(plugin))
		s.single[p] = s.row(p, p, manifest.Meta{}, finding.Vendored{Name: name})
	case path.Base(path.Dir(p)) == "releases":
		s.single[p] = s.yarnRow(p, p, releaseOf(p))
	default:
		record, version := s.yarnOf(path.Dir(p))
		s.single[p] = s.yarnRow(p, record, version)
	}
}

// yarnRow adds a row for a file of Yarn. Yarn is published as yarn up to version 1, and as @yarnpkg/cli-dist since version 2.
func (s *search) yarnRow(p, record, version string) int {
	name := "@yarnpkg/cli-dist"
	if strings.HasPrefix(version, "0.") || strings.HasPrefix(version, "1.") {
		name = "yarn"
	}
	return s.row(p, record, manifest.Meta{PURL: purl.NPM(name, version)}.Valid(), finding.Vendored{})
}

// releaseOf returns the version in the name of a release of Yarn, yarn-4.12.0.cjs, or "".
func releaseOf(p string) string {
	name := path.Base(p)
	name, version, ok := nameVersion(strings.TrimSuffix(name, path.Ext(name)))
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
			if v := releaseOf(p); v != "" && strings.HasSuffix("/"+path.Dir(p), "/.yarn/releases") {
				of := path.Dir(path.Dir(path.Dir(p)))
				s.release[of] = append(s.release[of], p)
			}
		}
	}
	if own := s.release[dir]; len(own) == 1 {
		return own[0], releaseOf(own[0])
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
