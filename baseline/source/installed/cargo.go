package installed

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// cargo returns a crate from vendored crates, or from Cargo's registry, unpacked or packed.
func (x *Index) cargo(name, version string) []Found {
	out := x.vendoredCrates()[purl.Make("cargo", name, "")]
	for _, home := range x.at("cargo").Cargo {
		for _, index := range names(filepath.Join(home, "registry", "src")) {
			out = appendCrates(out, filepath.Join(home, "registry", "src", index), name, version)
		}
		for _, index := range names(filepath.Join(home, "registry", "cache")) {
			file := filepath.Join(home, "registry", "cache", index, name+"-"+version+".crate")
			if version != "" && isFile(file) {
				out = append(out, Found{PURL: purl.Make("cargo", name, version), Archive: file})
			}
		}
	}
	return out
}

// appendCrates adds the crates of a name in a directory of unpacked crates.
func appendCrates(out []Found, dir, name, version string) []Found {
	if version != "" {
		return appendCrate(out, filepath.Join(dir, name+"-"+version))
	}
	for _, n := range names(dir) {
		rest, ok := strings.CutPrefix(n, name+"-")
		if ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			out = appendCrate(out, filepath.Join(dir, n))
		}
	}
	return out
}

func appendCrate(out []Found, dir string) []Found {
	data, err := files.ReadSmall(filepath.Join(dir, "Cargo.toml"))
	m := manifest.Cargo(data).Valid()
	if err != nil || m.PURL == "" {
		return out
	}
	return append(out, Found{PURL: m.PURL, License: m.License, Repository: m.Repository, Dir: dir})
}

// Crates returns the crates in a directory made by cargo vendor or Debian.
func Crates(dir string) []Found {
	var out []Found
	for _, n := range names(dir) {
		if crate := filepath.Join(dir, n); isFile(filepath.Join(crate, ".cargo-checksum.json")) {
			out = appendCrate(out, crate)
		}
	}
	return out
}

func (x *Index) vendoredCrates() map[string][]Found {
	if x.crates == nil {
		x.crates = byKey(slices.Concat(x.own.Crates, x.at("cargo").Crates), Crates, purl.Name)
	}
	return x.crates
}
