//go:build unix

package source

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/installed"
)

// Opening a pipe without a writer would wait for ever.
func TestDirectoryUnusual(t *testing.T) {
	dir := tree(t, map[string]string{"a": "1"})
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	must(t, syscall.Mkfifo(filepath.Join(dir, "package.json"), 0o600)) // opening it would block
	r := walk(t, openOne(t, dir, Options{PURL: "pkg:generic/x"}), Limits{})
	same(t, "skipped", r.skipped, map[string]string{"pipe": files.ReasonSpecial, "package.json": files.ReasonSpecial})
	if _, err := Open(t.Context(), dir, Options{}); !errors.Is(err, files.ErrNotRegular) {
		t.Errorf("got %v", err)
	}
	var unknown *UnknownSourceError
	if _, err := Open(t.Context(), filepath.Join(dir, "pipe"), Options{}); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	}
}

// A part of a source package that is a pipe, or a link to a device, would never end.
func TestControlUnusual(t *testing.T) {
	name := dsc(t)
	part := filepath.Join(filepath.Dir(name), "pad_1.0-2.debian.tar.gz")
	must(t, syscall.Mkfifo(filepath.Join(filepath.Dir(name), "pipe"), 0o600))
	p := openOne(t, name, Options{})
	for what, put := range map[string]func() error{
		"a pipe":           func() error { return syscall.Mkfifo(part, 0o600) },
		"a link to a pipe": func() error { return os.Symlink("pipe", part) },
		"a device":         func() error { return os.Symlink("/dev/zero", part) },
		"a directory":      func() error { return os.Mkdir(part, 0o700) },
	} {
		must(t, os.Remove(part))
		must(t, put())
		if r, err := tryWalk(p, Limits{}); !Broken(err) || !errors.Is(err, files.ErrNotRegular) || len(r.files) != 0 {
			t.Errorf("%s: %v, %q", what, err, r.order)
		}
	}
}

// A virtual environment is part of a repository: none of its files may make a scan wait.
func TestInstalledUnusual(t *testing.T) {
	dir := tree(t, map[string]string{"pad-1.dist-info/METADATA": "Name: pad\nVersion: 1\n", "pad.py": "x = 1"})
	must(t, syscall.Mkfifo(filepath.Join(dir, "pad-1.dist-info", "RECORD"), 0o600))
	x := installed.New(nil)
	x.AddPython(dir)
	if f, ok := x.Find("pkg:pypi/pad@1"); !ok || !slices.Contains(f.Files, "pad.py") {
		t.Errorf("got %v", f)
	}
}
