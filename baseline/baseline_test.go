package baseline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/internal/generation"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/baseline/store"
	"github.com/git-provenance/git-provenance/lang"
)

var goroot = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
})

// std reads the sources of a package of the standard library, by name.
func std(t testing.TB, pkg string) map[string]string {
	t.Helper()
	root, err := goroot()
	if err != nil {
		t.Skipf("no Go distribution: %v", err)
	}
	files := make(map[string]string)
	names, err := filepath.Glob(filepath.Join(root, "src", filepath.FromSlash(pkg), "*.go"))
	if err != nil || len(names) == 0 {
		t.Skipf("no sources of %s: %v", pkg, err)
	}
	for _, n := range names {
		if strings.HasSuffix(n, "_test.go") {
			continue
		}
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(n)] = string(b)
	}
	return files
}

const mit = "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:\n\nThe above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.\n\nTHE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.\n"

// with returns files with one more file.
func with(files map[string]string, path, text string) map[string]string {
	out := maps.Clone(files)
	out[path] = text
	return out
}

// pkg writes files to a directory and opens it as a package.
func pkg(t testing.TB, purl string, files map[string]string) *source.Package {
	t.Helper()
	dir := t.TempDir()
	for p, text := range files {
		p = filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pkgs, err := source.Open(context.Background(), dir, source.Options{PURL: purl, Offline: true})
	if err != nil || len(pkgs) != 1 {
		t.Fatalf("open %s: %d packages, %v", purl, len(pkgs), err)
	}
	return pkgs[0]
}

func writer(t testing.TB, dir string) *Writer {
	t.Helper()
	w, err := OpenWriter(context.Background(), dir, Defaults)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func add(t testing.TB, w *Writer, pkgs ...*source.Package) Added {
	t.Helper()
	sum, err := w.Add(context.Background(), pkgs, AddOptions{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// build makes a baseline of packages, one Add for each group, and returns its directory.
func build(t testing.TB, groups ...[]*source.Package) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "baseline")
	w := writer(t, dir)
	for _, g := range groups {
		add(t, w, g...)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open1(t testing.TB, dir string) *Baseline {
	t.Helper()
	b, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func verify(t testing.TB, dir string) {
	t.Helper()
	if err := open1(t, dir).Verify(context.Background()); err != nil {
		t.Errorf("Verify: %v", err)
	}
}

// prints returns the fingerprints that a scan looks up for a Go text, ascending.
func prints(t testing.TB, text string) []uint64 {
	t.Helper()
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	l := lang.ByName("go")
	if strings.HasPrefix(text, "def ") {
		l = lang.ByName("python")
	}
	if l == nil {
		t.Skip("no grammars")
	}
	s, err := tz.Tokenize(l, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var fps []uint64
	for _, f := range fingerprint.WinnowTies(nil, fingerprint.KGrams(nil, Values(nil, l, s.Tokens), Defaults.K), Defaults.W) {
		fps = append(fps, f.Hash)
	}
	slices.Sort(fps)
	return slices.Compact(fps)
}

// found looks up a text and returns the "purl path" of each place that has its fingerprints.
func found(t testing.TB, b *Baseline, text string) map[string]int {
	t.Helper()
	out := make(map[string]int)
	err := b.Lookup(context.Background(), prints(t, text), func(_ int, count uint64, ps []Posting) error {
		if count < uint64(len(ps)) || len(ps) == 0 {
			t.Errorf("count %d with %d postings", count, len(ps))
		}
		seen := make(map[string]bool)
		for _, p := range ps {
			d, err := b.Doc(p.Doc)
			if err != nil {
				return err
			}
			if p.Pos+uint32(Defaults.K) > d.Tokens {
				t.Errorf("posting at token %d of %d", p.Pos, d.Tokens)
			}
			occs, err := b.Occurrences(d)
			if err != nil {
				return err
			}
			for _, o := range occs {
				seen[o.PURL+" "+o.Path] = true
			}
		}
		for s := range seen {
			out[s]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// listing returns the names and contents of the files in a directory.
func listing(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	es, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range es {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(b)
	}
	return out
}

func TestAddThenLookup(t *testing.T) {
	strs, sorts := std(t, "strings"), std(t, "sort")
	dir := build(t, []*source.Package{
		pkg(t, "pkg:golang/example.com/strings@v1.0.0", with(strs, "LICENSE", mit)),
		pkg(t, "pkg:golang/example.com/sort@v1.0.0", sorts),
	})
	b := open1(t, dir)
	for name, text := range strs {
		fps := len(prints(t, text))
		if fps == 0 {
			continue
		}
		if got := found(t, b, text)["pkg:golang/example.com/strings@v1.0.0 "+name]; got == 0 {
			t.Errorf("%s: none of %d fingerprints is known", name, fps)
		}
		d, ok, err := b.Find(store.Sum([]byte(text)))
		if err != nil || !ok || d.Language != "go" {
			t.Fatalf("Find %s: %+v, %v, %v", name, d, ok, err)
		}
		got, err := b.Text(d)
		if err != nil || string(got) != text {
			t.Errorf("Text of %s: %d bytes, %v", name, len(got), err)
		}
		toks, lines, err := b.Tokens(d)
		if err != nil || len(toks) != int(d.Tokens) || len(lines) != len(toks) {
			t.Errorf("Tokens of %s: %d, %v, want %d", name, len(toks), err, d.Tokens)
		}
		index := lang.Lines(got)
		for i, tok := range toks {
			if int(lines[i]) != index.Line(tok.Start) {
				t.Fatalf("%s: token %d on line %d, want %d", name, i, lines[i], index.Line(tok.Start))
			}
		}
		occs, err := b.Occurrences(d)
		if err != nil || len(occs) != 1 || occs[0].Path != name || occs[0].License == "" {
			t.Errorf("Occurrences of %s: %+v, %v", name, occs, err)
		}
	}
	in, err := b.Info()
	if err != nil || in.Packages != 2 || in.Segments != 1 || in.Generation != 1 || in.Postings == 0 || in.Tokens == 0 {
		t.Errorf("Info: %+v, %v", in, err)
	}
	if n := len(found(t, b, "package x\nfunc nothing() {}\n")); n > 0 {
		t.Errorf("a tiny file is known from %d places", n)
	}
	if m, err := b.Model(); err != nil || m.Of("go") == nil {
		t.Errorf("Model: %v", err)
	}
	verify(t, dir)
}

func TestVersionsCostOnce(t *testing.T) {
	files := std(t, "strings")
	one := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/s@v1.0.0", files)})
	three := build(t, []*source.Package{
		pkg(t, "pkg:golang/example.com/s@v1.0.0", files), pkg(t, "pkg:golang/example.com/s@v1.1.0", files), pkg(t, "pkg:golang/example.com/s@v1.2.0", files),
	})
	a, err := open1(t, one).Info()
	if err != nil {
		t.Fatal(err)
	}
	b, err := open1(t, three).Info()
	if err != nil {
		t.Fatal(err)
	}
	if b.Packages != 3 || b.Documents != a.Documents || b.Postings != a.Postings || b.Tokens != a.Tokens || b.IndexBytes != a.IndexBytes {
		t.Errorf("three versions: %+v, one: %+v", b, a)
	}
	if extra := b.Bytes - a.Bytes; extra > 2*uint64(len(files))*48+2000 {
		t.Errorf("two more versions of %d files cost %d bytes", len(files), extra)
	}
	text := files["builder.go"]
	if got := found(t, open1(t, three), text); len(got) < 3 {
		t.Errorf("builder.go is known from %v", got)
	}
}

func TestAddAgain(t *testing.T) {
	files := with(std(t, "sort"), "LICENSE", mit)
	p := pkg(t, "pkg:golang/example.com/sort@v1.0.0", files)
	dir := build(t, []*source.Package{p})
	before := listing(t, dir)
	w := writer(t, dir)
	defer w.Close()
	if sum := add(t, w, p); sum.Unchanged != 1 || sum.Packages != 0 || sum.Documents != 0 || sum.Known == 0 {
		t.Errorf("second time: %+v", sum)
	}
	if after := listing(t, dir); !maps.Equal(before, after) {
		t.Errorf("the second time changed files: %v, before %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
	// a later statement of the user replaces it
	said := *p
	said.License = "Apache-2.0"
	if sum := add(t, w, &said); sum.Packages != 1 || sum.Documents != 0 {
		t.Errorf("with another licence: %+v", sum)
	}
	said.Released = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	if sum := add(t, w, &said); sum.Packages != 1 || sum.Documents != 0 {
		t.Errorf("with a release date: %+v", sum)
	}
	pkgs, err := w.Baseline().Packages()
	if err != nil || len(pkgs) != 1 || pkgs[0].License != "Apache-2.0" || !pkgs[0].Released.Equal(said.Released) {
		t.Errorf("with another licence: %+v, %v", pkgs, err)
	}
	said.Released = time.Time{} // not given again
	if sum := add(t, w, &said); sum.Unchanged != 1 {
		t.Errorf("without release date: %+v", sum)
	}
	verify(t, dir)
}

func TestReplaceRemoveCompact(t *testing.T) {
	ctx := context.Background()
	sorts, heap, strs := std(t, "sort"), std(t, "container/heap"), std(t, "strings")
	changed := maps.Clone(sorts)
	delete(changed, "search.go")
	var keep []*source.Package // enough packages, so that a small removal does not trigger a compaction
	for i := range 9 {
		keep = append(keep, pkg(t, fmt.Sprintf("pkg:golang/example.com/keep%d@v1", i), map[string]string{"strings.go": strs["strings.go"]}))
	}
	const sort, heaps = "pkg:golang/example.com/sort@v1", "pkg:golang/example.com/heap@v1"
	dir := build(t, append(keep, pkg(t, sort, sorts), pkg(t, heaps, heap)))
	w := writer(t, dir)
	defer w.Close()
	if found(t, w.Baseline(), sorts["search.go"])[sort+" search.go"] == 0 {
		t.Fatal("search.go is not known")
	}
	if sum := add(t, w, pkg(t, sort, changed)); sum.Packages != 1 || sum.Documents != 0 {
		t.Errorf("replacement: %+v", sum)
	}
	if got := found(t, w.Baseline(), sorts["search.go"]); got[sort+" search.go"] > 0 {
		t.Errorf("search.go is still known from %v", got)
	}
	if found(t, w.Baseline(), sorts["slice.go"])[sort+" slice.go"] == 0 {
		t.Error("slice.go is not known any more")
	}
	verify(t, dir)

	if err := w.Remove(ctx, []string{heaps}); err != nil {
		t.Fatal(err)
	}
	if got := found(t, w.Baseline(), heap["heap.go"]); got[heaps+" heap.go"] > 0 {
		t.Errorf("heap.go is still known from %v", got)
	}
	var unknown *UnknownPackageError
	if err := w.Remove(ctx, []string{heaps}); !errors.As(err, &unknown) || unknown.PURL != heaps {
		t.Errorf("removed twice: %v", err)
	}
	if in, err := w.Baseline().Info(); err != nil || in.Packages != 10 || in.Segments != 2 {
		t.Fatalf("before compaction: %+v, %v", in, err)
	}
	verify(t, dir)
	if err := w.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	verify(t, dir)
	if files := listing(t, dir); len(files) != 5 {
		t.Errorf("after compaction there are %v, want lock, manifest, model and one segment", slices.Sorted(maps.Keys(files)))
	}
	fresh := open1(t, build(t, append(keep, pkg(t, sort, changed))))
	in, err := w.Baseline().Info()
	if err != nil || in.Segments != 1 || in.Packages != 10 {
		t.Errorf("after compaction: %+v, %v", in, err)
	}
	want, err := fresh.Info()
	if err != nil || in.Documents != want.Documents || in.Tokens != want.Tokens || in.Postings != want.Postings {
		t.Errorf("after compaction: %+v, built anew %+v", in, want)
	}
	if found(t, w.Baseline(), sorts["slice.go"])[sort+" slice.go"] == 0 {
		t.Error("slice.go is not known after compaction")
	}
	if err := w.Remove(ctx, purls(t, w.Baseline())); err != nil {
		t.Fatal(err)
	}
	if in, err := w.Baseline().Info(); err != nil || in.Packages != 0 || in.Documents != 0 {
		t.Errorf("all removed: %+v, %v", in, err)
	}
	verify(t, dir)
	if add(t, w, pkg(t, heaps, heap)); found(t, w.Baseline(), heap["heap.go"])[heaps+" heap.go"] == 0 {
		t.Error("heap.go is not known after a new start")
	}
}

func purls(t testing.TB, b *Baseline) []string {
	t.Helper()
	pkgs, err := b.Packages()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range pkgs {
		out = append(out, p.PURL)
	}
	return out
}

// samples returns packages that share contents, also under other paths. Some files are skipped, and one file gets
// another front-end under its other name.
func samples(t testing.TB) []*source.Package {
	t.Helper()
	strs, sorts, list := std(t, "strings"), std(t, "sort"), std(t, "container/list")
	all := maps.Clone(strs)
	for n, text := range sorts {
		all["internal/sorting/"+n] = text
	}
	return []*source.Package{
		pkg(t, "pkg:golang/example.com/a@v1.0.0", with(with(strs, "LICENSE", mit), "empty.go", "")),
		pkg(t, "pkg:golang/example.com/a@v1.1.0", with(with(all, "LICENSE", mit), "empty.go", "")),
		pkg(t, "pkg:golang/example.com/b@v0.1.0", with(sorts, "x/empty.go", "")),
		pkg(t, "pkg:golang/example.com/c@v2.0.0", with(list, "copy/list.txt", list["list.go"])),
		pkg(t, "pkg:npm/none@1.0.0", map[string]string{"tiny.js": "x = 1\n", "empty.go": ""}),
	}
}

// The same packages make the same baseline, for any number of workers and any order.
func TestWorkersAndOrder(t *testing.T) {
	ps := samples(t)
	var first map[string]string
	var skips []Skip
	for _, c := range []struct {
		workers int
		reverse bool
		large   int // the size from which texts are processed one at a time
	}{{1, false, 0}, {2, false, 0}, {8, false, 0}, {3, true, 0}, {4, false, 100}} {
		dir := t.TempDir()
		w := writer(t, dir)
		w.largeText = c.large
		in := slices.Clone(ps)
		if c.reverse {
			slices.Reverse(in)
		}
		var got []Skip
		if _, err := w.Add(context.Background(), in, AddOptions{Workers: c.workers, Skipped: func(s Skip) { got = append(got, s) }}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first, skips = listing(t, dir), got
		} else if now := listing(t, dir); !maps.Equal(first, now) {
			t.Errorf("%+v: files %v, want %v", c, slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(first)))
		}
		if !slices.Equal(got, skips) {
			t.Errorf("%+v: skipped %v, want %v", c, got, skips)
		}
		verify(t, dir)
	}
	// the ledger has every package's own files, not only the first of each content
	want := map[string]int{"pkg:golang/example.com/a@v1.0.0": 1, "pkg:golang/example.com/a@v1.1.0": 1, "pkg:golang/example.com/b@v0.1.0": 1, "pkg:npm/none@1.0.0": 1}
	got := make(map[string]int)
	for _, s := range skips {
		if s.Reason == lang.Empty {
			got[s.PURL]++
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("empty files: %v, want %v", got, want)
	}
}

// Compacting a baseline built step by step gives the result of one Add.
func TestCompactIsFresh(t *testing.T) {
	ps := samples(t)
	fresh := open1(t, build(t, ps))
	for name, order := range map[string][]int{"in order": {0, 1, 2, 3, 4}, "backwards": {4, 3, 2, 1, 0}, "mixed": {2, 0, 4, 1, 3}} {
		var groups [][]*source.Package
		for _, i := range order {
			groups = append(groups, ps[i:i+1])
		}
		dir := build(t, groups...)
		w := writer(t, dir)
		if w.man.Model != fresh.man.Model || !maps.Equal(w.man.Samples, fresh.man.Samples) {
			t.Errorf("%s: model %s of %v, want %s of %v", name, w.man.Model, w.man.Samples, fresh.man.Model, fresh.man.Samples)
		}
		if err := w.Compact(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got, want := w.man, fresh.man; !reflect.DeepEqual(got.Segments, want.Segments) || got.Model != want.Model {
			a, _ := w.Baseline().Packages()
			b, _ := fresh.Packages()
			t.Errorf("%s: %+v %s, want %+v %s\n%+v\n%+v", name, got.Segments, got.Model, want.Segments, want.Model, a, b)
		}
		if got, want := w.Baseline().Digest(), fresh.Digest(); got != want {
			t.Errorf("%s: digest %s, want %s", name, got, want)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		verify(t, dir)
	}
}

// A build too large for memory is written in several segments; their number does not depend on the number of workers.
// Merged, they equal one segment.
func TestFlushed(t *testing.T) {
	ps := samples(t)[:3]
	fresh := open1(t, build(t, ps))
	var first map[string]string
	for _, workers := range []int{1, 2, 8} {
		dir := t.TempDir()
		w := writer(t, dir)
		w.flushBytes = 30_000
		if _, err := w.Add(context.Background(), ps, AddOptions{Workers: workers}); err != nil {
			t.Fatal(err)
		}
		if n := w.man.Generation; n != 2 {
			t.Errorf("%d generations: it was not merged", n)
		}
		verify(t, dir)
		if now := listing(t, dir); first == nil {
			first = now
		} else if !maps.Equal(first, now) {
			t.Errorf("%d workers: files %v, want %v", workers, slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(first)))
		}
		text, err := os.ReadFile(filepath.Join(ps[0].From, "strings.go"))
		if err != nil {
			t.Fatal(err)
		}
		if got := found(t, w.Baseline(), string(text)); len(got) < 2 {
			t.Errorf("strings.go is known from %v", got)
		}
		if got, want := w.Baseline().Digest(), fresh.Digest(); got != want {
			t.Errorf("compacted: digest %s, want %s", got, want)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// If one file name gives a content no front-end, the content is indexed under its other name.
func TestNameDecides(t *testing.T) {
	list := std(t, "container/list")["list.go"]
	for _, files := range []map[string]string{
		{"a.txt": list, "list.go": list}, {"list.go": list, "z.txt": list}, {"a/b.txt": list, "c/list.go": list},
	} {
		b := open1(t, build(t, []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", files)}))
		d, ok, err := b.Find(store.Sum([]byte(list)))
		if err != nil || !ok || d.Language != "go" {
			t.Errorf("%v: %q, %v, %v", slices.Sorted(maps.Keys(files)), d.Language, ok, err)
		}
		if occs, err := b.Occurrences(d); err != nil || len(occs) != 2 {
			t.Errorf("occurrences: %+v, %v", occs, err)
		}
	}
}

// Postings of a fingerprint beyond MaxPostings are counted but not kept. Compaction keeps the count.
func TestPostingsCapped(t *testing.T) {
	list := std(t, "container/list")["list.go"]
	var groups [][]*source.Package
	all := make(map[string]string)
	for i := range 100 {
		all[fmt.Sprintf("p%d/list.go", i)] = fmt.Sprintf("// copy %d\n%s", i, list)
		if i == 39 || i == 99 {
			groups = append(groups, []*source.Package{pkg(t, fmt.Sprintf("pkg:golang/example.com/l@v%d", i), all)})
			all = make(map[string]string)
		}
	}
	dir := build(t, groups...)
	w := writer(t, dir)
	defer w.Close()
	for _, when := range []string{"before", "after"} {
		total := make(map[int]uint64)
		err := w.Baseline().Lookup(context.Background(), prints(t, list), func(i int, count uint64, ps []Posting) error {
			total[i] += count
			if len(ps) > MaxPostings {
				t.Errorf("%s: %d postings", when, len(ps))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range total {
			if n < 100 {
				t.Errorf("%s compaction: fingerprint %d has count %d, want 100 or more", when, i, n)
			}
		}
		if len(total) == 0 {
			t.Fatal("nothing is found")
		}
		if err := w.Compact(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	fresh := open1(t, build(t, slices.Concat(groups...)))
	if w.man.Segments[0].Name != fresh.man.Segments[0].Name {
		t.Error("the compacted segment differs from one built at once")
	} else if got, want := w.Baseline().Digest(), fresh.Digest(); got != want {
		t.Errorf("digest %s, built at once %s", got, want)
	}
	verify(t, dir)
}

func TestDuplicatePackage(t *testing.T) {
	list := std(t, "container/list")
	w := writer(t, t.TempDir())
	defer w.Close()
	const name = "pkg:golang/example.com/l@v1"
	damaged := source.New("cut.zip", func(context.Context, source.Limits, func(string, []byte) error, func(path, reason, detail string)) error {
		return &source.ArchiveError{Archive: "cut.zip", Err: io.ErrUnexpectedEOF}
	})
	damaged.PURL = name
	first, second, third := pkg(t, name, list), pkg(t, name, std(t, "sort")), pkg(t, name, list)
	second.From, third.From = "second", "third"
	ps := []*source.Package{first, second, third, first, damaged}
	var skips []Skip
	sum, err := w.Add(context.Background(), ps, AddOptions{Skipped: func(s Skip) { skips = append(skips, s) }})
	if err != nil || sum.Packages != 1 {
		t.Fatalf("%+v, %v", sum, err)
	}
	var told []string
	for _, s := range skips {
		told = append(told, fmt.Sprintf("%s: %s", s.Reason, s.Detail))
	}
	const same = "duplicate-package: named twice in one call; the first is used"
	want := []string{same + "; this one has other files", same, same, `broken-archive: read archive "cut.zip": unexpected EOF`}
	if !slices.Equal(told, want) {
		t.Errorf("got %q, want %q", told, want)
	}
	survey, used, err := TakeSurvey(context.Background(), ps, source.Limits{})
	if err != nil || used != 0 || len(survey.Skips) != len(skips) {
		t.Fatalf("in pieces: %+v, %v", survey, err)
	}
	for i, s := range survey.Skips {
		if s.Skip != skips[i] {
			t.Errorf("in pieces: %v, want %v", s.Skip, skips[i])
		}
	}
	if pkgs, err := w.Baseline().Packages(); err != nil || len(pkgs) != 1 || pkgs[0].Files != len(list) {
		t.Errorf("%+v, %v", pkgs, err)
	}
}

// Files that a reader has open stay readable while writers replace them.
func TestReaderPinned(t *testing.T) {
	sorts, strs := std(t, "sort"), std(t, "strings")
	const sort = "pkg:golang/example.com/sort@v1"
	dir := build(t, []*source.Package{pkg(t, sort, sorts)}, []*source.Package{pkg(t, "pkg:golang/example.com/strings@v1", strs)})
	b := open1(t, dir)
	digest := b.Digest()
	w := writer(t, dir)
	if err := w.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := w.Remove(context.Background(), []string{sort}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if found(t, b, sorts["slice.go"])[sort+" slice.go"] == 0 {
		t.Error("slice.go is not known to the old reader")
	}
	if m, err := b.Model(); err != nil || m.Of("go") == nil {
		t.Errorf("Model of a generation that was replaced: %v", err)
	}
	d, ok, err := b.Find(store.Sum([]byte(sorts["slice.go"])))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if text, err := b.Text(d); err != nil || string(text) != sorts["slice.go"] {
		t.Errorf("Text of a generation that was replaced: %v", err)
	}
	if b.Digest() != digest || open1(t, dir).Digest() == digest {
		t.Error("digests")
	}
}

// Readers and a writer run at the same time. Every generation that opens is complete.
func TestReadersWhileWriting(t *testing.T) {
	ps := samples(t)
	dir := build(t, ps[:1])
	done := make(chan struct{})
	var g sync.WaitGroup
	for range 2 {
		g.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				b, err := Open(context.Background(), dir)
				if err != nil {
					t.Errorf("Open: %v", err)
					return
				}
				if _, err := b.Info(); err != nil {
					t.Error(err)
				}
				if _, err := b.Model(); err != nil {
					t.Error(err)
				}
				b.Close()
			}
		})
	}
	for _, p := range ps[1:] {
		w := writer(t, dir)
		add(t, w, p)
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	close(done)
	g.Wait()
	verify(t, dir)
}

func TestSecondWriterWaits(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := OpenWriter(ctx, dir, Defaults); !errors.Is(err, context.Canceled) {
		t.Errorf("a second writer that is told to stop waiting: %v", err)
	}
	opened := make(chan *Writer)
	go func() {
		w, err := OpenWriter(context.Background(), dir, Defaults)
		if err != nil {
			t.Error(err)
		}
		opened <- w
	}()
	add(t, w, pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list")))
	select {
	case <-opened:
		t.Fatal("two writers at once")
	default:
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	second := <-opened
	defer second.Close()
	if got := purls(t, second.Baseline()); len(got) != 1 {
		t.Errorf("the second writer sees %v", got)
	}
}

func TestNotABaseline(t *testing.T) {
	for name, files := range map[string][]string{
		"sources": {"main.go"}, "locked by others": {"lock", "main.go"}, "models": {"big.model", "lock"},
		"segments of others": {"manifest-notes.json", "x.fps"}, "a build": {"building", "buildings.txt"},
	} {
		dir := t.TempDir()
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(dir, f), []byte("theirs"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		before := listing(t, dir)
		var none *NotBaselineError
		if _, err := OpenWriter(context.Background(), dir, Defaults); !errors.As(err, &none) {
			t.Errorf("%s: OpenWriter: %v", name, err)
		}
		if _, err := Open(context.Background(), dir); !errors.As(err, &none) {
			t.Errorf("%s: Open: %v", name, err)
		}
		if after := listing(t, dir); !maps.Equal(before, after) {
			t.Errorf("%s: touched: %v", name, slices.Sorted(maps.Keys(after)))
		}
	}
	var none *NotBaselineError
	if _, err := Open(context.Background(), filepath.Join(t.TempDir(), "nowhere")); !errors.As(err, &none) {
		t.Errorf("Open of nothing: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenWriter(context.Background(), file, Defaults); err == nil {
		t.Error("OpenWriter takes a file")
	}
	if _, err := Open(context.Background(), file); err == nil {
		t.Error("Open takes a file")
	}
}

// Foreign files in a baseline's directory survive its sweeps.
func TestSweepKeepsForeign(t *testing.T) {
	dir := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))})
	for _, n := range []string{"README.md", "manifest-notes.json", "nn.model", "x.fps", "x.docs"} {
		if err := os.WriteFile(filepath.Join(dir, n), []byte("theirs"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before := listing(t, dir)
	if err := writer(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	if after := listing(t, dir); !maps.Equal(before, after) {
		t.Errorf("%v, before %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
}

// edit changes the manifest of a baseline by text.
func edit(t *testing.T, dir, from, to string) {
	t.Helper()
	names, err := generation.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, names[len(names)-1])
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(from)) {
		t.Fatalf("the manifest has no %q", from)
	}
	if err := os.WriteFile(path, bytes.Replace(b, []byte(from), []byte(to), 1), 0o644); err != nil {
		t.Fatal(err)
	}
}

// forge edits a manifest and corrects its checksum.
func forge(t *testing.T, dir, from, to string) {
	t.Helper()
	edit(t, dir, from, to)
	names, err := generation.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, names[len(names)-1])
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var m generation.Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	if b, err = m.Encode(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestDamagedManifest(t *testing.T) {
	p := pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))
	segment := func(dir string) string {
		m, err := generation.Newest(dir)
		if err != nil {
			t.Fatal(err)
		}
		return m.Segments[0].Name
	}
	for name, damage := range map[string]func(dir string){
		"no JSON":            func(dir string) { edit(t, dir, "{", "") },
		"a key unknown":      func(dir string) { edit(t, dir, `"segments"`, `"regments"`) },
		"a key added":        func(dir string) { edit(t, dir, `"segments"`, `"more": 1, "segments"`) },
		"a key twice":        func(dir string) { edit(t, dir, `"segments"`, `"segments": [], "segments"`) },
		"a key's case":       func(dir string) { edit(t, dir, `"segments"`, `"Segments"`) },
		"a space":            func(dir string) { edit(t, dir, " ", "\t") },
		"more behind":        func(dir string) { edit(t, dir, "\n}", "\n}\n{}") },
		"a number":           func(dir string) { edit(t, dir, `"docs": `, `"docs": 1`) },
		"no checksum":        func(dir string) { edit(t, dir, `"sum"`, `"sun"`) },
		"leaving":            func(dir string) { forge(t, dir, segment(dir), "../x") },
		"upper case":         func(dir string) { forge(t, dir, segment(dir), strings.ToUpper(segment(dir)[:31])+"A") },
		"model leaving":      func(dir string) { forge(t, dir, `"model": "`, `"model": "../`) },
		"another generation": func(dir string) { forge(t, dir, `"generation": 1`, `"generation": 9`) },
		"negative package":   func(dir string) { forge(t, dir, `"postings"`, `"removed": [-1], "postings"`) },
		"packages twice":     func(dir string) { forge(t, dir, `"postings"`, `"removed": [0, 0], "postings"`) },
		"k":                  func(dir string) { forge(t, dir, fmt.Sprintf(`"K": %d`, Defaults.K), `"K": 0`) },
		"segment missing":    func(dir string) { forge(t, dir, segment(dir), strings.Repeat("0", 32)) },
		"fps missing":        func(dir string) { os.Remove(filepath.Join(dir, segment(dir)+".fps")) },
		"docs missing":       func(dir string) { os.Remove(filepath.Join(dir, segment(dir)+".docs")) },
	} {
		dir := build(t, []*source.Package{p})
		damage(dir)
		before := listing(t, dir)
		var corrupt *CorruptError
		if _, err := Open(context.Background(), dir); !errors.As(err, &corrupt) || corrupt.Path != dir {
			t.Errorf("%s: Open: %v", name, err)
		}
		if _, err := OpenWriter(context.Background(), dir, Defaults); !errors.As(err, &corrupt) {
			t.Errorf("%s: OpenWriter: %v", name, err)
		}
		if !maps.Equal(before, listing(t, dir)) {
			t.Errorf("%s: opening it changed files", name)
		}
	}
}

// Each flipped bit of a manifest is noticed when the baseline is opened. So no segment is forgotten and no removed
// package comes back.
func TestEveryBitOfManifest(t *testing.T) {
	if testing.Short() {
		t.Skip("flips every bit")
	}
	p := func(name string) *source.Package {
		return pkg(t, "pkg:golang/example.com/"+name+"@v1", with(std(t, "container/list"), name+".go", "package "+name+"\n"+strings.Repeat("func f(a, b int) int { return a*b + a }\n", 9)))
	}
	dir := build(t, []*source.Package{p("a"), p("b"), p("c"), p("d"), p("e"), p("f")}, []*source.Package{p("g")})
	w := writer(t, dir)
	if err := w.Remove(context.Background(), []string{"pkg:golang/example.com/b@v1"}); err != nil {
		t.Fatal(err)
	}
	w.Close()
	path := filepath.Join(dir, generation.NameOf(w.man.Generation))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(whole, []byte(`"removed"`)) {
		t.Fatalf("no removed package in %s", whole)
	}
	for bit := range 8 * len(whole) {
		b := bytes.Clone(whole)
		b[bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if bl, err := Open(context.Background(), dir); err == nil {
			bl.Close()
			t.Errorf("bit %d of byte %d, in %q, is not noticed", bit%8, bit/8, whole[max(0, bit/8-9):min(len(whole), bit/8+9)])
		}
	}
}

// A baseline of another format is distinguished from a damaged one, and left unchanged.
func TestOtherFormats(t *testing.T) {
	dir := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))})
	for _, n := range []string{"1", "2", "3", "5"} {
		edit(t, dir, `"format": `, `"format": `+n+`, "was": `)
		before := listing(t, dir)
		var other *FormatError
		if _, err := Open(context.Background(), dir); !errors.As(err, &other) || fmt.Sprint(other.Have) != n || other.Path != dir {
			t.Errorf("format %s: Open: %v", n, err)
		}
		if _, err := OpenWriter(context.Background(), dir, Defaults); !errors.As(err, &other) {
			t.Errorf("format %s: OpenWriter: %v", n, err)
		}
		if !maps.Equal(before, listing(t, dir)) {
			t.Errorf("format %s: opening it changed files", n)
		}
		edit(t, dir, `"format": `+n+`, "was": `, `"format": `)
	}
	verify(t, dir)
}

// If the manifest is lost, the next add does not remove the segments.
func TestLostManifest(t *testing.T) {
	p := pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))
	dir := build(t, []*source.Package{p})
	path := filepath.Join(dir, generation.NameOf(1))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(path)
	before := listing(t, dir)
	var lost *LostManifestError
	if _, err := Open(context.Background(), dir); !errors.As(err, &lost) || lost.Files != 3 {
		t.Errorf("Open: %v", err)
	}
	if _, err := OpenWriter(context.Background(), dir, Defaults); !errors.As(err, &lost) {
		t.Errorf("OpenWriter: %v", err)
	}
	if !maps.Equal(before, listing(t, dir)) {
		t.Error("opening it changed files")
	}
	if err := os.WriteFile(path, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	verify(t, dir)
}

// An add that is stopped after it has written segments removes them.
func TestFailedAddLeavesNothing(t *testing.T) {
	ps := samples(t)
	dir := build(t, ps[:1], ps[1:2])
	before := listing(t, dir)
	w := writer(t, dir)
	defer w.Close()
	w.flushBytes = 5000
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	files, most := 0, 0
	_, err := w.Add(ctx, ps[2:], AddOptions{Workers: 2, Progress: func(string, int, int64) {
		most = max(most, len(listing(t, dir)))
		if files++; files == 9 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || most <= len(before) {
		t.Fatalf("%v, with %d files at most", err, most)
	}
	if after := listing(t, dir); !maps.Equal(before, after) {
		t.Errorf("left %v", slices.Sorted(maps.Keys(after)))
	}
}

func TestForgedManifest(t *testing.T) {
	p := pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))
	for name, damage := range map[string][2]string{
		"package out of range": {`"postings"`, `"removed": [7], "postings"`}, "postings": {`"postings": `, `"postings": 1`}, "documents": {`"docs": `, `"docs": 1`},
	} {
		dir := build(t, []*source.Package{p})
		forge(t, dir, damage[0], damage[1])
		b, err := Open(context.Background(), dir)
		if err == nil {
			err = errors.Join(b.Verify(context.Background()), b.Close())
		}
		if _, corrupt := errors.AsType[*CorruptError](err); !corrupt {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSwappedSegment: a file of another baseline in the place of one's own is damage, however sound it is by itself, and even if it has
// as many documents.
func TestSwappedSegment(t *testing.T) {
	dir := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))})
	equal := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/ring"))})
	if one, other := open1(t, dir).segs[0].docs.Docs(), open1(t, equal).segs[0].docs.Docs(); one != other {
		t.Fatalf("%d and %d documents", one, other)
	}
	others := []string{equal, build(t, []*source.Package{pkg(t, "pkg:golang/example.com/r@v1", std(t, "errors"))})}
	for _, other := range others {
		for _, ending := range []string{"*.fps", "*.docs"} {
			here, there := segmentFile(t, dir, ending), segmentFile(t, other, ending)
			own := swap(t, here, there)
			if _, err := Open(context.Background(), dir); err == nil {
				t.Errorf("%s of another baseline is accepted", ending)
			} else if _, corrupt := errors.AsType[*CorruptError](err); !corrupt {
				t.Errorf("%s: %v", ending, err)
			}
			if err := os.WriteFile(here, own, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// swap puts the content of another file in the place of a file, and returns what it had.
func swap(t *testing.T, file, other string) []byte {
	t.Helper()
	own, err := os.ReadFile(file)
	foreign, err2 := os.ReadFile(other)
	if err = errors.Join(err, err2, os.Remove(file), os.WriteFile(file, foreign, 0o644)); err != nil {
		t.Fatal(err)
	}
	return own
}

func segmentFile(t *testing.T, dir, ending string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, ending))
	if err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	return all[0]
}

func TestSchemeDiffers(t *testing.T) {
	dir := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))})
	forge(t, dir, IndexID(Defaults), "gp1-k20-w12-of-another-program")
	var scheme *SchemeError
	if _, err := Open(context.Background(), dir); !errors.As(err, &scheme) || scheme.Want != IndexID(Defaults) {
		t.Errorf("Open: %v", err)
	}
	if _, err := OpenWriter(context.Background(), dir, Defaults); !errors.As(err, &scheme) {
		t.Errorf("OpenWriter: %v", err)
	}
}

// An existing baseline keeps its k and w.
func TestParamsKept(t *testing.T) {
	dir := t.TempDir()
	p := fingerprint.Params{K: 15, W: 7}
	w, err := OpenWriter(context.Background(), dir, p)
	if err != nil {
		t.Fatal(err)
	}
	add(t, w, pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list")))
	w.Close()
	w = writer(t, dir)
	defer w.Close()
	if w.Baseline().Params() != p {
		t.Errorf("params %+v, want %+v", w.Baseline().Params(), p)
	}
	if _, err := OpenWriter(context.Background(), t.TempDir(), fingerprint.Params{}); err == nil {
		t.Error("k 0 is accepted")
	}
}

// Verify finds any changed byte.
func TestVerifyFindsDamage(t *testing.T) {
	dir := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", with(std(t, "container/list"), "LICENSE", mit))})
	for name, text := range listing(t, dir) {
		ext := filepath.Ext(name)
		if ext != ".fps" && ext != ".docs" && ext != generation.ModelSuffix {
			continue
		}
		step := max(1, len(text)/97)
		for at := 0; at < len(text); at += step {
			b := []byte(text)
			b[at] ^= 1 << (at % 8)
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
			bl, err := Open(context.Background(), dir)
			if err == nil {
				err = bl.Verify(context.Background())
				bl.Close()
			}
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) {
				t.Errorf("%s: byte %d of %d changed: %v", ext, at, len(text), err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	verify(t, dir)
}

// If a writer is stopped at any file, the generation before remains.
func TestStopped(t *testing.T) {
	ps := samples(t)
	dir := build(t, ps[:1])
	digest := open1(t, dir).Digest()
	for stop := 1; ; stop += 3 {
		ctx, cancel := context.WithCancel(context.Background())
		w := writer(t, dir)
		n := 0
		_, err := w.Add(ctx, ps[1:], AddOptions{Workers: 2, Progress: func(string, int, int64) {
			if n++; n == stop {
				cancel()
			}
		}})
		done := n < stop
		cancel()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if done {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped at file %d: %v", stop, err)
		}
		if got := open1(t, dir).Digest(); got != digest {
			t.Fatalf("stopped at file %d: digest %s, want %s", stop, got, digest)
		}
	}
	verify(t, dir)
}

// The next writer removes the leftovers of a killed one.
func TestLeftovers(t *testing.T) {
	dir := build(t, []*source.Package{pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))})
	before := listing(t, dir)
	old := generation.NameOf(0)
	for _, n := range []string{"building.docs", "building.docs.tmp", "building.fps", "building.fps.1ab2.tmp", ".tmp-123", strings.Repeat("ab", 16) + ".fps",
		strings.Repeat("ab", 16) + ".docs", strings.Repeat("ab", 16) + ".model", old} {
		if err := os.WriteFile(filepath.Join(dir, n), []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	verify(t, dir)
	w := writer(t, dir)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if after := listing(t, dir); !maps.Equal(before, after) {
		t.Errorf("left: %v, want %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
	// the same before there is any generation
	empty := t.TempDir()
	for _, n := range []string{"building.docs.tmp", "lock", generation.Begun, strings.Repeat("ab", 16) + ".fps"} {
		if err := os.WriteFile(filepath.Join(empty, n), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer(t, empty).Close(); err != nil {
		t.Fatal(err)
	}
	if got := listing(t, empty); len(got) > 0 {
		t.Errorf("left: %v", got)
	}
}

// A writer that makes no baseline leaves nothing: no lock, and no directory that it made. One that waits for it meanwhile makes the
// baseline; so do several at once.
func TestNothingLeft(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{filepath.Join(top, "a", "b"), top} {
		w := writer(t, dir)
		if _, err := w.Import(t.Context(), strings.NewReader("no export"), ImportOptions{}); err == nil {
			t.Error("no error")
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if es, err := os.ReadDir(top); err != nil || len(es) > 0 {
			t.Errorf("left: %v, %v", es, err)
		}
	}
	dir := filepath.Join(top, "c")
	var all sync.WaitGroup
	var held, made atomic.Int32
	for i := range 16 {
		all.Go(func() {
			w, err := OpenWriter(t.Context(), dir, Defaults)
			if err != nil {
				t.Error(err)
				return
			}
			if held.Add(1) > 1 {
				t.Error("two writers hold the lock")
			}
			if i == 7 {
				if ok, err := w.Init(t.Context()); err != nil || !ok {
					t.Error(ok, err)
				}
				made.Add(1)
			}
			held.Add(-1)
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if made.Load() != 1 || len(listing(t, dir)) == 0 {
		t.Error("no baseline is left")
	}
}

const killedEnv = "BASELINE_TEST_KILLED"

// TestMain lets the test binary be the writer that TestKilled kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv(killedEnv); dir != "" {
		if err := churn(dir, os.Getenv(killedEnv+"_SOURCES")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// churn adds, removes and compacts until it is killed.
func churn(dir, sources string) error {
	ctx := context.Background()
	w, err := OpenWriter(ctx, dir, Defaults)
	if err != nil {
		return err
	}
	es, err := os.ReadDir(sources)
	if err != nil {
		return err
	}
	for {
		var names []string
		for _, e := range es {
			names = append(names, "pkg:golang/example.com/"+e.Name()+"@v1")
			pkgs, err := source.Open(ctx, filepath.Join(sources, e.Name()), source.Options{PURL: names[len(names)-1]})
			if err == nil {
				_, err = w.Add(ctx, pkgs, AddOptions{Workers: 2})
			}
			if err != nil {
				return err
			}
		}
		fmt.Println("round")
		if err := w.Compact(ctx); err != nil {
			return err
		}
		if err := w.Remove(ctx, names[1:]); err != nil {
			return err
		}
	}
}

func TestKilled(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	sources := t.TempDir()
	for _, name := range []string{"sort", "list", "heap"} {
		path := map[string]string{"sort": "sort", "list": "container/list", "heap": "container/heap"}[name]
		if err := os.Mkdir(filepath.Join(sources, name), 0o755); err != nil {
			t.Fatal(err)
		}
		for f, text := range std(t, path) {
			if err := os.WriteFile(filepath.Join(sources, name, f), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	dir := t.TempDir()
	for i := range 7 {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), killedEnv+"="+dir, killedEnv+"_SOURCES="+sources)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		out.Read(make([]byte, 1)) // the first round is over, so there is data to lose
		time.Sleep(time.Duration(i*11) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		b, err := Open(context.Background(), dir)
		if err != nil {
			t.Fatalf("killed %d: %v", i, err)
		}
		if err := b.Verify(context.Background()); err != nil {
			t.Errorf("killed %d: %v", i, err)
		}
		if got := purls(t, b); len(got) == 0 || !slices.Contains(got, "pkg:golang/example.com/heap@v1") {
			t.Errorf("killed %d: packages %v", i, got)
		}
		b.Close()
	}
	w := writer(t, dir)
	defer w.Close()
	for n := range listing(t, dir) {
		if strings.HasPrefix(n, generation.TempPrefix) || strings.HasPrefix(n, generation.Building) {
			t.Errorf("left: %s", n)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestNamesOfOnePackage: a name that one package has in every directory is as rare as one that it has once. A name that
// several packages have is not, nor is one that a standard library has throughout.
func TestNamesOfOnePackage(t *testing.T) {
	directories := func(purl, name string) *source.Package {
		files := map[string]string{}
		for i := range 12 {
			files[fmt.Sprintf("part%d/file.go", i)] = fmt.Sprintf("package part%d\n\nfunc %s(a, b, c int) int {\n\tuncommonly := a*b + c\n\tfor uncommonly > %d && a < b {\n\t\tuncommonly -= c\n\t}\n\treturn uncommonly * %d\n}\n", i, name, i, 100+i)
		}
		return pkg(t, purl, files)
	}
	var pkgs []*source.Package
	for i := range 5 {
		pkgs = append(pkgs, directories(fmt.Sprintf("pkg:golang/example.org/p%d@v1.0.0", i), fmt.Sprintf("throughout%c", 'A'+i)))
	}
	pkgs = append(pkgs, directories("pkg:golang/std@1.26.0", "standardly"))
	m, err := open1(t, build(t, pkgs)).Model()
	if err != nil {
		t.Fatal(err)
	}
	c := model.Frequencies{m.Of("go")}
	if bits := c.Name([]byte("throughoutC")); !math.IsInf(bits, 1) {
		t.Errorf("a name of one package costs %v bits, want that it is rare", bits)
	}
	if bits := c.Name([]byte("uncommonly")); math.IsInf(bits, 1) || m.Of("go").Units != 72 {
		t.Errorf("a name of six packages costs %v bits in %d units, want that it is known", bits, m.Of("go").Units)
	}
	if bits := c.Name([]byte("standardly")); math.IsInf(bits, 1) {
		t.Errorf("a name that the standard library has throughout costs %v bits, want that it is known", bits)
	}
}
