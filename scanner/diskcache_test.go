package scanner_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// remembered scans a history with a cache; "" means without one.
func (r *repository) remembered(cache string, sel git.Selection) string {
	r.t.Helper()
	s := scan(r.t, scanner.Options{Cache: cache}, stdBaseline(r.t))
	return string(marshal(r.t, r.checked(s.History(context.Background(), r.open(), sel))))
}

// below lists the files of a cache whose names have a suffix or prefix.
func below(t *testing.T, cache, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(cache, "*", pattern))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestDiskCache: a run with a cache finds the same as one without.
func TestDiskCache(t *testing.T) {
	r, _ := known(t)
	cache := t.TempDir()
	want := r.remembered("", git.Selection{})
	same := func(what string) {
		t.Helper()
		if got := r.remembered(cache, git.Selection{}); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
		}
	}
	same("first run")
	same("second run")
	for _, name := range below(t, cache, "report-*") {
		os.Remove(name)
	}
	same("without the report")
	// a range, another, and the same with the cache of the first
	for _, spec := range []string{"HEAD~4..HEAD", "HEAD~6..HEAD~2", "HEAD~3", "HEAD^2~1..HEAD"} {
		sel := git.Selection{Range: spec}
		want := r.remembered("", sel)
		for range 2 {
			if got := r.remembered(cache, sel); got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", spec, got, want)
			}
		}
	}
	// contents are not read again, except those at the tip: the others may be damaged
	for _, name := range below(t, cache, "report-*") {
		os.Remove(name)
	}
	spoiled := r.replaceBlobs(func(name string) { os.WriteFile(name, []byte("x"), 0o600) })
	same("with spoiled contents")
	spoiled()
	// damaged files are computed again
	for _, pattern := range []string{"*.rec", "report-*"} {
		for _, part := range []int{0, 1, 3, 5, 7} {
			for _, name := range below(t, cache, pattern) {
				b, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				b[len(b)*part/8] ^= 0x40
				if part == 7 {
					b = b[:len(b)*part/8]
				}
				if err := os.WriteFile(name, b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if pattern == "*.rec" {
				for _, name := range below(t, cache, "report-*") {
					os.Remove(name)
				}
			}
			same("damaged " + pattern)
		}
	}
	// one more commit
	r.commit(files{"d.go": head + own("d"), "c.go": gone})
	want = r.remembered("", git.Selection{})
	same("one more commit")
	// the target's statements on its origins changed, but not the code
	r.commit(files{"NOTICE": "This product holds code of the Go standard library, copyright The Go Authors.\n"})
	want = r.remembered("", git.Selection{})
	if !strings.Contains(want, `"path": "NOTICE"`) {
		t.Errorf("the notice is not told of:\n%s", want)
	}
	same("with a notice")
	if n := len(below(t, cache, "*.rec")); n == 0 || n > 9 {
		t.Errorf("%d files of records", n)
	}
}

// hideBlobs removes the loose blobs that the tip does not have, until the returned function is called.
func (r *repository) hideBlobs() func() { return r.replaceBlobs(func(string) {}) }

// replaceBlobs is hideBlobs that puts something else in the place of each blob.
func (r *repository) replaceBlobs(by func(name string)) func() {
	r.t.Helper()
	tip := r.git("ls-tree", "-r", "HEAD")
	var back []func()
	for l := range strings.Lines(r.git("cat-file", "--batch-all-objects", "--batch-check")) {
		f := strings.Fields(l)
		if f[1] != "blob" || strings.Contains(tip, f[0]) {
			continue
		}
		name := filepath.Join(r.dir, ".git", "objects", f[0][:2], f[0][2:])
		if err := os.Rename(name, name+".hidden"); err != nil {
			r.t.Fatal(err)
		}
		by(name)
		back = append(back, func() { os.Rename(name+".hidden", name) })
	}
	return func() {
		for _, b := range back {
			b()
		}
	}
}

// TestInterrupted: an interrupted run leaves its results for the next.
func TestInterrupted(t *testing.T) {
	r, _ := known(t)
	want := r.remembered("", git.Selection{})
	cache := t.TempDir()
	for after := 1; after <= 7; after += 3 {
		ctx, cancel := context.WithCancel(context.Background())
		s := scan(t, scanner.Options{Cache: cache, Workers: 1, Progress: func(done, total int) {
			if total < done || total > 9 {
				t.Errorf("%d of %d contents", done, total)
			}
			if done == after {
				cancel()
			}
		}}, stdBaseline(t))
		if rep, err := s.History(ctx, r.open(), git.Selection{}); err == nil || rep != nil {
			t.Errorf("cancelled after %d contents: %v", after, err)
		}
		cancel()
		if len(below(t, cache, "*.rec")) == 0 {
			t.Errorf("cancelled after %d contents: nothing is kept", after)
		}
	}
	if got := r.remembered(cache, git.Selection{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDiskCacheOfOthers: with other parameters, another baseline or other own packages, stored results are not used.
func TestDiskCacheOfOthers(t *testing.T) {
	r, _ := known(t)
	cache := t.TempDir()
	r.remembered(cache, git.Selection{})
	for name, o := range map[string]scanner.Options{"tokens": {Options: examine.Options{MinTokens: 500}}, "score": {Options: examine.Options{MinScore: 0.999}}, "source": {Options: examine.Options{NoSource: true}}, "version": {Version: "2"},
		"exclude": {Options: examine.Options{Exclude: []string{"a.go"}}}} {
		without := string(marshal(t, r.history(scan(t, o, stdBaseline(t)), "")))
		o.Cache = cache
		if got := string(marshal(t, r.history(scan(t, o, stdBaseline(t)), ""))); got != without {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, without)
		}
	}
	r.put(files{"go.mod": "module std\n"}) // that of the work tree names the owner of the code
	without := r.remembered("", git.Selection{})
	if got := r.remembered(cache, git.Selection{}); got != without {
		t.Errorf("got\n%s\nwant\n%s", got, without)
	}
}

// counted is a context that is cancelled after a number of calls.
type counted struct {
	context.Context
	left atomic.Int64
}

func (c *counted) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestCanceledAnywhere: a cancelled scan returns no report, at whatever point it notices.
func TestCanceledAnywhere(t *testing.T) {
	r, _ := known(t)
	s := scan(t, scanner.Options{Workers: 1}, stdBaseline(t))
	whole := &counted{Context: t.Context()}
	whole.left.Store(1 << 40)
	r.checked(s.History(whole, r.open(), git.Selection{}))
	asked := 1<<40 - whole.left.Load()
	for left := range asked {
		ctx := &counted{Context: t.Context()}
		ctx.left.Store(left)
		if rep, err := s.History(ctx, r.open(), git.Selection{}); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %d of %d: %v, %v", left, asked, rep != nil, err)
		}
	}
}

// TestOneBitOfDiskCache: a flipped bit anywhere in the cache costs time, never a finding. FLIPS=all flips one bit in each byte; the
// default is some hundred.
func TestOneBitOfDiskCache(t *testing.T) {
	if testing.Short() {
		t.Skip("flips every bit")
	}
	r, _ := known(t)
	cache := t.TempDir()
	want := r.remembered(cache, git.Selection{})
	for _, name := range append(below(t, cache, "*.rec"), below(t, cache, "report-*")...) {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		step := max(len(whole)/60, 1)
		if os.Getenv("FLIPS") == "all" {
			step = 1
		}
		flips := 0
		for at := 0; at < len(whole); at += step {
			b := bytes.Clone(whole)
			b[at] ^= 1 << (at / step % 8)
			for _, other := range below(t, cache, "*") { // files that an earlier run wrote instead
				os.Remove(other)
			}
			if err := os.WriteFile(name, b, 0o600); err != nil {
				t.Fatal(err)
			}
			if got := r.remembered(cache, git.Selection{}); got != want {
				t.Fatalf("%s, byte %d of %d: got\n%s\nwant\n%s", filepath.Base(name), at, len(whole), got, want)
			}
			flips++
		}
		t.Logf("%s: %d flips", filepath.Base(name), flips)
	}
}

// TestDiskCacheRefused: if nothing can be stored, the report is that of a run without a cache.
func TestDiskCacheRefused(t *testing.T) {
	r, _ := known(t)
	want := r.remembered("", git.Selection{})
	cache := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(cache, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := r.remembered(cache, git.Selection{}); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
