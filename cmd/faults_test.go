//go:build unix

package cmd_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// callFault is what happens at one call below a directory, or at it and all after.
type callFault struct {
	name   string
	err    error // nil: less than asked for is moved
	most   int
	sticky bool
	cause  string // in the message
}

var callFaults = []callFault{
	{"EIO", syscall.EIO, 0, false, "input/output error"},
	{"EIO from then on", syscall.EIO, 0, true, "input/output error"},
	{"ENOSPC after some bytes", syscall.ENOSPC, 100, false, "no space left on device"},
	{"ENOSPC from then on", syscall.ENOSPC, 0, true, "no space left on device"},
	{"EMFILE", syscall.EMFILE, 0, false, "too many open files"},
	{"EMFILE from then on", syscall.EMFILE, 0, true, "too many open files"},
	{"short", nil, 5, false, ""},
}

// during runs do with the fault at the n-th call below dir and tells whether there was one.
func (f callFault) during(dir string, n int, do func()) (met bool) {
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

// internals are what no message for a user holds.
var internals = regexp.MustCompile(`goroutine|runtime error|panic|0x[0-9a-f]{6}|<nil>|%!|\.go:\d|&\{|errno|\\n`)

// faultless is what a command does undisturbed.
type faultless struct {
	args []string
	code int
	out  string
}

// TestFaultsAreTold: whichever call fails below a baseline or a cache, and how, each
// command does what it does undisturbed, or ends with exit code 2, the cause and what
// to do, and the baseline is sound.
// GIT_PROVENANCE_FAULTS=all go test ./cmd -run FaultsAreTold -v tries every call.
func TestFaultsAreTold(t *testing.T) {
	dir := t.TempDir()
	base, cache := filepath.Join(dir, "base"), filepath.Join(dir, "cache")
	env := map[string]string{"HOME": dir, "XDG_CACHE_HOME": cache}
	packages := map[string]string{"one": "cut_test.go", "two": "internal_test.go", "three": "cmd_test.go"}
	must := func(args ...string) {
		t.Helper()
		if n, _, said := run(t, context.Background(), env, "", args...); n != 0 {
			t.Fatalf("%q: exit %d, %s", args, n, said)
		}
	}
	for _, name := range []string{"one", "two", "three"} {
		code, err := os.ReadFile(packages[name])
		if err == nil {
			err = os.MkdirAll(filepath.Join(dir, name), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name, "a.go"), code, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if name != "three" {
			must("baseline", "add", "--baseline", base, "--purl", "pkg:generic/"+name+"@1", filepath.Join(dir, name))
		}
	}
	whole := contents(t, base)
	tried := 0
	for name, args := range map[string][]string{
		"add":     {"baseline", "add", "--purl", "pkg:generic/three@1", filepath.Join(dir, "three")},
		"remove":  {"baseline", "remove", "pkg:generic/two@1"},
		"compact": {"baseline", "compact"},
		"verify":  {"baseline", "verify"},
		"list":    {"baseline", "list", "--format", "json"},
		"scan":    {"scan", "--fail-on", "never", "--format", "json", filepath.Join(dir, "one")},
	} {
		c := &faultless{args: append(args, "--baseline", base)}
		var said string
		c.code, c.out, said = run(t, context.Background(), env, "", c.args...)
		if c.code != 0 {
			t.Fatalf("%s: exit %d, %s", name, c.code, said)
		}
		for k, f := range callFaults {
			step := 5 + 2*k
			if os.Getenv("GIT_PROVENANCE_FAULTS") == "all" {
				step = 1
			}
			for n := 0; ; n += step {
				replace(t, base, whole)
				var code int
				var out, said string
				if !f.during(base, n, func() { code, out, said = run(t, context.Background(), env, "", c.args...) }) {
					break
				}
				tried++
				if wrong := c.wrong(f, code, out, said); wrong != "" {
					t.Errorf("%s, %s at call %d: %s: exit %d, %.200q\n%s", name, f.name, n, wrong, code, out, said)
				}
				must("baseline", "verify", "--baseline", base)
			}
		}
		replace(t, base, whole)
	}
	t.Logf("%d faults", tried)
	if tried < 100 {
		t.Errorf("only %d faults", tried)
	}
}

// wrong tells what is wrong with the outcome of a command with a fault.
func (c *faultless) wrong(f callFault, code int, out, said string) string {
	hints := strings.Count(said, "\nhint: ")
	switch {
	case internals.MatchString(said):
		return "the message holds " + internals.FindString(said)
	case strings.Contains(said, "damaged"):
		return "a sound baseline is called damaged"
	case code == c.code && out == c.out:
		return ""
	case code != 2 || !strings.HasPrefix(said, "git-provenance: ") || !strings.Contains(said, f.cause):
		return "neither as undisturbed nor exit code 2 with the cause"
	case out != "":
		return "there is output"
	case hints < 1 || hints > 2: // of what the disk has too little, and of what became of the change
		return "no remedy, or too many"
	}
	return ""
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	es, err := os.ReadDir(dir)
	for _, e := range es {
		var b []byte
		if b, err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			break
		}
		out[e.Name()] = string(b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func replace(t *testing.T, dir string, with map[string]string) {
	t.Helper()
	err := os.RemoveAll(dir)
	if err == nil {
		err = os.Mkdir(dir, 0o755)
	}
	for _, name := range slices.Sorted(maps.Keys(with)) {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), []byte(with[name]), 0o644)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}
