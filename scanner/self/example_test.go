package self_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-provenance/git-provenance/scanner/self"
)

func Example() {
	dir, err := os.MkdirTemp("", "self")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module github.com/acme/ring\n"), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	own := self.Of(self.OnDisk(dir), nil)
	own.Resolve(nil)
	fmt.Println(own.SameOwner("pkg:golang/github.com/acme/ring@v1.0.0"), own.SameOwner("pkg:golang/github.com/other/ring@v1.0.0"))
	// Output:
	// true false
}
