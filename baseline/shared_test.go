package baseline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/segment"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/git-provenance/git-provenance/baseline/source"
)

// inFolder returns a context with a separate cache, a store and an address in it.
func inFolder(t *testing.T) (context.Context, *baselinetest.Folder, string) {
	t.Helper()
	ctx := shared.WithCache(context.Background(), shared.Cache{Dir: t.TempDir()})
	return ctx, baselinetest.NewFolder(), baselinetest.FolderAddress(filepath.Join(t.TempDir(), "store"))
}

// steps returns changes of a baseline: several segments, removed packages, a merge.
func steps(t *testing.T) []func(context.Context, *Writer) error {
	t.Helper()
	add := func(names ...string) func(context.Context, *Writer) error {
		var pkgs []*source.Package
		for _, name := range names {
			pkgs = append(pkgs, pkg(t, "pkg:golang/std@1?f="+path.Base(name), std(t, name)))
		}
		return func(ctx context.Context, w *Writer) error {
			_, err := w.Add(ctx, pkgs, AddOptions{Workers: 2})
			return err
		}
	}
	return []func(context.Context, *Writer) error{
		add("sort", "strings"), add("container/heap"), add("container/list"),
		func(ctx context.Context, w *Writer) error {
			return w.Remove(ctx, []string{"pkg:golang/std@1?f=heap"})
		},
		func(ctx context.Context, w *Writer) error { return w.Compact(ctx) },
	}
}

// changedBy runs a step on the baseline at dir.
func changedBy(t *testing.T, ctx context.Context, dir string, step func(context.Context, *Writer) error) {
	t.Helper()
	w, err := OpenWriter(ctx, dir, Defaults)
	if err != nil {
		t.Fatal(err)
	}
	if err := step(ctx, w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func opened(t *testing.T, ctx context.Context, dir string) *Baseline {
	t.Helper()
	b, err := Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// everything returns all that a baseline reports, in one string.
func everything(t *testing.T, ctx context.Context, b *Baseline, fps []uint64) string {
	t.Helper()
	var out strings.Builder
	fmt.Fprintln(&out, b.Digest(), b.Params())
	pkgs, err := b.Packages()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		fmt.Fprintln(&out, p.PURL, p.Digest)
	}
	err = b.Lookup(ctx, fps, func(i int, count uint64, ps []Posting) error {
		fmt.Fprintln(&out, i, count, ps)
		for _, p := range ps {
			d, err := b.Doc(p.Doc)
			if err != nil {
				return err
			}
			occs, err := b.Occurrences(d)
			if err != nil {
				return err
			}
			names, err := b.Names(p.Doc)
			fmt.Fprintln(&out, d.Hash, occs, names)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for id := range DocID(docCount(b)) {
		d, err := b.Doc(id)
		if err != nil {
			t.Fatal(err)
		}
		toks, lines, err := b.Tokens(d)
		if err != nil {
			t.Fatal(err)
		}
		text, err := b.Text(d)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, d.Hash, d.Unit, toks, lines, len(text))
	}
	return out.String()
}

func docCount(b *Baseline) (n int) {
	for _, p := range b.segs {
		n += p.docs.Docs()
	}
	return n
}

// someFingerprints returns every seventh fingerprint of the baseline at dir, and as many absent ones.
func someFingerprints(t *testing.T, ctx context.Context, dir string) []uint64 {
	t.Helper()
	var out []uint64
	names, err := filepath.Glob(filepath.Join(dir, "*.fps"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		r, err := segment.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		err = r.All(ctx, func(fp, _ uint64, _ []uint64) error {
			if n++; n%7 == 0 {
				out = append(out, fp, fp+1<<30)
			}
			return nil
		})
		if err := errors.Join(err, r.Close()); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func exportOf(t *testing.T, ctx context.Context, b *Baseline) []byte {
	t.Helper()
	e, err := b.Export(ExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := e.Write(ctx, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSharedIsAsADirectory(t *testing.T) {
	ctx, _, address := inFolder(t)
	dir := filepath.Join(t.TempDir(), "base")
	for i, step := range steps(t) {
		changedBy(t, ctx, dir, step)
		changedBy(t, ctx, address, step)
		fps := someFingerprints(t, ctx, dir)
		fresh := shared.WithCache(ctx, shared.Cache{Dir: t.TempDir()}) // a machine with an empty cache
		want, got := opened(t, ctx, dir), opened(t, fresh, address)
		if w, g := everything(t, ctx, want, fps), everything(t, ctx, got, fps); w != g {
			t.Fatalf("step %d: a shared baseline says\n%.2000s\na directory\n%.2000s", i, g, w)
		}
		if !bytes.Equal(exportOf(t, ctx, want), exportOf(t, ctx, got)) {
			t.Fatalf("step %d: exports differ", i)
		}
		if err := got.Verify(ctx); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
}

func TestSharedImport(t *testing.T) {
	ctx, _, address := inFolder(t)
	dir := filepath.Join(t.TempDir(), "base")
	changedBy(t, ctx, dir, steps(t)[0])
	whole := exportOf(t, ctx, opened(t, ctx, dir))
	w, err := OpenWriter(ctx, address, Defaults)
	if err != nil {
		t.Fatal(err)
	}
	synced := 0
	restore := disk.Intercept(func(c disk.Call) (int, error) {
		if c.Op == "sync" && filepath.Dir(c.Path) == w.home.dir {
			synced++
		}
		return c.Size, nil
	})
	_, err = w.Import(ctx, bytes.NewReader(whole), ImportOptions{})
	restore()
	if err != nil {
		t.Fatal(err)
	}
	if synced > 0 {
		t.Errorf("%d files were made durable that only pass through", synced)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(exportOf(t, ctx, opened(t, ctx, address)), whole) {
		t.Error("what was imported is exported otherwise")
	}
}

// TestSharedFetchesWhatItNeeds counts requests: no blocks for code that no package has, and no second request for the
// same part.
func TestSharedFetchesWhatItNeeds(t *testing.T) {
	ctx, folder, address := inFolder(t)
	dir := filepath.Join(t.TempDir(), "base")
	first := steps(t)[0]
	changedBy(t, ctx, dir, first)
	changedBy(t, ctx, address, first)
	fps := someFingerprints(t, ctx, dir)
	fresh := shared.WithCache(ctx, shared.Cache{Dir: t.TempDir()})
	look := func(b *Baseline, fps []uint64) map[string]int {
		folder.Counts()
		if err := b.Lookup(ctx, fps, func(int, uint64, []Posting) error { return nil }); err != nil {
			t.Fatal(err)
		}
		return folder.Counts()
	}
	b := opened(t, fresh, address)
	if c := look(b, fps); c["fetch"] != 2 {
		t.Errorf("a first look-up asked %d times, want once for filters and once for blocks", c["fetch"])
	}
	if c := look(b, fps); c["fetch"] != 0 {
		t.Errorf("a second look-up asked %d times", c["fetch"])
	}
	if c := look(opened(t, fresh, address), fps); c["fetch"] != 0 {
		t.Errorf("a look-up of another process asked %d times for what is cached", c["fetch"])
	}
	other := opened(t, shared.WithCache(ctx, shared.Cache{Dir: t.TempDir()}), address)
	look(other, fps[:1]) // fetches the filters
	before := look(other, nil)
	unknown := make([]uint64, 0, 64)
	for i := range uint64(64) {
		unknown = append(unknown, i<<58|0x155555)
	}
	if c := look(other, unknown); c["chunks"] > 4 || before["chunks"] != 0 {
		t.Errorf("64 fingerprints known nowhere asked for %d chunks; the filter lets one in 256 through", c["chunks"])
	}
}

func TestSharedMendsItsCache(t *testing.T) {
	ctx, _, address := inFolder(t)
	dir := filepath.Join(t.TempDir(), "base")
	first := steps(t)[0]
	changedBy(t, ctx, dir, first)
	changedBy(t, ctx, address, first)
	fps := someFingerprints(t, ctx, dir)
	want := everything(t, ctx, opened(t, ctx, dir), fps)
	cache := t.TempDir()
	here := shared.WithCache(ctx, shared.Cache{Dir: cache})
	everything(t, ctx, opened(t, here, address), fps)
	n := 0
	err := filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		for i := 0; i < len(b); i += 3000 {
			b[i] ^= 0x40
			n++
		}
		return errors.Join(err, os.WriteFile(path, b, 0o600))
	})
	if err != nil || n == 0 {
		t.Fatal(n, err)
	}
	if got := everything(t, ctx, opened(t, here, address), fps); got != want {
		t.Error("a damaged cache changes what a baseline says")
	}
}

// TestSharedAfresh: a cache hides damage in the store, and keeps damage that the store sent. Afresh does neither.
func TestSharedAfresh(t *testing.T) {
	ctx, _, address := inFolder(t)
	changedBy(t, ctx, address, steps(t)[0])
	verified := func(ctx context.Context) error {
		b, err := Open(ctx, address)
		if err != nil {
			return err
		}
		defer b.Close()
		return b.Verify(ctx)
	}
	flip := func() {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(strings.TrimPrefix(address, "folder://"), "*.docs"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		b, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		b[len(b)/2] ^= 0x40
		if err := os.WriteFile(files[0], b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	work := t.TempDir()
	here := shared.WithCache(ctx, shared.Cache{Dir: work})
	if err := verified(here); err != nil {
		t.Fatal(err)
	}
	flip()
	if err := verified(here); err != nil {
		t.Errorf("what was fetched before the damage: %v", err)
	}
	if err := verified(shared.Afresh(here)); !isA[*CorruptError](err) {
		t.Errorf("a damaged store: %v", err)
	}
	flip()
	if err := verified(here); !isA[*CorruptError](err) {
		t.Errorf("what was fetched damaged: %v", err)
	}
	if err := verified(shared.Afresh(here)); err != nil {
		t.Errorf("a store that was mended: %v", err)
	}
	if err := verified(here); err != nil {
		t.Errorf("after it was fetched again: %v", err)
	}
}

// TestSharedLost: an object that the baseline still names was not removed by a later change.
func TestSharedLost(t *testing.T) {
	ctx, _, address := inFolder(t)
	changedBy(t, ctx, address, steps(t)[0])
	store := strings.TrimPrefix(address, "folder://")
	files, err := filepath.Glob(filepath.Join(store, "*.fps"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.Rename(files[0], files[0]+".away"); err != nil {
		t.Fatal(err)
	}
	fresh := shared.WithCache(ctx, shared.Cache{Dir: t.TempDir()})
	if _, err := Open(fresh, address); !isA[*shared.LostError](err) {
		t.Errorf("an object that somebody removed: %v", err)
	}
	if err := os.Rename(files[0]+".away", files[0]); err != nil {
		t.Fatal(err)
	}
	b := opened(t, shared.WithCache(ctx, shared.Cache{Dir: t.TempDir()}), address)
	changedBy(t, ctx, address, func(ctx context.Context, w *Writer) error {
		return w.Remove(ctx, []string{"pkg:golang/std@1?f=sort", "pkg:golang/std@1?f=strings"})
	})
	changedBy(t, ctx, address, func(ctx context.Context, w *Writer) error { return w.Compact(ctx) })
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if err := b.Verify(ctx); !isA[*shared.GoneError](err) {
		t.Errorf("an object of an earlier generation: %v", err)
	}
}

func TestSharedFaults(t *testing.T) {
	ctx, folder, address := inFolder(t)
	if _, err := Open(ctx, address); !isA[*NotBaselineError](err) {
		t.Errorf("an address with nothing: %v", err)
	}
	if _, err := Open(ctx, "gopher://user:secret@host/base"); !isA[*AddressError](err) || strings.Contains(err.Error(), "secret") {
		t.Errorf("an address of another kind: %v", err)
	}
	changedBy(t, ctx, address, steps(t)[0])
	lost := errors.New("connection lost")
	folder.Fail(func(op string) error {
		if op == "fetch" {
			return lost
		}
		return nil
	})
	fresh := shared.WithCache(ctx, shared.Cache{Dir: t.TempDir()})
	if _, err := Open(fresh, address); !errors.Is(err, lost) || !isA[*ReadError](err) {
		t.Errorf("a store that cannot be reached: %v", err)
	}
	folder.Fail(func(op string) error {
		if op == "commit" {
			return &shared.ConflictError{Address: address}
		}
		return nil
	})
	before := opened(t, ctx, address).Digest()
	w, err := OpenWriter(ctx, address, Defaults)
	if err != nil {
		t.Fatal(err)
	}
	if err := steps(t)[1](ctx, w); !isA[*shared.ConflictError](err) {
		t.Errorf("a writer that came second: %v", err)
	}
	w.Close()
	folder.Fail(nil)
	if after := opened(t, ctx, address).Digest(); after != before {
		t.Error("a change that was refused is there")
	}
}

// TestSharedIsCheckedAsADisk flips and cuts bytes in the store. The result is damage, or the changed bytes do not
// matter.
func TestSharedIsCheckedAsADisk(t *testing.T) {
	ctx, _, address := inFolder(t)
	changedBy(t, ctx, address, steps(t)[0])
	at := strings.TrimPrefix(address, "folder://")
	names, err := filepath.Glob(filepath.Join(at, "*.*"))
	if err != nil || len(names) != 3 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		is, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(is); i += len(is)/40 + 1 {
			bad := bytes.Clone(is)
			bad[i] ^= 4
			for _, content := range [][]byte{bad, is[:i]} {
				if err := os.WriteFile(name, content, 0o644); err != nil {
					t.Fatal(err)
				}
				fresh := shared.WithCache(ctx, shared.Cache{Dir: t.TempDir()})
				b, err := Open(fresh, address)
				if err == nil {
					err = b.Verify(ctx)
					b.Close()
				}
				if !isA[*CorruptError](err) && !isA[*ReadError](err) {
					t.Fatalf("%s with byte %d of %d changed or last: %v", filepath.Base(name), i, len(is), err)
				}
			}
		}
		if err := os.WriteFile(name, is, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// TestSharedCacheIsBounded: parts of other baselines are removed while one is read, and parts of this one when it is
// closed.
func TestSharedCacheIsBounded(t *testing.T) {
	ctx, _, address := inFolder(t)
	changedBy(t, ctx, address, steps(t)[0])
	cache := shared.Cache{Dir: t.TempDir(), Limit: 10_000}
	other := filepath.Join(cache.Dir, "other")
	here := shared.WithCache(ctx, cache)
	b := opened(t, here, address)
	if err := os.WriteFile(other, make([]byte, 50_000), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(other, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if err := b.Verify(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(other); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an older file in a full cache: %v", err)
	}
	if size := disk.DirSize(cache.Dir); size <= cache.Limit {
		t.Fatalf("%d bytes are too few for this test", size)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if size := disk.DirSize(cache.Dir); size > cache.Limit {
		t.Errorf("%d bytes are left of %d", size, cache.Limit)
	}
}
