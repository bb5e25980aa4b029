package source

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/sumdb/note"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
)

func listed(rs []*Release) string {
	var out []string
	for _, r := range rs {
		out = append(out, r.PURL)
	}
	return strings.Join(out, " ")
}

// The major versions of a module are one package, in the order of semantic versions, whatever the order of the list.
func TestGoVersions(t *testing.T) {
	docs := map[string]string{
		"/a.b/c/@v/list":         "v1.10.0\nv1.2.0\nnonsense\nv0.0.0-20200102030405-123456789012\nv1.2.0\n",
		"/a.b/c/v3/@v/list":      "v3.0.0\nv3.0.0-rc.1\nv2.9.9\n",
		"/a.b/c/@v/v1.2.0.info":  `{"Version":"v1.2.0","Time":"2020-01-02T03:04:05Z"}`,
		"/a.b/c/@v/v1.2.0.zip":   string(buildZip(t, entry{name: "a.b/c@v1.2.0/a.go", content: "x"})),
		"/gopkg.in/y.v1/@v/list": "v1.0.0\n",
		"/gopkg.in/y.v2/@v/list": "v2.0.0\n",
	}
	s := registry(t, docs)
	o := Options{GoProxy: s.URL}
	rs, err := Versions(t.Context(), "pkg:golang/a.b/c/v3", o)
	must(t, err)
	same(t, "versions", listed(rs), "pkg:golang/a.b/c@v1.2.0 pkg:golang/a.b/c@v1.10.0 pkg:golang/a.b/c/v3@v3.0.0-rc.1 pkg:golang/a.b/c/v3@v3.0.0")
	at, err := rs[0].Date(t.Context())
	must(t, err)
	same(t, "date", at.Format(time.DateOnly), "2020-01-02")
	if _, err := rs[1].Date(t.Context()); err == nil {
		t.Error("a version without .info has a date")
	}
	p, err := rs[0].Open(t.Context())
	must(t, err)
	same(t, "remote", p.Remote(), true)
	same(t, "files", walk(t, p, Limits{}).files, map[string]string{"a.go": "x"})
	rs, err = Versions(t.Context(), "pkg:golang/gopkg.in/y.v2", o)
	must(t, err)
	same(t, "gopkg.in", listed(rs), "pkg:golang/gopkg.in/y.v1@v1.0.0 pkg:golang/gopkg.in/y.v2@v2.0.0")
}

// The go.mod of the latest release retracts versions. Pre-releases are none.
func TestGoRetractions(t *testing.T) {
	s := registry(t, map[string]string{
		"/a.b/c/@v/list":            "v1.0.0\nv1.1.0\nv1.2.0\nv1.3.0-rc.1\n",
		"/a.b/c/@v/v1.2.0.mod":      "module a.b/c\n\nretract (\n\tv1.2.0 // published by mistake\n\t[v1.0.0, v1.0.9]\n)\n",
		"/a.b/c/@v/v1.3.0-rc.1.mod": "module a.b/c\nretract v1.1.0\n",
		"/a.b/d/@v/list":            "v1.0.0\n",
	})
	for name, want := range map[string]string{"pkg:golang/a.b/c": "v1.0.0 v1.2.0", "pkg:golang/a.b/d": ""} {
		rs, err := Versions(t.Context(), name, Options{GoProxy: s.URL})
		must(t, err)
		var out []string
		for _, r := range rs {
			if r.Withdrawn {
				out = append(out, purl.Version(r.PURL))
			}
		}
		same(t, name, strings.Join(out, " "), want)
	}
}

func TestVersionsFailures(t *testing.T) {
	s := registry(t, map[string]string{
		"/a.b/html/@v/list": "<html><body>sign in", "/a.b/broken/@v/list": "!500",
		"/html": "<html>", "/broken": "!500", "/other": `{"name":"another"}`, "/cut": `{"name":"cut","versions":{"1.0.0":{"na`,
		"/list": `{"name":"list","versions":[]}`,
	})
	o := Options{GoProxy: s.URL, NPMRegistry: s.URL, GoPrivate: "corp.example"}
	offline := o
	offline.Offline = true
	for _, c := range []struct {
		name string
		o    Options
		want any
	}{
		{"pkg:golang/a.b/html", o, new(*FetchError)},
		{"pkg:golang/a.b/broken", o, new(*FetchError)},
		{"pkg:golang/a.b/gone", o, new(*NotFoundError)},
		{"pkg:golang/corp.example/x", o, new(*NotFoundError)},
		{"pkg:golang/a.b/html", offline, new(*OfflineError)},
		{"pkg:npm/html", o, new(*FetchError)},
		{"pkg:npm/broken", o, new(*FetchError)},
		{"pkg:npm/other", o, new(*FetchError)},
		{"pkg:npm/cut", o, new(*FetchError)},
		{"pkg:npm/list", o, new(*FetchError)},
		{"pkg:npm/gone", o, new(*NotFoundError)},
		{"pkg:generic/x", o, new(*purl.UnsupportedTypeError)},
	} {
		if _, err := Versions(t.Context(), c.name, c.o); err == nil || !errors.As(err, c.want) {
			t.Errorf("%s: got %T %v", c.name, err, err)
		}
	}
}

func TestNPMVersions(t *testing.T) {
	s := registry(t, map[string]string{"/p": `{"name":"p","x":[{"versions":1}],"time":{"1.0.0":"2020-01-02T03:04:05Z","0.9.0":"2019-01-01T00:00:00Z"},
		"versions":{"1.10.0":{"version":"1.10.0","license":"MIT","dist":{"tarball":"http://x/p.tgz"}},
		"1.0.0":{"version":"1.0.0","dist":{"tarball":"http://x/p.tgz"}},
		"1.1.0":{"version":"1.2.0","dist":{"tarball":"http://x/p.tgz"}},
		"1.3.0":{"version":"1.3.0","dist":{"tarball":"file:///etc/passwd"}}}}`})
	rs, err := Versions(t.Context(), "pkg:npm/p@9.9.9", Options{NPMRegistry: s.URL})
	must(t, err)
	same(t, "versions", listed(rs), "pkg:npm/p@1.0.0 pkg:npm/p@1.10.0")
	same(t, "date", rs[0].Released.Format(time.DateOnly), "2020-01-02")
	same(t, "no date", rs[1].Released.IsZero(), true)
}

// Releases of Go are semantic versions in another notation.
func TestStdVersions(t *testing.T) {
	list := "v0.0.1-go1.9.linux-amd64\nv0.0.1-go1.21.0.linux-arm64\nv0.0.1-go1.21.0.linux-amd64\nv0.0.1-go1.10.2.linux-amd64\nv0.0.1-go1.21rc2.linux-amd64\nv0.0.1-go1.22.0.plan9-mips\n"
	pre := "golang.org/toolchain@v0.0.1-go1.9.linux-amd64/"
	s := registry(t, map[string]string{
		"/golang.org/toolchain/@v/list":                          list,
		"/golang.org/toolchain/@v/v0.0.1-go1.9.linux-amd64.info": `{"Version":"v0.0.1-go1.9.linux-amd64","Time":"2017-08-24T21:50:29Z"}`,
		"/golang.org/toolchain/@v/v0.0.1-go1.9.linux-amd64.zip": string(buildZip(t, entry{name: pre + "src/io/io.go", content: "package io"},
			entry{name: pre + "src/go/testdata/x.go", content: "x"}, entry{name: pre + "bin/go", content: "x"})),
	})
	rs, err := Versions(t.Context(), "pkg:golang/std@1.26.1", Options{GoProxy: s.URL})
	must(t, err)
	same(t, "versions", listed(rs), "pkg:golang/std@1.9 pkg:golang/std@1.10.2 pkg:golang/std@1.21rc2 pkg:golang/std@1.21.0")
	p, err := rs[0].Open(t.Context())
	must(t, err)
	same(t, "files", walk(t, p, Limits{}).files, map[string]string{"io/io.go": "package io"})
	same(t, "licence", p.License+" "+p.Released.Format(time.DateOnly), "BSD-3-Clause 2017-08-24")
}

func TestSelect(t *testing.T) {
	var rs []*Release
	for _, v := range []string{"1.0.0", "1.1.0-rc.1", "1.1.0", "1.2.0", "2.0.0-beta"} {
		rs = append(rs, &Release{PURL: purl.NPM("p", v)})
	}
	for spec, want := range map[string]string{
		"all": "1.0.0 1.1.0-rc.1 1.1.0 1.2.0 2.0.0-beta", "2": "1.1.0 1.2.0", "99": "1.0.0 1.1.0 1.2.0",
		"spread:1": "1.2.0", "spread:2": "1.0.0 1.2.0", "spread:9": "1.0.0 1.1.0 1.2.0",
		"v1.1.0..1.2.0": "1.1.0 1.2.0", "..1.1.0": "1.0.0 1.1.0-rc.1 1.1.0", "1.2.0..": "1.2.0 2.0.0-beta",
	} {
		got, err := Select(rs, spec)
		must(t, err)
		same(t, spec, strings.ReplaceAll(listed(got), "pkg:npm/p@", ""), want)
	}
	for _, spec := range []string{"", "0", "-1", "none", "1.0.0", "x..y", "spread:", "spread:0", "spread:all"} {
		if _, err := Select(rs, spec); err == nil {
			t.Errorf("%q is taken", spec)
		}
	}
}

func TestMajors(t *testing.T) {
	for p, want := range map[string][]string{
		"a.b/c": {"a.b/c"}, "a.b/c/v3": {"a.b/c", "a.b/c/v2", "a.b/c/v3"},
		"gopkg.in/y.v2":   {"gopkg.in/y.v0", "gopkg.in/y.v1", "gopkg.in/y.v2"},
		"a.b/c/v20230101": {"a.b/c/v20230101"},
	} {
		same(t, p, majors(p), want)
	}
}

// sumServerOf answers as a checksum database that knows one module.
func sumServerOf(t *testing.T, key string, lines string) *httptest.Server {
	h := sumdb.NewServer(sumdb.NewTestServer(key, func(path, vers string) ([]byte, error) {
		if path != "a.b/c" {
			return nil, fs.ErrNotExist
		}
		return []byte(lines), nil
	}))
	mux := http.NewServeMux()
	for _, p := range sumdb.ServerPaths {
		mux.Handle(p, h)
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// Downloads from a proxy are compared with the checksum database. Modules that the database does not know are not read.
func TestSums(t *testing.T) {
	zip := buildZip(t, entry{name: "a.b/c@v1.0.0/a.go", content: "good"})
	sum, err := dirhash.Hash1([]string{"a.b/c@v1.0.0/a.go"}, func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("good")), nil })
	must(t, err)
	private, public, err := note.GenerateKey(nil, "sums.example")
	must(t, err)
	db := sumServerOf(t, private, "a.b/c v1.0.0 "+sum+"\na.b/c v1.0.0/go.mod h1:x=\n")
	proxy := func(zip []byte) string {
		return registry(t, map[string]string{
			"/a.b/c/@v/v1.0.0.info": `{"Version":"v1.0.0"}`, "/a.b/c/@v/v1.0.0.zip": string(zip),
			"/a.b/d/@v/v1.0.0.info": `{"Version":"v1.0.0"}`, "/a.b/d/@v/v1.0.0.zip": string(zip),
		}).URL
	}
	try := func(name, gonosumdb, at string) error {
		o := Options{GoProxy: at}
		o.Sums = NewSums(t.Context(), public+" "+db.URL, gonosumdb, o)
		_, err := tryWalk(openOne(t, "pkg:golang/a.b/"+name+"@v1.0.0", o), Limits{})
		return err
	}
	must(t, try("c", "", proxy(zip)))
	bad := buildZip(t, entry{name: "a.b/c@v1.0.0/a.go", content: "evil"})
	if _, ok := errors.AsType[*IntegrityError](try("c", "", proxy(bad))); !ok {
		t.Error("a changed zip was read")
	}
	must(t, try("c", "a.b/*", proxy(bad)))
	if f, ok := errors.AsType[*FetchError](try("d", "", proxy(zip))); !ok || f.Unavailable() {
		t.Errorf("a module that the database does not know: %v", f)
	}
	db.Close()
	if f, ok := errors.AsType[*FetchError](try("c", "", proxy(zip))); !ok || !f.Unavailable() {
		t.Errorf("a database that does not answer: %v", f)
	}
	same(t, "off", NewSums(t.Context(), "off", "", Options{}) == nil, true)
	if err := NewSums(t.Context(), "unknown.example", "", Options{}).check(t.Context(), &moduleZip{module.Version{}, files.Blob{}, "", Limits{}}); err == nil {
		t.Error("a database without key was taken")
	}
}

func TestRealVersions(t *testing.T) {
	reachable(t, "https://proxy.golang.org/golang.org/x/mod/@v/v0.17.0.info")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var o Options
	o.Sums = NewSums(ctx, "", "", o)
	rs, err := Versions(ctx, "pkg:golang/golang.org/x/mod", o)
	must(t, err)
	i := slices.IndexFunc(rs, func(r *Release) bool { return r.PURL == "pkg:golang/golang.org/x/mod@v0.17.0" })
	if i < 0 {
		t.Fatalf("v0.17.0 is not in %s", listed(rs))
	}
	p, err := rs[i].Open(ctx)
	must(t, err)
	if r := walk(t, p, Limits{}); r.files["LICENSE"] == "" {
		t.Errorf("%q", r.order)
	}
	if err := o.Sums.check(ctx, &moduleZip{module.Version{Path: "golang.org/x/mod", Version: "v0.17.999"}, files.Blob{}, "x", Limits{}}); err == nil {
		t.Error("a version that does not exist has a checksum")
	}
	rs, err = Versions(ctx, "pkg:golang/std", o)
	must(t, err)
	if len(rs) == 0 || rs[0].PURL == "" {
		t.Error("no releases of Go")
	}
}

func TestRealNPMVersions(t *testing.T) {
	reachable(t, "https://registry.npmjs.org/left-pad/1.3.0")
	rs, err := Versions(t.Context(), "pkg:npm/left-pad", Options{})
	must(t, err)
	if len(rs) < 5 || rs[0].Released.IsZero() {
		t.Fatalf("%s", listed(rs))
	}
	p, err := rs[0].Open(t.Context())
	must(t, err)
	if r := walk(t, p, Limits{}); r.files["package.json"] == "" {
		t.Errorf("%q", r.order)
	}
}

// A major version that the registry refuses is left out and reported; the others are listed. The requested one itself
// must be available.
func TestVersionsRefused(t *testing.T) {
	s := registry(t, map[string]string{"/a.b/c/@v/list": "!403", "/a.b/c/v2/@v/list": "v2.0.0\n", "/a.b/d/@v/list": "!403"})
	var left []Skipped
	o := Options{GoProxy: s.URL, Skipped: func(l Skipped) { left = append(left, l) }}
	rs, err := Versions(t.Context(), "pkg:golang/a.b/c/v2", o)
	must(t, err)
	if len(rs) != 1 || rs[0].PURL != "pkg:golang/a.b/c/v2@v2.0.0" || len(left) != 1 || left[0].Path != "pkg:golang/a.b/c" || left[0].Reason != ReasonMissing {
		t.Errorf("got %v, left out %v", rs, left)
	}
	if _, err := Versions(t.Context(), "pkg:golang/a.b/d", o); err == nil {
		t.Error("a refused module has versions")
	}
}
