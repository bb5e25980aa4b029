package source

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/module"

	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

func TestGoRoot(t *testing.T) {
	p := openOne(t, goEnv(t, "GOROOT"), Options{})
	version := strings.TrimPrefix(strings.Fields(goEnv(t, "GOVERSION"))[0], "go")
	same(t, "purl", p.PURL, "pkg:golang/std@"+version)
	same(t, "license", p.License, "BSD-3-Clause")
	if p.Released.Year() < 2023 {
		t.Errorf("released %v", p.Released)
	}
	r := walk(t, p, Limits{})
	if r.files["fmt/print.go"] == "" || r.skipped["vendor/"] != ReasonVendored || r.skipped["go/parser/testdata/"] != ReasonTestdata {
		t.Errorf("%d files, skipped %v", len(r.files), r.skipped)
	}
}

func TestGoVersion(t *testing.T) {
	for in, want := range map[string]string{
		"go1.26.8\ntime 2026-08-28T16:20:06Z\n": "1.26.8 2026-08-28T16:20:06Z",
		"go1.20":                                "1.20 0001-01-01T00:00:00Z",
		"1.0":                                   "", "": "", "go": "", "go to hell": "", "go1/../2": "",
	} {
		version, released, ok := goVersion(in)
		if got := version + " " + released.Format(time.RFC3339); ok != (want != "") || ok && got != want {
			t.Errorf("%q: got %q, %v", in, got, ok)
		}
	}
}

// modCache is a small module cache.
func modCache(t testing.TB) string {
	return tree(t, map[string]string{
		"a.b/c@v1.0.0/c.go":                            "c1",
		"a.b/c@v1.1.0/c.go":                            "c11",
		"a.b/c@v1.1.0/vendor/x/x.go":                   "",
		"github.com/!big/d@v1.0.0/d.go":                "d",
		"a.b/partial@v1.0.0/p.go":                      "",
		"a.b/!x@v1.0.0-!r!c1/x.go":                     "x",
		"not@amodule/x.go":                             "",
		"cache/download/a.b/c/@v/v1.0.0.info":          `{"Version":"v1.0.0","Time":"2020-01-02T03:04:05Z"}`,
		"cache/download/a.b/partial/@v/v1.0.0.partial": "",
		"cache/download/a.b/zip/@v/v1.0.0.zip":         string(buildZip(t, entry{name: "a.b/zip@v1.0.0/z.go", content: "z"})),
	})
}

func TestGoMod(t *testing.T) {
	cache := modCache(t)
	dir := tree(t, map[string]string{"go.mod": `module m.n/o
go 1.26
require (
	a.b/c v1.0.0
	a.b/old v1.0.0
	a.b/gone v1.0.0 // indirect
	a.b/zip v1.0.0
	github.com/Big/d v1.0.0 // indirect
)
replace a.b/old v1.0.0 => a.b/c v1.1.0
replace a.b/old => a.b/nowhere v1.0.0
replace a.b/gone => ../gone
`})
	var skipped []Skipped
	pkgs, err := Open(t.Context(), filepath.Join(dir, "go.mod"), Options{ModCache: cache, Skipped: func(s Skipped) { skipped = append(skipped, s) }})
	must(t, err)
	same(t, "packages", purls(pkgs), []string{"pkg:golang/a.b/c@v1.0.0", "pkg:golang/a.b/c@v1.1.0", "pkg:golang/a.b/zip@v1.0.0", "pkg:golang/github.com/Big/d@v1.0.0"})
	same(t, "skipped", skipped, []Skipped{{"pkg:golang/a.b/gone@v1.0.0", ReasonLocal, "../gone", "", NoAnswer}})
	same(t, "from", pkgs[3].From, "$GOMODCACHE/github.com/!big/d@v1.0.0")
	same(t, "released", pkgs[0].Released.Format(time.RFC3339), "2020-01-02T03:04:05Z")
	same(t, "files", walk(t, pkgs[1], Limits{}).files, map[string]string{"c.go": "c11"})
	same(t, "zip", walk(t, pkgs[2], Limits{}).files, map[string]string{"z.go": "z"})
}

// Missing modules keep no other module out, and the command that fetches them is reported.
func TestGoModMissing(t *testing.T) {
	dir := tree(t, map[string]string{"go.mod": "module m.n/o\nrequire (\n\ta.b/c v1.0.0\n\ta.b/partial v1.0.0\n\ta.b/Gone v1.0.0\n)\n"})
	var skipped []Skipped
	o := Options{ModCache: modCache(t), Offline: true, Skipped: func(s Skipped) { skipped = append(skipped, s) }}
	pkgs, err := Open(t.Context(), filepath.Join(dir, "go.mod"), o)
	must(t, err)
	same(t, "packages", purls(pkgs), []string{"pkg:golang/a.b/c@v1.0.0"})
	bring := "(cd " + dir + " && go mod download)"
	detail := fmt.Sprintf("not on this machine: run %q", bring)
	same(t, "skipped", skipped, []Skipped{
		{"pkg:golang/a.b/Gone@v1.0.0", ReasonMissing, detail, bring, NoAnswer},
		{"pkg:golang/a.b/partial@v1.0.0", ReasonMissing, detail, bring, NoAnswer},
	})
}

// Modules that are missing in the module cache are requested from the configured proxy.
func TestGoModFetched(t *testing.T) {
	dir := tree(t, map[string]string{"go.mod": "module m.n/o\nrequire (\n\ta.b/c v1.0.0\n\ta.b/Gone v1.0.0\n)\n"})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/a.b/!gone/@v/v1.0.0.info" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, `{"Version":"v1.0.0","Time":"2021-02-03T04:05:06Z"}`)
	}))
	defer srv.Close()
	pkgs, err := Open(t.Context(), filepath.Join(dir, "go.mod"), Options{ModCache: modCache(t), GoProxy: srv.URL})
	must(t, err)
	same(t, "packages", purls(pkgs), []string{"pkg:golang/a.b/Gone@v1.0.0", "pkg:golang/a.b/c@v1.0.0"})
	same(t, "released", pkgs[0].Released.Format(time.RFC3339), "2021-02-03T04:05:06Z")
}

func TestModCache(t *testing.T) {
	cache := modCache(t)
	same(t, "entry", openOne(t, filepath.Join(cache, "github.com", "!big", "d@v1.0.0"), Options{ModCache: cache}).PURL, "pkg:golang/github.com/Big/d@v1.0.0")
	var skipped []Skipped
	pkgs, err := Open(t.Context(), cache, Options{ModCache: cache, Skipped: func(s Skipped) { skipped = append(skipped, s) }})
	must(t, err)
	same(t, "all", purls(pkgs), []string{"pkg:golang/a.b/X@v1.0.0-RC1", "pkg:golang/a.b/c@v1.0.0", "pkg:golang/a.b/c@v1.1.0", "pkg:golang/github.com/Big/d@v1.0.0"})
	same(t, "skipped", skipped, []Skipped{{"a.b/partial@v1.0.0/", ReasonMetadata, "not a module", "", NoAnswer}, {"not@amodule/", ReasonMetadata, "not a module", "", NoAnswer}})
	if _, err := Open(t.Context(), filepath.Join(cache, "a.b"), Options{ModCache: cache}); err == nil {
		t.Error("a folder above modules was opened")
	}
}

func TestVendor(t *testing.T) {
	dir := tree(t, map[string]string{
		"vendor/modules.txt": `# a.b/c v1.0.0
## explicit; go 1.20
a.b/c
# a.b/c/sub v1.1.0
## explicit
a.b/c/sub
# a.b/old v1.0.0 => x.y/New v2.0.0-20200102030405-123456789012
a.b/old
# a.b/local v1.0.0 => ./local
a.b/local
# a.b/unused v1.0.0
## explicit
# ../../etc v1.0.0
# a.b/old => x.y/New v2.0.0-20200102030405-123456789012
`,
		"vendor/a.b/c/c.go": "c", "vendor/a.b/c/LICENSE": "l", "vendor/a.b/c/sub/s.go": "s", "vendor/a.b/c/own/o.go": "o", "vendor/a.b/old/n.go": "n", "vendor/a.b/local/l.go": "",
	})
	var skipped []Skipped
	pkgs, err := Open(t.Context(), filepath.Join(dir, "vendor"), Options{Skipped: func(s Skipped) { skipped = append(skipped, s) }})
	must(t, err)
	same(t, "packages", purls(pkgs), []string{"pkg:golang/a.b/c/sub@v1.1.0", "pkg:golang/a.b/c@v1.0.0", "pkg:golang/x.y/New@v2.0.0-20200102030405-123456789012"})
	same(t, "sub", walk(t, pkgs[0], Limits{}).files, map[string]string{"s.go": "s"})
	same(t, "c", walk(t, pkgs[1], Limits{}).files, map[string]string{"LICENSE": "l", "c.go": "c", "own/o.go": "o"})
	same(t, "released", pkgs[2].Released.Format(time.RFC3339), "2020-01-02T03:04:05Z")
	same(t, "skipped", skipped, []Skipped{{filepath.Join(dir, "vendor", "a.b", "local"), ReasonLocal, "./local", "", NoAnswer}})
}

// The modules that this project requires are in the module cache of the machine that tests it, if its packages are
// built there.
func TestOwnGoMod(t *testing.T) {
	cache := goEnv(t, "GOMODCACHE")
	pkgs, err := Open(t.Context(), filepath.Join("..", "..", "go.mod"), Options{ModCache: cache, Offline: true})
	must(t, err)
	if len(pkgs) == 0 {
		t.Skip("no module is here")
	}
	for _, p := range pkgs {
		if !strings.HasPrefix(p.PURL, "pkg:golang/golang.org/x/") {
			continue
		}
		r := walk(t, p, Limits{})
		if r.files["go.mod"] == "" || r.files["LICENSE"] == "" || p.Released.IsZero() {
			t.Errorf("%s: %d files, released %v", p.PURL, len(r.files), p.Released)
		}
	}
}

// FuzzGoFiles reads any input as modules.txt and VERSION: no panic, and every returned module path is valid.
func FuzzGoFiles(f *testing.F) {
	f.Add("# a.b/c v1.0.0 => d.e/f v1.1.0\n")
	f.Add("go1.26.0\ntime 2026-02-10T01:02:03Z\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range manifest.Modules([]byte(text)) {
			if module.CheckImportPath(m.Dir) != nil {
				t.Fatalf("%q", m.Dir)
			}
		}
		if v, _, ok := goVersion(text); ok && v == "" {
			t.Fatal("no version")
		}
	})
}

// A fetched module must match go.sum. Without go.sum the database is asked, which does not exist here.
func TestGoSum(t *testing.T) {
	zip := buildZip(t, entry{name: "a.b/far@v1.0.0/far.go", content: "package far"})
	h1, err := files.HashZip(t.Context(), files.Blob{ReaderAt: bytes.NewReader(zip), Size: int64(len(zip))}, "x", Limits{})
	must(t, err)
	srv := registry(t, map[string]string{"/a.b/far/@v/v1.0.0.info": `{"Version":"v1.0.0"}`, "/a.b/far/@v/v1.0.0.zip": string(zip)})
	for sum, fine := range map[string]bool{"": true, "a.b/far v1.0.0 " + h1: true, "a.b/far v1.0.0 h1:" + strings.Repeat("A", 43) + "=": false} {
		dir := tree(t, map[string]string{"go.mod": "module m.n/o\nrequire a.b/far v1.0.0\n", "go.sum": "a.b/far v1.0.0/go.mod h1:x=\n" + sum + "\n"})
		pkgs, err := Open(t.Context(), filepath.Join(dir, "go.mod"), Options{GoProxy: srv.URL})
		must(t, err)
		var wrong *IntegrityError
		if _, err := tryWalk(pkgs[0], Limits{}); fine && err != nil || !fine && !errors.As(err, &wrong) {
			t.Errorf("%q: %v", sum, err)
		}
	}
}

// If go.sum has no checksum of a known kind for a module, the module is left out. If go.sum cannot be read, all modules
// are.
func TestGoSumUnreadable(t *testing.T) {
	var skipped []Skipped
	o := Options{GoProxy: "http://127.0.0.1:1", Skipped: func(s Skipped) { skipped = append(skipped, s) }}
	for _, line := range []string{"a.b/far v1.0.0 h9:x=", "a.b/far v1.0.0", "a.b/far v1.0.0 h1:x= y"} {
		skipped = nil
		dir := tree(t, map[string]string{"go.mod": "module m.n/o\nrequire a.b/far v1.0.0\n", "go.sum": line + "\n"})
		pkgs, err := Open(t.Context(), filepath.Join(dir, "go.mod"), o)
		if err != nil || len(pkgs) != 0 || len(skipped) != 1 || skipped[0].Reason != ReasonChecksum || skipped[0].Path != "pkg:golang/a.b/far@v1.0.0" {
			t.Errorf("%s: %v, %v, skipped %v", line, pkgs, err, skipped)
		}
	}
	skipped = nil
	dir := tree(t, map[string]string{"go.mod": "module m.n/o\nrequire a.b/far v1.0.0\n", "go.sum/x": ""})
	_, err := Open(t.Context(), filepath.Join(dir, "go.mod"), o)
	must(t, err)
	if len(skipped) != 2 || skipped[0].Reason != ReasonUnreadable || skipped[0].Path != filepath.Join(dir, "go.sum") || skipped[1].Reason != ReasonChecksum {
		t.Errorf("skipped %v", skipped)
	}
}
