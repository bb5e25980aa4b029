package scanner_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestVendoredPackages: each kind of target lists its vendored packages; a change lists those that it touches.
func TestVendoredPackages(t *testing.T) {
	repo := newRepository(t)
	base := repo.commit(files{
		"main.go": "package main\n", "vendor/modules.txt": "# a.org/x v1.0.0\na.org/x\n# a.org/y v1.0.0\na.org/y\n",
		"vendor/a.org/x/x.go": "package x\n", "vendor/a.org/y/y.go": "package y\n",
		"third_party/pad/package.json": `{"name": "pad", "version": "1.0.0", "license": "ISC"}`, "third_party/pad/index.js": "var x\n",
	})
	s := scan(t, scanner.Options{}, stdBaseline(t))
	all := []string{"pkg:npm/pad@1.0.0 2 true", "pkg:golang/a.org/x@v1.0.0 1 false", "pkg:golang/a.org/y@v1.0.0 1 false"}
	if got := vendoredOf(repo.tree(s)); !slices.Equal(got, all) {
		t.Errorf("tree: %q", got)
	}
	if got := vendoredOf(tree(t, s, repo.dir)); !slices.Equal(got, all) {
		t.Errorf("directory: %q", got)
	}
	if got := vendoredOf(repo.history(s, "")); !slices.Equal(got, all) {
		t.Errorf("history: %q", got)
	}
	if got := vendoredOf(repo.tree(s, "vendor")); !slices.Equal(got, []string{"pkg:golang/a.org/x@v1.0.0 1 true", "pkg:golang/a.org/y@v1.0.0 1 true"}) {
		t.Errorf("named: %q", got)
	}
	if got := vendoredOf(repo.history(s, "", "vendor")); !slices.Equal(got, []string{"pkg:golang/a.org/x@v1.0.0 1 true", "pkg:golang/a.org/y@v1.0.0 1 true"}) {
		t.Errorf("named in the history: %q", got)
	}
	if got := vendoredOf(repo.tree(scan(t, scanner.Options{Options: examine.Options{Exclude: []string{"third_party/"}}}, stdBaseline(t)))); got[0] != "pkg:npm/pad@1.0.0 2 false" {
		t.Errorf("excluded: %q", got)
	}
	if got := vendoredOf(repo.tree(scan(t, scanner.Options{Options: examine.Options{Vendored: true}}, stdBaseline(t)))); got[1] != "pkg:golang/a.org/x@v1.0.0 1 true" {
		t.Errorf("on request: %q", got)
	}
	repo.put(files{"main.go": "package main\n\nvar x int\n"})
	if repo.git("add", "."); len(vendoredOf(repo.staged(s))) != 0 {
		t.Error("a change that touches none lists some")
	}
	repo.put(files{"vendor/a.org/y/y.go": "package y\n\nvar x int\n"})
	repo.git("add", ".")
	y := []string{"pkg:golang/a.org/y@v1.0.0 1 false"}
	if got := vendoredOf(repo.staged(s)); !slices.Equal(got, y) {
		t.Errorf("staged: %q", got)
	}
	repo.commit(nil)
	if got := vendoredOf(repo.diff(s, base+"..HEAD")); !slices.Equal(got, y) {
		t.Errorf("diff: %q", got)
	}
}

func vendoredOf(r *finding.Report) (out []string) {
	for _, v := range r.Vendored {
		out = append(out, fmt.Sprint(v.PURL, " ", v.Files, " ", v.Scanned))
	}
	return out
}
