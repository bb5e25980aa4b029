//go:build unix

package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// TestShrunk: a pack or its index that is cut short while it is mapped is an error.
func TestShrunk(t *testing.T) {
	if testing.Short() {
		t.Skip("cuts every file of a repository")
	}
	for _, ext := range []string{"pack", "idx"} {
		for _, rest := range []int64{0, 1 << 12} {
			r := newRepo(t)
			for i := range 300 {
				r.write(fmt.Sprintf("f%d", i), noise(100+i))
			}
			r.commit("noise")
			r.git("repack", "-q", "-adf")
			r.git("prune-packed")
			repo := r.open()
			names, err := filepath.Glob(filepath.Join(r.dir, ".git/objects/pack/*."+ext))
			if err != nil || len(names) != 1 {
				t.Fatal(names, err)
			}
			os.Chmod(names[0], 0o644)
			if err := os.Truncate(names[0], rest); err != nil {
				t.Fatal(err)
			}
			err = readAll(t, repo)
			if _, fault := errors.AsType[*disk.FaultError](err); err == nil || rest == 0 && !fault {
				t.Errorf("%s cut to %d bytes: %v", ext, rest, err)
			}
			rd := repo.acquire()
			if _, err := repo.resolveCommit(rd, "abcd"); err == nil {
				t.Errorf("%s cut to %d bytes: an abbreviation is resolved", ext, rest)
			}
		}
	}
}
