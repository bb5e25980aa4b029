package places

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/source/installed"
)

// tool writes a program that prints something.
func tool(t *testing.T, dir, name, prints string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\ncat <<'END'\n"+prints+"\nEND\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// The output of tools and the values of variables become places. Relative paths do not, since the working directory may
// be a stranger's.
func TestOf(t *testing.T) {
	bin, venv := t.TempDir(), t.TempDir()
	site := filepath.Join(venv, "lib", "python3.11", "site-packages")
	if err := os.MkdirAll(site, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(venv, "pyvenv.cfg"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	tool(t, bin, "python3", `["/std", ["/a", "relative"]]`)
	tool(t, bin, "ruby", `["/rb", ["/gems"]]`)
	tool(t, bin, "rustc", "/rust")
	vars := map[string]string{"VIRTUAL_ENV": venv, "GEM_HOME": "gems", "CARGO_HOME": "/cargo", "JAVA_HOME": "/jdk", "GRADLE_USER_HOME": "/g", "NUGET_PACKAGES": "/n", "XDG_DATA_HOME": "/data"}
	e := Env{Getenv: func(k string) string { return vars[k] }, Home: "/", Look: func(name string) string {
		if p := filepath.Join(bin, name); name != "javac" {
			return p
		}
		return ""
	}}
	for typ, want := range map[string]installed.Places{
		"pypi":  {PythonLib: "/std", Python: []string{site, "/a"}},
		"gem":   {RubyLib: "/rb", Gems: []string{"/gems"}},
		"cargo": {Cargo: []string{"/cargo", "/.cargo"}, Crates: []string{"/usr/share/cargo/registry"}, RustLib: "/rust/lib/rustlib/src/rust/library"},
		"maven": {Java: "/jdk", Maven: []string{"/.m2/repository"}, Gradle: []string{"/g/caches/modules-2/files-2.1", "/.gradle/caches/modules-2/files-2.1"}},
		"nuget": {NuGet: []string{"/n", "/.nuget/packages"}},
		"npm":   {Yarn: []string{"/data/yarn/berry/cache", "/.yarn/berry/cache"}},
	} {
		if got := e.Of(t.Context(), typ); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", typ, got, want)
		}
	}
	tool(t, bin, "python3", "not JSON")
	if got := e.Of(t.Context(), "pypi"); got.PythonLib != "" || strings.Join(got.Python, "") != site {
		t.Errorf("got %+v", got)
	}
}
