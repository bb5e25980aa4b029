package files_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// Every entry of a directory is either a file or skipped with a reason.
func ExampleWalkDir() {
	dir, err := os.MkdirTemp("", "files")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"b.go", "a.go", "vendor/c.go"} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			fmt.Println(err)
			return
		}
		if err := os.WriteFile(full, []byte("package p\n"), 0o644); err != nil {
			fmt.Println(err)
			return
		}
	}
	err = files.WalkDir(context.Background(), dir, nil, &files.Visit{
		Limits:  files.DefaultLimits(),
		File:    func(path string, data []byte) error { fmt.Println(path, len(data)); return nil },
		Skipped: func(path, reason, _ string) { fmt.Println(path, reason) },
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// a.go 10
	// b.go 10
	// vendor/ vendored
}
