package installed

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// composerPackage is an entry of installed.json.
type composerPackage struct {
	Name, Version string
	License       []string
	Time          string
	InstallPath   string `json:"install-path"`
	Dist          struct{ Type string }
}

// Composer returns the packages of a vendor directory that Composer made: ok tells
// whether it is one. Packages that link to directories of the project are left out.
func Composer(vendor string) (out []Found, ok bool) {
	data, err := files.ReadSmallLimit(filepath.Join(vendor, "composer", "installed.json"), maxRecord)
	if err != nil {
		return nil, false
	}
	var lists struct{ Packages []composerPackage }
	if json.Unmarshal(data, &lists) != nil && json.Unmarshal(data, &lists.Packages) != nil { // of Composer 1: a list
		return nil, false
	}
	for _, p := range lists.Packages {
		dir := filepath.Join(vendor, "composer", filepath.FromSlash(p.InstallPath))
		if p.InstallPath == "" {
			dir = filepath.Join(vendor, filepath.FromSlash(p.Name))
		}
		m := manifest.Meta{PURL: purl.Make("composer", p.Name, p.Version), License: strings.Join(p.License, " OR ")}.Valid()
		if m.PURL == "" || p.Dist.Type == "path" || !isDir(dir) || !within(vendor, dir) {
			continue
		}
		released, _ := time.Parse(time.RFC3339, p.Time)
		out = append(out, Found{PURL: m.PURL, License: m.License, Released: released.UTC(), Dir: dir})
	}
	return out, true
}

// nuget returns a package of NuGet's folder: NAME/VERSION in small letters.
func (x *Index) nuget(name, version string) []Found {
	var out []Found
	for _, place := range x.at("nuget").NuGet {
		lower := strings.ToLower(name)
		for _, v := range names(filepath.Join(place, lower)) {
			dir := filepath.Join(place, lower, v)
			if version != "" && !sameVersion(v, version) || !isDir(dir) {
				continue
			}
			f := Found{PURL: purl.Make("nuget", name, v), Dir: dir}
			if data, err := files.ReadSmall(filepath.Join(dir, lower+".nuspec")); err == nil {
				f.License = manifest.Nuspec(data).License
			}
			out = append(out, f)
		}
	}
	return out
}
