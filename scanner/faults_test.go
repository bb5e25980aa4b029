//go:build unix

package scanner_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// allFaults makes the test try a fault at every call instead of at some: SCANNER_FAULTS=all go test ./scanner -run Fault -v
var allFaults = os.Getenv("SCANNER_FAULTS") == "all"

// cacheFault is a fault at one call below the cache, or at that call and all later ones.
type cacheFault struct {
	name   string
	err    error // nil: fewer bytes than requested are moved
	most   int
	sticky bool
}

var cacheFaults = []cacheFault{
	{"EIO", syscall.EIO, 0, false},
	{"EIO from then on", syscall.EIO, 0, true},
	{"ENOSPC after some bytes", syscall.ENOSPC, 100, false},
	{"EMFILE from then on", syscall.EMFILE, 0, true},
	{"short", nil, 5, false},
}

// during runs do with the fault at the n-th call below dir. It reports whether do made that call.
func (f cacheFault) during(dir string, n int, do func()) (met bool) {
	var mu sync.Mutex
	i := -1
	restore := disk.Intercept(func(c disk.Call) (int, error) {
		if !strings.HasPrefix(c.Path, dir) {
			return c.Size, nil
		}
		mu.Lock()
		defer mu.Unlock()
		if i++; i == n || f.sticky && i > n {
			met = true
			return min(c.Size, f.most), f.err
		}
		return c.Size, nil
	})
	defer restore()
	do()
	return met
}

// seeded returns a cache with a part of a history, in enough files to be merged.
func seeded(t *testing.T, r *repository) files {
	t.Helper()
	dir := t.TempDir()
	r.remembered(dir, git.Selection{Range: "HEAD~4..HEAD"})
	fs := files{}
	for _, name := range below(t, dir, "*") {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, name)
		fs[rel] = string(b)
		for _, more := range strings.Fields("1 2 3 4 5 6 7 8") {
			if sum, ok := strings.CutSuffix(rel, ".rec"); ok {
				fs[sum+more+".rec"] = string(b)
			}
		}
	}
	if len(fs) < 9 {
		t.Fatalf("a cache of %d files", len(fs))
	}
	return fs
}

// TestFaultsInMemory: if any call of a history's cache fails, the report is that of a run without a cache, and so is the next
// report.
func TestFaultsInMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("puts a fault at every call")
	}
	r, _ := known(t)
	want := r.remembered("", git.Selection{})
	for what, seed := range map[string]files{"cold": {}, "warm": seeded(t, r)} {
		tried := 0
		for k, f := range cacheFaults {
			step := 1
			if !allFaults && what == "warm" {
				step = 5 + 2*k
			}
			for n := 0; ; n += step {
				cache := seed.dir(t)
				got := ""
				if !f.during(cache, n, func() { got = r.remembered(cache, git.Selection{}) }) {
					break
				}
				tried++
				if got != want {
					t.Errorf("%s, %s at call %d: got\n%s\nwant\n%s", what, f.name, n, got, want)
				}
				if got := r.remembered(cache, git.Selection{}); got != want {
					t.Errorf("%s, after %s at call %d: got\n%s\nwant\n%s", what, f.name, n, got, want)
				}
				for _, name := range below(t, cache, "report-*") {
					os.Remove(name)
				}
				if got := r.remembered(cache, git.Selection{}); got != want {
					t.Errorf("%s, after %s at call %d, by records: got\n%s\nwant\n%s", what, f.name, n, got, want)
				}
			}
		}
		t.Logf("%s: %d faults, the same report", what, tried)
		if tried < 10 {
			t.Errorf("%s: only %d calls", what, tried)
		}
	}
}
