package installed

import (
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// Std returns the standard library of an ecosystem, by the type of its package URLs, if the places have its source.
func (x *Index) Std(typ string) (Found, bool) {
	p := x.at(typ)
	switch typ {
	case "pypi":
		return pythonStd(p.PythonLib)
	case "gem":
		return rubyStd(p.RubyLib)
	case "maven":
		return javaStd(p.Java)
	case "cargo":
		return rustStd(p.RustLib)
	}
	return Found{}, false
}

// pythonStd returns Python's standard library, with the version from its directory's name: lib/python3.11. It leaves
// out the tests, which are as large as the rest and are not copied.
func pythonStd(dir string) (Found, bool) {
	version, ok := strings.CutPrefix(filepath.Base(dir), "python")
	if !ok || version == "" || !isFile(filepath.Join(dir, "os.py")) {
		return Found{}, false
	}
	if data, err := files.ReadSmall(filepath.Join(dir, "..", "..", "include", filepath.Base(dir), "patchlevel.h")); err == nil {
		version = definedVersion(string(data), version)
	}
	return Found{PURL: purl.Make("generic", "cpython", version), License: "PSF-2.0", Dir: dir,
		Without: []string{"site-packages", "dist-packages", "test", "tests", "__pycache__", "idlelib"}}, true
}

// definedVersion reads #define PY_VERSION "3.11.7".
func definedVersion(text, version string) string {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) >= 3 && f[0] == "#define" && f[1] == "PY_VERSION" {
			return strings.Trim(f[2], `"+`)
		}
	}
	return version
}

func rubyStd(dir string) (Found, bool) {
	if dir == "" || !isFile(filepath.Join(dir, "set.rb")) {
		return Found{}, false
	}
	return Found{PURL: purl.Make("generic", "ruby", filepath.Base(dir)), License: "BSD-2-Clause OR Ruby", Dir: dir}, true
}

// javaStd returns the source in a JDK. The file release has its version.
func javaStd(dir string) (Found, bool) {
	if dir == "" || !isFile(filepath.Join(dir, "lib", "src.zip")) {
		return Found{}, false
	}
	version := ""
	if data, err := files.ReadSmall(filepath.Join(dir, "release")); err == nil {
		for line := range strings.Lines(string(data)) {
			if v, ok := strings.CutPrefix(strings.TrimSpace(line), "JAVA_VERSION="); ok {
				version = strings.Trim(v, `"`)
			}
		}
	}
	return Found{PURL: purl.Make("generic", "openjdk", version), License: "GPL-2.0-only WITH Classpath-exception-2.0", Archive: filepath.Join(dir, "lib", "src.zip")}, true
}

func rustStd(dir string) (Found, bool) {
	if dir == "" || !isFile(filepath.Join(dir, "std", "src", "lib.rs")) {
		return Found{}, false
	}
	version := rustVersion(dir)
	return Found{PURL: purl.Make("generic", "rust", version), License: "MIT OR Apache-2.0", Dir: dir,
		Without: []string{"tests", "benches"}}, true
}

// rustVersion returns the version from the file version in Rust's own archive, or else from rustup's list.
func rustVersion(dir string) string {
	if data, err := files.ReadSmall(filepath.Join(dir, "..", "src", "version")); err == nil {
		version, _, _ := strings.Cut(strings.TrimSpace(string(data)), " ")
		return version
	}
	data, err := files.ReadSmall(filepath.Join(dir, "..", "..", "..", "multirust-channel-manifest.toml"))
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(data), "\n[pkg.rust]\nversion = \"")
	version, _, _ := strings.Cut(rest[:min(len(rest), 64)], " ")
	return version
}
