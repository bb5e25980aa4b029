package installed

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// Composer returns the packages of a vendor directory made by Composer; ok reports whether it is one. Packages that link to
// directories of the project are left out.
func Composer(vendor string) (out []Found, ok bool) {
	data, err := files.ReadSmallLimit(filepath.Join(vendor, "composer", "installed.json"), maxRecord)
	if err != nil {
		return nil, false
	}
	list, ok := manifest.Composer(data)
	for _, p := range list {
		dir := filepath.Join(vendor, "composer", filepath.FromSlash(p.Dir))
		if !p.Link && isDir(dir) && within(vendor, dir) {
			out = append(out, Found{PURL: p.PURL, License: p.License, Released: p.Released, Dir: dir})
		}
	}
	return out, ok
}

// Checkout returns the package for a commit of a git repository, from SwiftPM's checkouts. The checkout has the repository's
// name and must be at that commit; otherwise it is another version.
func (x *Index) Checkout(name, repository, commit string) (Found, bool) {
	for _, place := range slices.Concat(x.own.Swift, x.at(purl.TypeSwift).Swift) {
		dir := filepath.Join(place, path.Base(repository))
		head, err := files.ReadSmall(filepath.Join(dir, ".git", "HEAD"))
		if err == nil && commit != "" && string(bytes.TrimSpace(head)) == commit && within(place, dir) {
			return Found{PURL: name, Repository: repository, Dir: dir}, true
		}
	}
	return Found{}, false
}

// pods returns a package from the folders of CocoaPods, at the version that was installed there last.
func (x *Index) pods(name string) []Found {
	var out []Found
	for _, place := range slices.Concat(x.own.Pods, x.at("cocoapods").Pods) {
		data, err := files.ReadSmallLimit(filepath.Join(place, "Manifest.lock"), maxRecord)
		if err != nil {
			continue
		}
		dir := filepath.Join(place, name)
		for pod, version := range lockfile.Pods(data) {
			if pod == name && isDir(dir) && within(place, dir) {
				out = append(out, Found{PURL: purl.Make("cocoapods", name, version), Dir: dir})
				break
			}
		}
	}
	return out
}

// nuget returns a package from NuGet's folder: NAME/VERSION in small letters.
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
