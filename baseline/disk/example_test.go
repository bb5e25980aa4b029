package disk_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// A file appears with all of its content or not at all.
func ExampleWriteFile() {
	dir, err := os.MkdirTemp("", "disk")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := disk.WriteFile(filepath.Join(dir, "a"), ".tmp-*", []byte("whole")); err != nil {
		fmt.Println(err)
		return
	}
	b, err := disk.ReadFile(filepath.Join(dir, "a"))
	es, _ := disk.List(dir)
	fmt.Println(string(b), err, len(es))
	// Output:
	// whole <nil> 1
}
