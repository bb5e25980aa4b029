package source

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"
)

// result is what a walk gave.
type result struct {
	files   map[string]string
	order   []string // files and skips in the order they came
	skipped map[string]string
}

func walk(t testing.TB, p *Package, lim Limits) result {
	t.Helper()
	r, err := tryWalk(p, lim)
	if err != nil {
		t.Fatalf("walk %s: %v", p.PURL, err)
	}
	if !sort.StringsAreSorted(r.order) {
		t.Errorf("walk %s: out of order: %q", p.PURL, r.order)
	}
	return r
}

func tryWalk(p *Package, lim Limits) (result, error) {
	r := result{files: map[string]string{}, skipped: map[string]string{}}
	err := p.Walk(context.Background(), lim, func(path string, data []byte) error {
		r.files[path] = string(data)
		r.order = append(r.order, path)
		return nil
	}, func(path, reason, _ string) {
		r.skipped[path] = reason
		r.order = append(r.order, path)
	})
	return r, err
}

func goEnv(t testing.TB, name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Skip("no go command here")
	}
	return strings.TrimSpace(string(out))
}

func TestGoRoot(t *testing.T) {
	pkgs, err := Open(t.Context(), runtime.GOROOT(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := pkgs[0]
	if want := "pkg:golang/std@" + strings.TrimPrefix(runtime.Version(), "go"); len(pkgs) != 1 || p.PURL != want || p.License != "BSD-3-Clause" || p.Released.IsZero() {
		t.Errorf("got %+v, want %s", p, want)
	}
	r := walk(t, p, Limits{})
	if r.files["fmt/print.go"] == "" || r.skipped["vendor/"] != ReasonVendored || r.skipped["go/parser/testdata/"] != ReasonTestdata {
		t.Errorf("%d files, skipped %v", len(r.files), r.skipped)
	}
}

func TestOwnGoMod(t *testing.T) {
	cache := goEnv(t, "GOMODCACHE")
	pkgs, err := Open(t.Context(), filepath.Join("..", "..", "go.mod"), Options{ModCache: cache})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		r := walk(t, p, Limits{})
		t.Log(p.PURL, p.Released, p.From, len(r.files), len(r.skipped))
	}
}

func TestNPMReal(t *testing.T) {
	pkgs, err := Open(t.Context(), "pkg:npm/left-pad@1.3.0", Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := walk(t, pkgs[0], Limits{})
	t.Logf("%+v %v", pkgs[0], r.order)
	pkgs, err = Open(t.Context(), "pkg:golang/golang.org/x/mod", Options{})
	if err != nil {
		t.Fatal(err)
	}
	r = walk(t, pkgs[0], Limits{})
	t.Logf("%+v %d", pkgs[0], len(r.order))
	pkgs, sk, err := Dependencies(t.Context(), "../..", Options{ModCache: goEnv(t, "GOMODCACHE"), GoRoot: runtime.GOROOT()})
	t.Log(len(pkgs), sk, err)
	pkgs, err = Open(t.Context(), "/usr/lib/node_modules", Options{})
	t.Log(len(pkgs), err)
}
