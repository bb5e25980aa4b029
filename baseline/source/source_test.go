package source

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// result has the output of a walk.
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

// tree writes files below a new directory; names ending in a slash are directories.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(full, 0o777))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(full), 0o777))
		must(t, os.WriteFile(full, []byte(content), 0o666))
	}
	return dir
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openOne(t testing.TB, arg string, o Options) *Package {
	t.Helper()
	pkgs, err := Open(t.Context(), arg, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) != 1 {
		t.Fatalf("open %s: %d packages", arg, len(pkgs))
	}
	return pkgs[0]
}

func purls(pkgs []*Package) []string {
	out := []string{}
	for _, p := range pkgs {
		out = append(out, p.PURL)
	}
	return out
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	equal := false
	switch g := got.(type) {
	case []string:
		equal = slices.Equal(g, want.([]string))
	case map[string]string:
		equal = maps.Equal(g, want.(map[string]string))
	case []Skipped:
		equal = slices.Equal(g, want.([]Skipped))
	default:
		equal = got == want
	}
	if !equal {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func goEnv(t testing.TB, name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Skip("no go command here")
	}
	return strings.TrimSpace(string(out))
}

func TestDirectory(t *testing.T) {
	dir := tree(t, map[string]string{
		"a/b.go": "1", "a.go": "2", "a-b.go": "3", "a/": "", "empty": "", "big": "0123456789", "B.go": "4",
		"vendor/x/y.go": "5", "sub/node_modules/z/index.js": "6", ".git/config": "7", "sub/vendor": "a file",
	})
	if runtime.GOOS != "windows" {
		must(t, os.Symlink("a.go", filepath.Join(dir, "link")))
		must(t, os.Symlink("..", filepath.Join(dir, "up")))
	}
	p := openOne(t, dir, Options{PURL: "pkg:npm/@a/b@1", License: "MIT", Released: time.Date(2020, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))})
	same(t, "purl", p.PURL, "pkg:npm/%40a/b@1")
	same(t, "license", p.License, "MIT")
	same(t, "released", p.Released.Format(time.RFC3339), "2020-01-02T02:04:05Z")
	r := walk(t, p, Limits{FileBytes: 9})
	same(t, "files", r.files, map[string]string{"B.go": "4", "a-b.go": "3", "a.go": "2", "a/b.go": "1", "empty": "", "sub/vendor": "a file"})
	want := map[string]string{".git/": files.ReasonVCS, "big": ReasonTooLarge, "vendor/": ReasonVendored, "sub/node_modules/": ReasonVendored}
	if runtime.GOOS != "windows" {
		want["link"], want["up"] = ReasonSymlink, ReasonSymlink
	}
	same(t, "skipped", r.skipped, want)
}

func TestNamedDirectory(t *testing.T) {
	for name, c := range map[string]struct {
		files   map[string]string
		purl    string
		license string
	}{
		"go.mod":           {map[string]string{"go.mod": "module example.com/A/b\n"}, "pkg:golang/example.com/A/b", ""},
		"package.json":     {map[string]string{"package.json": `{"name":"@a/b","version":"1.0.0","license":"MIT"}`}, "pkg:npm/%40a/b@1.0.0", "MIT"},
		"no version":       {map[string]string{"package.json": `{"name":"b"}`}, "pkg:npm/b", ""},
		"both":             {map[string]string{"go.mod": "module a.b/c", "package.json": `{"name":"b"}`}, "pkg:golang/a.b/c", ""},
		"neither":          {map[string]string{"a": ""}, "", ""},
		"bad package.json": {map[string]string{"package.json": `{"name":"../b"}`}, "", ""},
		"bad go.mod":       {map[string]string{"go.mod": "module ../b"}, "", ""},
	} {
		dir := tree(t, c.files)
		if c.purl == "" {
			var need *NeedPURLError
			if _, err := Open(t.Context(), dir, Options{}); !errors.As(err, &need) || need.Arg != dir {
				t.Errorf("%s: got %v", name, err)
			}
			continue
		}
		p := openOne(t, dir, Options{})
		same(t, name, p.PURL, c.purl)
		same(t, name, p.License, c.license)
		same(t, name, len(walk(t, p, Limits{}).files), len(c.files))
	}
}

func TestWalkStops(t *testing.T) {
	dir := tree(t, map[string]string{"a": "", "b": "", "c/d": ""})
	p := openOne(t, dir, Options{PURL: "pkg:generic/x"})
	stop := errors.New("stop")
	calls := 0
	err := p.Walk(t.Context(), Limits{}, func(string, []byte) error { calls++; return stop }, nil)
	if err != stop || calls != 1 {
		t.Errorf("got %v after %d calls", err, calls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Walk(ctx, Limits{}, func(string, []byte) error { return nil }, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	must(t, os.RemoveAll(dir))
	if err := p.Walk(t.Context(), Limits{}, nil, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := tree(t, map[string]string{"text.txt": "hello", "empty.zip": "", "go.mod": "module a.b/c\nrequire x", "package-lock.json": "{"})
	for arg, want := range map[string]any{
		filepath.Join(dir, "absent"):            new(error),
		filepath.Join(dir, "text.txt"):          new(*UnknownSourceError),
		filepath.Join(dir, "empty.zip"):         new(*UnknownSourceError),
		filepath.Join(dir, "go.mod"):            new(error),
		filepath.Join(dir, "package-lock.json"): new(*UnknownSourceError),
	} {
		if _, err := Open(t.Context(), arg, Options{}); err == nil || !errors.As(err, want) {
			t.Errorf("%s: got %v", arg, err)
		} else if !strings.Contains(err.Error(), filepath.Base(arg)) {
			t.Errorf("%s is not named in %q", arg, err)
		}
	}
	if _, err := Open(t.Context(), dir, Options{PURL: "nonsense"}); err == nil {
		t.Error("a nonsensical package URL was accepted")
	}
}

// TestGivenName: the metadata of a directory with a given name still says its licence and its repository, as that of an archive does.
func TestGivenName(t *testing.T) {
	dir := t.TempDir()
	meta := `{"name": "a", "version": "1.0.0", "license": "(MIT OR Apache-2.0)", "repository": "https://github.com/b/a"}`
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(meta), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{}, {PURL: "pkg:npm/a@2.0.0"}, {PURL: "pkg:npm/a@2.0.0", License: "ISC"}} {
		pkgs, err := Open(t.Context(), dir, o)
		if err != nil || len(pkgs) != 1 {
			t.Fatal(pkgs, err)
		}
		p := pkgs[0]
		want, license := cmp.Or(o.PURL, "pkg:npm/a@1.0.0"), cmp.Or(o.License, "(MIT OR Apache-2.0)")
		if p.PURL != want || p.License != license || !strings.Contains(p.Repository, "github.com/b/a") {
			t.Errorf("%+v: %s, %s, %s", o, p.PURL, p.License, p.Repository)
		}
	}
}
