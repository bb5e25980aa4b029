//go:build unix

package source

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// Opening a pipe without a writer would wait for ever.
func TestDirectoryUnusual(t *testing.T) {
	dir := tree(t, map[string]string{"a": "1"})
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	must(t, syscall.Mkfifo(filepath.Join(dir, "package.json"), 0o600)) // opening it would block
	r := walk(t, openOne(t, dir, Options{PURL: "pkg:generic/x"}), Limits{})
	same(t, "skipped", r.skipped, map[string]string{"pipe": files.ReasonNotRegular, "package.json": files.ReasonNotRegular})
	if _, err := Open(t.Context(), dir, Options{}); !errors.Is(err, files.ErrNotRegular) {
		t.Errorf("got %v", err)
	}
	var unknown *UnknownSourceError
	if _, err := Open(t.Context(), filepath.Join(dir, "pipe"), Options{}); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	}
}
