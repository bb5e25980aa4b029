package installed

import (
	"path/filepath"

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
