package installed

import (
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// maven returns a source jar from a local Maven repository or Gradle's cache. Jars of compiled classes are not source.
func (x *Index) maven(group, artifact, version string) []Found {
	if version == "" || group == "" {
		return nil
	}
	var out []Found
	of := coordinates{group, artifact, version}
	name := artifact + "-" + version
	for _, repo := range x.at("maven").Maven {
		dir := filepath.Join(repo, filepath.FromSlash(strings.ReplaceAll(group, ".", "/")), artifact, version)
		out = of.appendJar(out, filepath.Join(dir, name+"-sources.jar"), filepath.Join(dir, name+".pom"))
	}
	for _, cache := range x.at("maven").Gradle {
		dir := filepath.Join(cache, group, artifact, version)
		jar, pom := "", ""
		for _, hash := range names(dir) {
			if p := filepath.Join(dir, hash, name+"-sources.jar"); isFile(p) {
				jar = p
			}
			if p := filepath.Join(dir, hash, name+".pom"); isFile(p) {
				pom = p
			}
		}
		out = of.appendJar(out, jar, pom)
	}
	return out
}

// coordinates name a version of an artifact, as Maven calls them.
type coordinates struct{ group, artifact, version string }

// appendJar appends the package in a source jar, with the licence of its pom, if there is such a jar.
func (c coordinates) appendJar(out []Found, jar, pom string) []Found {
	if jar == "" || !isFile(jar) {
		return out
	}
	f := Found{PURL: purl.Make("maven", c.group+"/"+c.artifact, c.version), Archive: jar}
	if data, err := files.ReadSmall(pom); err == nil {
		f.License = manifest.POM(data).License
	}
	return append(out, f)
}

// POM returns the pom of a version from the places, or nil.
func (x *Index) POM(group, artifact, version string) []byte {
	name := artifact + "-" + version + ".pom"
	for _, repo := range x.at("maven").Maven {
		data, err := files.ReadSmall(filepath.Join(repo, filepath.FromSlash(strings.ReplaceAll(group, ".", "/")), artifact, version, name))
		if err == nil {
			return data
		}
	}
	for _, cache := range x.at("maven").Gradle {
		dir := filepath.Join(cache, group, artifact, version)
		for _, hash := range names(dir) {
			if data, err := files.ReadSmall(filepath.Join(dir, hash, name)); err == nil {
				return data
			}
		}
	}
	return nil
}
