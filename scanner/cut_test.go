package scanner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner"
)

// TestBaselineCut: a scan against a baseline with a truncated file is an error, whichever worker reads the missing part first.
func TestBaselineCut(t *testing.T) {
	if !disk.Maps {
		t.Skip("files are read here")
	}
	for _, ext := range []string{".fps", ".docs"} {
		dir := build(t, t.TempDir(), baseline.Defaults, pack{purl: "pkg:golang/example.com/l@v1", files: stdFiles(t, stdNames...)})
		s := scan(t, scanner.Options{Workers: 4}, open(t, dir))
		found, err := filepath.Glob(filepath.Join(dir, "*"+ext))
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		if err := os.Truncate(found[0], 0); err != nil {
			t.Fatal(err)
		}
		_, err = s.Tree(context.Background(), nil, stdFiles(t, stdNames...).dir(t), nil)
		var fault *disk.FaultError
		if !errors.As(err, &fault) || fault.Path != found[0] {
			t.Errorf("%s: %v", ext, err)
		}
	}
}
