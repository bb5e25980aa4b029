package installed

import (
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

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
