package installed

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
)

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
