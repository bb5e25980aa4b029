package installed

import (
	"archive/zip"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// yarnChecksum ends the name of an archive in the cache of Yarn 2 and later: NAME-npm-VERSION-HASH-CHECKSUM.zip.
var yarnChecksum = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{10}-[0-9a-zA-Z]+\.zip$`) })

// maxPackageJSON bounds the package.json that is read from an archive, in bytes.
const maxPackageJSON = 1 << 20

// yarn returns a package of npm from a cache of Yarn 2 and later, which needs no node_modules.
func (x *Index) yarn(name, version string) (out []Found) {
	if version == "" {
		return nil
	}
	prefix := strings.ReplaceAll(name, "/", "-") + "-npm-" + version + "-"
	for _, dir := range slices.Concat(x.own.Yarn, x.at(purl.TypeNPM).Yarn) {
		for _, file := range x.yarnNames(dir) {
			if rest, ok := strings.CutPrefix(file, prefix); ok && yarnChecksum().MatchString(rest) {
				out = append(out, inYarn(filepath.Join(dir, file), name, version))
			}
		}
	}
	return out
}

// yarnNames returns the names in a cache, which is read once.
func (x *Index) yarnNames(dir string) []string {
	list, ok := x.caches[dir]
	if !ok {
		list = names(dir)
		x.caches[dir] = list
	}
	return list
}

// inYarn describes the package in an archive of the cache.
func inYarn(archive, name, version string) Found {
	f := Found{PURL: purl.NPM(name, version), Archive: archive, Inside: "node_modules/" + name + "/"}
	z, err := zip.OpenReader(archive)
	if err != nil {
		return f // reading the package reports it
	}
	defer z.Close()
	r, err := z.Open(f.Inside + "package.json")
	if err != nil {
		return f
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxPackageJSON))
	if m := manifest.NPM(data); err == nil && m.PURL == f.PURL {
		f.License, f.Repository = m.License, m.Repository
	}
	return f
}
