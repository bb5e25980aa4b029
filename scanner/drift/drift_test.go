package drift_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/baselinetest"
	"github.com/git-provenance/git-provenance/baseline/shared"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/drift"
)

// code returns a file of 20 lines of code that differ from those of other names.
func code(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nfunc %s(a, b, c int) int {\n", name, name)
	for i := range 16 {
		fmt.Fprintf(&b, "\t%s%d := (a + b) * c << %d\n", name, i, i)
	}
	return b.String() + "\treturn a\n}\n"
}

// base indexes packages: package URL → path → text.
func base(t *testing.T, packages map[string]map[string]string) *baseline.Baseline {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "baseline")
	fill(t.Context(), t, dir, packages)
	b, err := baseline.Open(t.Context(), dir)
	must(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

func fill(ctx context.Context, t *testing.T, at string, packages map[string]map[string]string) {
	t.Helper()
	var pkgs []*source.Package
	for name, files := range packages {
		dir := t.TempDir()
		for path, text := range files {
			full := filepath.Join(dir, filepath.FromSlash(path))
			must(t, os.MkdirAll(filepath.Dir(full), 0o755))
			must(t, os.WriteFile(full, []byte(text), 0o644))
		}
		opened, err := source.Open(t.Context(), dir, source.Options{PURL: name, License: "MIT", Offline: true})
		must(t, err)
		pkgs = append(pkgs, opened...)
	}
	w, err := baseline.OpenWriter(ctx, at, baseline.Defaults)
	must(t, err)
	_, err = w.Add(ctx, pkgs, baseline.AddOptions{})
	must(t, err)
	must(t, w.Close())
}

func find(t *testing.T, b *baseline.Baseline, among string, files map[string]string) string {
	t.Helper()
	var list []drift.File
	for path, text := range files {
		list = append(list, drift.File{Path: path, Text: []byte(text)})
	}
	d, err := drift.Find(t.Context(), b, list, among)
	must(t, err)
	out := fmt.Sprintf("%s equal %d", d.PURL, d.Equal)
	for _, c := range d.Changed {
		out += fmt.Sprintf("; %s from %s +%d -%d", c.Path, c.Origin, c.Added, c.Gone)
	}
	return out + fmt.Sprintf("; local %q", d.Local)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func is(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A file that many packages have does not make another package the answer, nor does one that carries all files of this.
func TestFilesOfManyPackages(t *testing.T) {
	b := base(t, map[string]map[string]string{
		"pkg:generic/bundle@1": {"z/shared.go": code("shared"), "z/one.go": code("one"), "z/two.go": code("two"), "own.go": code("own")},
		"pkg:generic/small@1":  {"shared.go": code("shared")},
		"pkg:generic/zlib@1":   {"shared.go": code("shared"), "one.go": code("one"), "two.go": code("two")},
	})
	is(t, find(t, b, "", map[string]string{"shared.go": code("shared"), "one.go": code("one"), "two.go": code("two")}),
		`pkg:generic/zlib@1 equal 3; local []`)
	changed := func(name string) string { return strings.Replace(code(name), "(a + b)", "(b + a)", 3) }
	is(t, find(t, b, "", map[string]string{"shared.go": code("shared"), "one.go": changed("one"), "two.go": changed("two")}),
		`pkg:generic/zlib@1 equal 1; one.go from one.go +3 -3; two.go from two.go +3 -3; local []`)
}

// The latest of several versions is taken, the one with fewest changed lines if files were changed.
func TestVersions(t *testing.T) {
	b := base(t, map[string]map[string]string{
		"pkg:generic/a@1.9":  {"x.go": code("x"), "y.go": code("y"), "old.go": code("old")},
		"pkg:generic/a@1.10": {"x.go": code("x"), "y.go": code("y"), "new.go": code("new")},
		"pkg:generic/a@2.0":  {"src/renamed.go": code("x") + code("y")},
	})
	is(t, find(t, b, "", map[string]string{"x.go": code("x"), "y.go": code("y")}), `pkg:generic/a@1.10 equal 2; local []`)
	x := strings.ReplaceAll(code("x"), "\treturn a\n", "\treturn b\n")
	is(t, find(t, b, "pkg:generic/a", map[string]string{"x.go": x}), `pkg:generic/a@1.10 equal 0; x.go from x.go +1 -1; local []`)
}

// Git writes the line ends of Windows there. The files are found without --purl.
func TestLineEnds(t *testing.T) {
	b := base(t, map[string]map[string]string{"pkg:generic/a@1": {"x.go": code("x")}})
	is(t, find(t, b, "", map[string]string{"x.go": strings.ReplaceAll(code("x"), "\n", "\r\n")}), `pkg:generic/a@1 equal 0; x.go from x.go +0 -0; local []`)
}

// A file belongs to the one at its own path, although others have its name.
func TestCounterparts(t *testing.T) {
	b := base(t, map[string]map[string]string{"pkg:generic/a@1": {
		"index.go": code("top"), "a/index.go": code("a"), "a/b/index.go": code("b"), "c/x.go": code("x"), "c/index.go": code("c")}})
	is(t, find(t, b, "", map[string]string{
		"index.go": code("top") + "// ours\n", "lib/a/b/index.go": code("b") + "// ours\n", "d/x.go": code("x"), "d/index.go": code("c") + "// ours\n", "e/index.go": code("e")}),
		`pkg:generic/a@1 equal 1; d/index.go from c/index.go +1 -0; index.go from index.go +1 -0; lib/a/b/index.go from a/b/index.go +1 -0; local ["e/index.go"]`)
}

// Notebooks and UTF-16 are compared as the text that the baseline keeps of them. Names with line ends forge no hunk.
func TestTexts(t *testing.T) {
	utf16 := func(s string) string {
		out := "\xff\xfe"
		for _, c := range []byte(s) {
			out += string([]byte{c, 0})
		}
		return out
	}
	b := base(t, map[string]map[string]string{"pkg:generic/a@1": {"x.go": code("x"), "u.go": utf16(code("u")), "d/n\n@@ -1 +1 @@.go": code("n")}})
	is(t, find(t, b, "", map[string]string{"x.go": code("x"), "u.go": utf16(code("u") + "// ours\n"), "d/n\n@@ -1 +1 @@.go": code("n") + "// ours\n"}),
		"pkg:generic/a@1 equal 1; d/n\n@@ -1 +1 @@.go from d/n\n@@ -1 +1 @@.go +1 -0; u.go from u.go +1 -0; local []")
}

// A store is asked for the tables at once, and for each changed file, but not for each file that is equal.
func TestStore(t *testing.T) {
	store := baselinetest.NewFolder()
	files := make(map[string]string)
	var list []drift.File
	for i := range 200 {
		name := fmt.Sprintf("f%d", i)
		files[name+".go"] = code(name)
		list = append(list, drift.File{Path: name + ".go", Text: []byte(code(name))})
	}
	dir := t.TempDir()
	address := baselinetest.FolderAddress(filepath.Join(dir, "store"))
	fill(shared.WithCache(t.Context(), shared.Cache{Dir: filepath.Join(dir, "one")}), t, address, map[string]map[string]string{"pkg:generic/a@1": files})
	b, err := baseline.Open(shared.WithCache(t.Context(), shared.Cache{Dir: filepath.Join(dir, "two")}), address)
	must(t, err)
	defer b.Close()
	store.Counts()
	d, err := drift.Find(t.Context(), b, list, "")
	must(t, err)
	if n := store.Counts()["fetch"]; d.Equal != 200 || n > 5 {
		t.Errorf("%d equal files, fetched %d times", d.Equal, n)
	}
}
