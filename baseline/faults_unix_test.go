//go:build unix

package baseline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/source"
)

// allFaults makes the tests here try a fault at every call instead of at some: BASELINE_FAULTS=all go test ./baseline
// -run Fault -v
var allFaults = os.Getenv("BASELINE_FAULTS") == "all"

// changes returns the changes that a writer can make to a baseline of two packages.
func changes(t *testing.T) (dir string, all map[string]func(w *Writer) error) {
	ctx := context.Background()
	small := func(name string) *source.Package {
		return pkg(t, "pkg:golang/example.com/"+name+"@v1", with(std(t, "container/"+name), "LICENSE", mit))
	}
	ps := []*source.Package{small("list"), small("heap"), small("ring")}
	dir = build(t, ps[:1], ps[1:2])
	return dir, map[string]func(w *Writer) error{
		"add": func(w *Writer) error { _, err := w.Add(ctx, ps[2:], AddOptions{Workers: 2}); return err },
		"add in parts": func(w *Writer) error {
			w.flushBytes = 1000
			_, err := w.Add(ctx, ps[2:], AddOptions{Workers: 2})
			return err
		},
		"remove":  func(w *Writer) error { return w.Remove(ctx, []string{ps[0].PURL}) }, // it also compacts, since half is dead then
		"compact": func(w *Writer) error { return w.Compact(ctx) },
	}
}

func copied(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "baseline")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run opens a writer and runs change.
func run(dir string, change func(w *Writer) error) error {
	w, err := OpenWriter(context.Background(), dir, Defaults)
	if err != nil {
		return err
	}
	return errors.Join(change(w), w.Close())
}

// sound opens and verifies a baseline and returns its digest.
func sound(dir string) (string, error) {
	b, err := Open(context.Background(), dir)
	if err != nil {
		return "", err
	}
	defer b.Close()
	return b.Digest(), b.Verify(context.Background())
}

// fault makes one call fail, or it and all later ones.
type fault struct {
	name   string
	err    error
	most   int // bytes that are moved in spite of the fault
	sticky bool
	fits   func(op string) bool
}

func among(ops ...string) func(string) bool {
	return func(op string) bool { return slices.Contains(ops, op) }
}

var faults = []fault{
	{"EIO", syscall.EIO, 0, false, func(string) bool { return true }},
	{"EIO from then on", syscall.EIO, 0, true, func(string) bool { return true }},
	{"ENOSPC", syscall.ENOSPC, 100, false, among("create", "write", "sync", "close", "rename")},
	{"ENOSPC from then on", syscall.ENOSPC, 7, true, among("create", "write", "sync", "close", "rename")},
	{"EMFILE", syscall.EMFILE, 0, false, among("open", "create", "list")},
}

// at returns an interceptor that applies f to the n-th call it fits, from 0 on, and a function that reports whether
// there was one.
func (f fault) at(n int) (func(disk.Call) (int, error), func() bool) {
	var mu sync.Mutex
	i, met := -1, false
	return func(c disk.Call) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			if !f.fits(c.Op) {
				return c.Size, nil
			}
			if i++; i == n || f.sticky && i > n {
				met = true
				return f.most, f.err
			}
			return c.Size, nil
		}, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return met
		}
}

// Any call of a change may fail, in any way. Committed data is still there and sound. The change is made completely or
// not at all, as reported. A failure leaves no files if it can remove them. No error calls the baseline damaged.
func TestFaultsInWriting(t *testing.T) {
	if testing.Short() {
		t.Skip("puts a fault at every call")
	}
	dir, all := changes(t)
	before := listing(t, dir)
	old, err := sound(dir)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		clean := copied(t, before)
		if err := run(clean, all[name]); err != nil {
			t.Fatal(err)
		}
		done, err := sound(clean)
		if err != nil {
			t.Fatal(err)
		}
		for k, f := range faults {
			step := 1
			if !allFaults {
				step = 11 + 2*k
			}
			for n := 0; ; n += step {
				what := fmt.Sprintf("%s, %s at call %d", name, f.name, n)
				dir := copied(t, before)
				hook, met := f.at(n)
				restore := disk.Intercept(hook)
				err := run(dir, all[name])
				restore()
				if !met() {
					break
				}
				tried++
				checkFault(t, what, dir, err, old, done, f)
				if _, compacting := errors.AsType[*CompactError](err); err != nil && !compacting && !f.sticky {
					if after := listing(t, dir); len(after) != len(before) && !leftovers(after, before) {
						t.Errorf("%s: left %v", what, slices.Sorted(maps.Keys(after)))
					}
				}
				os.RemoveAll(dir)
			}
		}
	}
	t.Logf("%d faults, nothing committed lost", tried)
}

// leftovers reports whether all additional files are temporary ones, which the failed call may have been about to
// remove.
func leftovers(after, before map[string]string) bool {
	for name := range after {
		if _, ok := before[name]; !ok && generation.IsPart(name) {
			return false
		}
	}
	return true
}

func checkFault(t *testing.T, what, dir string, err error, old, done string, f fault) {
	t.Helper()
	got, bad := sound(dir)
	compacting, compact := errors.AsType[*CompactError](err)
	switch {
	case bad != nil:
		t.Errorf("%s: %v; the baseline is left unsound: %v", what, err, bad)
	case err == nil && got != done:
		t.Errorf("%s: no error, and the change is not made", what)
	case err != nil && !compact && got != old && !f.sticky:
		t.Errorf("%s: %v, and the change is made", what, err)
	case compact && got == old:
		t.Errorf("%s: %v, and the change is not made", what, compacting)
	}
	if _, damaged := errors.AsType[*CorruptError](err); damaged {
		t.Errorf("%s: called damaged: %v", what, err)
	}
	if err != nil && !errors.Is(err, f.err) {
		t.Errorf("%s: the cause is hidden: %v", what, err)
	}
	if err := run(dir, func(*Writer) error { return nil }); err != nil { // the next writer is not blocked
		t.Errorf("%s: afterwards: %v", what, err)
	}
}

// A reader gets a fault at any call. It returns an error with the cause, not an incomplete answer, and no damage.
func TestFaultsInReading(t *testing.T) {
	dir, _ := changes(t)
	list := std(t, "container/list")["list.go"]
	fps := prints(t, list)
	scan := func() (string, error) {
		b, err := Open(context.Background(), dir)
		if err != nil {
			return "", err
		}
		defer b.Close()
		out := ""
		if _, err := b.Model(); err != nil {
			return "", err
		}
		seen := make(map[DocID]bool)
		err = b.Lookup(context.Background(), fps, func(_ int, _ uint64, ps []Posting) error {
			for _, p := range ps {
				if seen[p.Doc] {
					continue
				}
				seen[p.Doc] = true
				d, err := b.Doc(p.Doc)
				if err != nil {
					return err
				}
				toks, _, err := b.Tokens(d)
				if err != nil {
					return err
				}
				text, err := b.Text(d)
				if err != nil {
					return err
				}
				occs, err := b.Occurrences(d)
				if err != nil {
					return err
				}
				out += fmt.Sprintln(d.Hash, len(toks), len(text), occs)
			}
			return nil
		})
		return out, err
	}
	want, err := scan()
	if err != nil || want == "" {
		t.Fatalf("%q, %v", want, err)
	}
	for _, f := range []fault{
		{"EIO", syscall.EIO, 0, false, func(string) bool { return true }},
		{"EMFILE", syscall.EMFILE, 0, true, among("open", "list")},
		{"ENOMEM", syscall.ENOMEM, 0, false, among("map")},
		{"EACCES", syscall.EACCES, 0, false, among("open")},
	} {
		for n := 0; ; n++ {
			hook, met := f.at(n)
			restore := disk.Intercept(hook)
			got, err := scan()
			restore()
			if !met() {
				break
			}
			_, damaged := errors.AsType[*CorruptError](err)
			if err == nil && got != want || err != nil && !errors.Is(err, f.err) || damaged {
				t.Errorf("%s at call %d: %v, %q", f.name, n, err, got)
			}
		}
	}
	// reads that return less than requested
	restore := disk.Intercept(func(c disk.Call) (int, error) { return max(1, c.Size/3), nil })
	got, err := scan()
	restore()
	if err == nil && got != want {
		t.Errorf("short reads: %q", got)
	}
}

// inodes tracks the state that a power failure would leave. Each file has the content that was synced last, under the
// names that its directory had when it was last synced.
type inodes struct {
	dir     string
	content map[uint64]string // by inode: the synced content
	names   map[string]uint64 // as synced
}

func inode(path string) (uint64, bool) {
	st, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	return st.Sys().(*syscall.Stat_t).Ino, true
}

// entries returns the current names in the directory.
func (s *inodes) entries() map[string]uint64 {
	out := make(map[string]uint64)
	es, _ := os.ReadDir(s.dir)
	for _, e := range es {
		if n, ok := inode(filepath.Join(s.dir, e.Name())); ok {
			out[e.Name()] = n
		}
	}
	return out
}

// synced records a call that makes a file or directory durable, which is about to succeed.
func (s *inodes) synced(path string) {
	if path == s.dir {
		s.names = s.entries()
		return
	}
	if n, ok := inode(path); ok {
		b, _ := os.ReadFile(path)
		s.content[n] = string(b)
	}
}

// images returns the directories that a failure may leave now: either all unsynced data is lost, or all names are there
// and only contents are lost.
func (s *inodes) images() []map[string]string {
	var out []map[string]string
	for _, names := range []map[string]uint64{s.names, s.entries()} {
		image := make(map[string]string)
		for name, n := range names {
			image[name] = s.content[n]
		}
		out = append(out, image)
	}
	return out
}

// The power fails at any call. Unsynced contents and names are lost, but committed data is there.
func TestUnsyncedWritesLost(t *testing.T) {
	if testing.Short() {
		t.Skip("loses every write")
	}
	dir, all := changes(t)
	before := listing(t, dir)
	old, err := sound(dir)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		dir := copied(t, before)
		s := &inodes{dir: dir, content: make(map[uint64]string)}
		s.names = s.entries()
		for n, i := range s.names {
			s.content[i] = before[n]
		}
		var mu sync.Mutex
		var states []map[string]string
		calls := 0
		restore := disk.Intercept(func(c disk.Call) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			if !among("create", "write", "sync", "close", "rename", "remove")(c.Op) {
				return c.Size, nil
			}
			if calls++; allFaults || calls%3 == 0 || c.Op == "remove" || c.Op == "rename" {
				states = append(states, s.images()...)
			}
			if c.Op == "sync" {
				s.synced(c.Path)
			}
			return c.Size, nil
		})
		err := run(dir, all[name])
		restore()
		if err != nil {
			t.Fatal(err)
		}
		done, err := sound(dir)
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, s.images()...)
		newer := false
		for i, image := range states {
			left := copied(t, image)
			got, err := sound(left)
			if err != nil {
				t.Errorf("%s, state %d of %d: %v, of %v", name, i, len(states), err, slices.Sorted(maps.Keys(image)))
			}
			last := i >= len(states)-2
			if last && got != done || newer && got == old {
				t.Errorf("%s, state %d of %d: what was committed is lost", name, i, len(states))
			}
			if i%2 == 0 { // the state in which the least is durable
				newer = newer || got != old
			}
			if err := run(left, func(*Writer) error { return nil }); err != nil {
				t.Errorf("%s, state %d: afterwards: %v", name, i, err)
			}
			tried++
			os.RemoveAll(left)
		}
	}
	t.Logf("%d states after a power failure, nothing committed lost", tried)
}
