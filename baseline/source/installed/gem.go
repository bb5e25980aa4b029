package installed

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// gem returns the gems of a name in the gem directories, for any platform.
func (x *Index) gem(name, version string) []Found {
	var out []Found
	for _, dir := range slices.Concat(x.own.Gems, x.at("gem").Gems) {
		for _, n := range gemNames(dir, name, version) {
			full := filepath.Join(dir, "gems", n)
			rest := n[len(name)+1:]
			release, _, _ := strings.Cut(rest, "-")
			if !isDir(full) {
				continue
			}
			f := Found{PURL: purl.Make("gem", name, release), Dir: full}
			if data, err := files.ReadSmall(filepath.Join(dir, "specifications", n+".gemspec")); err == nil {
				m := manifest.Gemspec(data)
				f.License, f.Released = m.License, m.Released
			}
			if !isFile(filepath.Join(dir, "cache", n+".gem")) {
				f.Released = time.Time{} // the specification is not from the gem's own archive: distributions write their build date
			}
			out = append(out, f)
		}
	}
	return out
}

// gemNames returns the directories NAME-VERSION and NAME-VERSION-PLATFORM.
func gemNames(dir, name, version string) []string {
	var out []string
	for _, n := range names(filepath.Join(dir, "gems")) {
		rest, ok := strings.CutPrefix(n, name+"-")
		switch {
		case !ok || rest == "" || rest[0] < '0' || rest[0] > '9':
		case version == "" || rest == version || strings.HasPrefix(rest, version+"-"):
			out = append(out, n)
		}
	}
	return out
}
