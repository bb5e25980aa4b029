package source

import (
	"context"
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/files"
	"github.com/git-provenance/git-provenance/baseline/source/web"
)

// registry is a server with fixed documents; other paths are not found. A document that begins with "!" is a status.
func registry(t testing.TB, docs map[string]string) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		doc, ok := docs[r.URL.EscapedPath()]
		switch {
		case !ok:
			http.NotFound(w, r)
		case strings.HasPrefix(doc, "!"):
			var status int
			fmt.Sscan(doc[1:], &status)
			w.WriteHeader(status)
		default:
			io.WriteString(w, doc)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func proxyDocs(t testing.TB) map[string]string {
	zipOf := func(m, v string) string {
		return string(buildZip(t, entry{name: m + "@" + v + "/a.go", content: v}, entry{name: m + "@" + v + "/LICENSE"}))
	}
	return map[string]string{
		"/a.b/!c/@v/list":                      "v1.0.0\nv1.2.0\nnonsense\nv1.10.0\nv2.0.0-rc.1\n",
		"/a.b/!c/@v/v1.10.0.info":              `{"Version":"v1.10.0","Time":"2020-01-02T03:04:05+01:00"}`,
		"/a.b/!c/@v/v1.10.0.zip":               zipOf("a.b/C", "v1.10.0"),
		"/a.b/!c/@v/v1.0.0-!r!c1.info":         `{"Version":"v1.0.0-RC1"}`,
		"/a.b/!c/@v/v1.0.0-!r!c1.zip":          zipOf("a.b/C", "v1.0.0-RC1"),
		"/a.b/!c/@v/main.info":                 `{"Version":"v1.10.0"}`,
		"/a.b/nolist/@latest":                  `{"Version":"v0.0.0-20200102030405-123456789012"}`,
		"/a.b/old/@v/v2.0.0+incompatible.info": `{"Version":"v2.0.0+incompatible"}`,
		"/a.b/old/@v/v2.0.0+incompatible.zip":  zipOf("a.b/old", "v2.0.0+incompatible"),
		"/a.b/gone/@v/v1.0.0.info":             "!410",
		"/a.b/broken/@v/v1.0.0.info":           "!500",
		"/a.b/html/@v/v1.0.0.info":             "<html>",
		"/a.b/liar/@v/v1.0.0.info":             `{"Version":"v1.0.1"}`,
		"/a.b/escape/@v/v1.0.0.info":           `{"Version":"../../v1.0.0"}`,
		"/a.b/nozip/@v/v1.0.0.info":            `{"Version":"v1.0.0"}`,
		"/a.b/badzip/@v/v1.0.0.info":           `{"Version":"v1.0.0"}`,
		"/a.b/badzip/@v/v1.0.0.zip":            zipOf("a.b/badzip", "v1.0.0")[:100],
		"/a.b/huge/@v/v1.0.0.info":             `{"Version":"v1.0.0"}`,
		"/a.b/huge/@v/v1.0.0.zip":              strings.Repeat("x", 5000),
		"/a.b/hugeinfo/@v/v1.0.0.info":         strings.Repeat(" ", web.MaxDocument+1),
	}
}

func TestGoProxy(t *testing.T) {
	s := registry(t, proxyDocs(t))
	for arg, want := range map[string]struct{ purl, file string }{
		"pkg:golang/a.b/C":                         {"pkg:golang/a.b/C@v1.10.0", "v1.10.0"},
		"pkg:golang/a.b/C@v1.10.0?type=module#sub": {"pkg:golang/a.b/C@v1.10.0", "v1.10.0"},
		"pkg:golang/a.b/C@main":                    {"pkg:golang/a.b/C@v1.10.0", "v1.10.0"},
		"pkg:golang/a.b/C@v1.0.0-RC1":              {"pkg:golang/a.b/C@v1.0.0-RC1", "v1.0.0-RC1"},
		"pkg:golang/a.b/old@v2.0.0%2Bincompatible": {"pkg:golang/a.b/old@v2.0.0%2Bincompatible", "v2.0.0+incompatible"},
	} {
		p := openOne(t, arg, Options{GoProxy: s.URL + "/,direct"})
		same(t, arg, p.PURL, want.purl)
		same(t, arg, walk(t, p, Limits{}).files, map[string]string{"LICENSE": "", "a.go": want.file})
	}
	p := openOne(t, "pkg:golang/a.b/C", Options{GoProxy: strings.Replace(s.URL, "http://", "http://user:secret@", 1)})
	same(t, "released", p.Released.Format(time.RFC3339), "2020-01-02T02:04:05Z")
	same(t, "from", p.From, s.URL+"/a.b/!c/@v/v1.10.0.zip")
	p = openOne(t, "pkg:golang/a.b/nolist", Options{GoProxy: s.URL})
	same(t, "@latest", p.PURL, "pkg:golang/a.b/nolist@v0.0.0-20200102030405-123456789012")
}

func TestGoProxyFailures(t *testing.T) {
	s := registry(t, proxyDocs(t))
	for name, want := range map[string]any{
		"gone": new(*NotFoundError), "absent": new(*NotFoundError), "nozip": new(*FetchError),
		"broken": new(*FetchError), "html": new(*FetchError), "liar": new(*FetchError), "escape": new(*FetchError),
		"badzip": new(*ArchiveError), "huge": new(*LimitError), "hugeinfo": new(*LimitError),
	} {
		pkgs, err := Open(t.Context(), "pkg:golang/a.b/"+name+"@v1.0.0", Options{GoProxy: strings.Replace(s.URL, "http://", "http://user:secret@", 1)})
		if err == nil {
			_, err = tryWalk(pkgs[0], Limits{DownloadBytes: 4000})
		}
		if err == nil || !errors.As(err, want) {
			t.Errorf("%s: got %T %v", name, err, err)
		} else if !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: message %q", name, err)
		}
	}
}

// The list has the same meaning as for the Go command. After a comma the next proxy is asked if one does not have the
// module, after a bar after any failure.
func TestGoProxyList(t *testing.T) {
	good := registry(t, proxyDocs(t)).URL
	lacks := registry(t, nil).URL
	fails := registry(t, map[string]string{"/a.b/!c/@v/v1.10.0.info": "!500"}).URL
	for list, want := range map[string]any{
		good:                      nil,
		lacks + "," + good:        nil,
		lacks + "|" + good:        nil,
		fails + "|" + good:        nil,
		" , nonsense," + good:     nil,
		fails + "," + good:        new(*FetchError),
		fails + "|direct":         new(*FetchError),
		fails + "|" + lacks:       new(*FetchError),
		lacks + ",off," + good:    new(*NotFoundError),
		lacks + ",direct," + good: new(*NotFoundError),
		"off":                     new(*NotFoundError),
		"direct":                  new(*NotFoundError),
		"http://127.0.0.1:1":      new(*FetchError),
	} {
		_, err := Open(t.Context(), "pkg:golang/a.b/C@v1.10.0", Options{GoProxy: list})
		if want == nil && err != nil || want != nil && (err == nil || !errors.As(err, want)) {
			t.Errorf("%q: got %v", list, err)
		}
	}
}

func TestGoProxyFile(t *testing.T) {
	docs := map[string]string{}
	for path, doc := range proxyDocs(t) {
		docs[path[1:]] = doc
	}
	dir := filepath.ToSlash(tree(t, docs))
	proxy := (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(dir, "/")}).String()
	p := openOne(t, "pkg:golang/a.b/C", Options{GoProxy: proxy})
	same(t, "files", len(walk(t, p, Limits{}).files), 2)
	var absent *NotFoundError
	if _, err := Open(t.Context(), "pkg:golang/a.b/absent@v1.0.0", Options{GoProxy: proxy}); !errors.As(err, &absent) {
		t.Errorf("got %v", err)
	}
}

// Modules in the module cache, private modules, and packages of unsupported types are not requested.
func TestNotAsked(t *testing.T) {
	never := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the network was used") }))
	defer never.Close()
	o := Options{GoProxy: never.URL, NPMRegistry: never.URL, ModCache: modCache(t), GoPrivate: "corp.example/*"}
	same(t, "cached", openOne(t, "pkg:golang/a.b/c@v1.0.0", o).From, "$GOMODCACHE/a.b/c@v1.0.0")
	offline := o
	offline.Offline = true
	same(t, "cached, offline", openOne(t, "pkg:golang/a.b/c@v1.0.0", offline).PURL, "pkg:golang/a.b/c@v1.0.0")
	for _, c := range []struct {
		arg  string
		o    Options
		want any
	}{
		{"pkg:golang/corp.example/x@v1.0.0", o, new(*NotFoundError)},
		{"pkg:golang/std@1.26.8", o, new(*NotFoundError)},
		{"pkg:golang/a.b/new@v1.0.0", offline, new(*OfflineError)},
		{"pkg:npm/new@1.0.0", offline, new(*OfflineError)},
		{"pkg:conan/zlib@1.3.1", o, new(*purl.UnsupportedTypeError)},
		{"pkg:golang/", o, new(*purl.SyntaxError)},
		{"pkg:golang/a..b/../c@v1", o, new(*purl.SyntaxError)},
		{"pkg:npm/..%2f..%2fx@1", o, new(*purl.SyntaxError)},
	} {
		if _, err := Open(t.Context(), c.arg, c.o); err == nil || !errors.As(err, c.want) {
			t.Errorf("%s: got %T %v", c.arg, err, err)
		}
	}
}

// TestDateOfCached: a build leaves modules in the cache without their dates. A proxy has the dates, if it may be asked.
func TestDateOfCached(t *testing.T) {
	s := registry(t, map[string]string{"/a.b/zip/@v/v1.0.0.info": `{"Version":"v1.0.0","Time":"2021-02-03T04:05:06Z"}`, "/github.com/!big/d/@v/v1.0.0.info": "!500"})
	o := Options{GoProxy: s.URL, ModCache: modCache(t)}
	for _, c := range []struct {
		name, want string
		o          func(o Options) Options
	}{
		{"pkg:golang/a.b/zip@v1.0.0", "2021-02-03T04:05:06Z", func(o Options) Options { return o }},
		{"pkg:golang/a.b/zip@v1.0.0", "0001-01-01T00:00:00Z", func(o Options) Options { o.Offline = true; return o }},
		{"pkg:golang/a.b/zip@v1.0.0", "0001-01-01T00:00:00Z", func(o Options) Options { o.GoPrivate = "a.b"; return o }},
		{"pkg:golang/a.b/zip@v1.0.0", "0001-01-01T00:00:00Z", func(o Options) Options { o.GoProxy = "off"; return o }},
		{"pkg:golang/github.com/Big/d@v1.0.0", "0001-01-01T00:00:00Z", func(o Options) Options { return o }},
	} {
		same(t, c.name, openOne(t, c.name, c.o(o)).Released.Format(time.RFC3339), c.want)
	}
}

// npmRegistry serves the package "@s/p" and some that fail.
func npmRegistry(t testing.TB) *httptest.Server {
	tgz := gzipped(t, buildTar(t, entry{name: "package/package.json", content: "{}"}, entry{name: "package/i.js", content: "i"}))
	sum512, sum1 := sha512.Sum512(tgz), sha1.Sum(tgz)
	good, weak := "sha512-"+base64.StdEncoding.EncodeToString(sum512[:]), hex.EncodeToString(sum1[:])
	docs := map[string]string{"/p.tgz": string(tgz), "/short.tgz": string(tgz[:len(tgz)-9])}
	s := registry(t, docs)
	for name, dist := range map[string]string{
		"good":    `"tarball":"%s/p.tgz","integrity":"sha1-x %s?opt","shasum":"x"`,
		"weak":    `"tarball":"%s/p.tgz","shasum":"` + weak + `"%.0s`,
		"wrong":   `"tarball":"%s/p.tgz","integrity":"sha512-AAAA","shasum":"` + weak + `"%.0s`,
		"none":    `"tarball":"%s/p.tgz"%.0s`,
		"short":   `"tarball":"%s/short.tgz","integrity":"%s"`,
		"absent":  `"tarball":"%s/absent.tgz","integrity":"%s"`,
		"scheme":  `"tarball":"file:///etc/passwd","integrity":"%.0s%s"`,
		"notaurl": `"tarball":"%.0s","integrity":"%s"`,
	} {
		doc := fmt.Sprintf(`{"name":"%s","version":"1.0.0","license":"MIT","dist":{`+dist+`}}`, name, s.URL, good)
		docs["/"+name+"/1.0.0"], docs["/"+name+"/latest"] = doc, doc
	}
	docs["/@s%2Fp/latest"] = strings.Replace(docs["/good/1.0.0"], `"good"`, `"@s/p"`, 1)
	docs["/@s%2Fp/2.0.0"] = docs["/@s%2Fp/latest"]
	docs["/@s%2Fp"] = `{"versions":{"1.0.0":{"time":{"1.0.0":"2001-01-01T00:00:00Z"}}},"time":{"created":"2000-01-01T00:00:00Z","1.0.0":"2020-01-02T03:04:05.678Z"},"rest":` // never read
	docs["/good"] = `{"name":"good"}`
	docs["/other/1.0.0"] = docs["/good/1.0.0"]
	docs["/busy/1.0.0"] = "!429"
	docs["/badpack/1.0.0"] = strings.Replace(docs["/good/1.0.0"], `"good"`, `"badpack"`, 1)
	docs["/badpack"] = "[]"
	return s
}

func TestNPM(t *testing.T) {
	s := npmRegistry(t)
	p := openOne(t, "pkg:npm/@s/p", Options{NPMRegistry: s.URL})
	same(t, "purl", []string{p.PURL, p.License, p.From}, []string{"pkg:npm/%40s/p@1.0.0", "MIT", s.URL + "/p.tgz"})
	same(t, "released", p.Released.Format(time.RFC3339Nano), "2020-01-02T03:04:05.678Z")
	same(t, "files", walk(t, p, Limits{}).files, map[string]string{"i.js": "i", "package.json": "{}"})
	for _, name := range []string{"good", "weak"} {
		p := openOne(t, "pkg:npm/"+name+"@1.0.0", Options{NPMRegistry: s.URL + "/"})
		same(t, name, len(walk(t, p, Limits{}).files), 2)
		same(t, name, p.Released.IsZero(), true)
	}
}

func TestNPMFailures(t *testing.T) {
	s := npmRegistry(t)
	for arg, want := range map[string]any{
		"wrong@1.0.0": new(*IntegrityError), "none@1.0.0": new(*IntegrityError), "short@1.0.0": new(*IntegrityError),
		"absent@1.0.0": new(*FetchError), "scheme@1.0.0": new(*FetchError), "notaurl@1.0.0": new(*FetchError),
		"unknown@1.0.0": new(*NotFoundError), "good@9.9.9": new(*NotFoundError), "@s/p@2.0.0": new(*FetchError),
		"other@1.0.0": new(*FetchError), "busy@1.0.0": new(*FetchError), "badpack@1.0.0": new(*FetchError),
	} {
		pkgs, err := Open(t.Context(), "pkg:npm/"+arg, Options{NPMRegistry: s.URL})
		if err == nil {
			_, err = tryWalk(pkgs[0], Limits{})
		}
		if err == nil || !errors.As(err, want) {
			t.Errorf("%s: got %T %v", arg, err, err)
		}
	}
}

// A body that breaks off or never ends is an error, not a short file.
func TestBrokenBodies(t *testing.T) {
	docs := map[string]string{"/a.b/c/@v/v1.0.0.info": `{"Version":"v1.0.0"}`}
	cut := func(w http.ResponseWriter, r *http.Request) {
		if doc := docs[r.URL.Path]; doc != "" {
			io.WriteString(w, doc)
			return
		}
		w.Header().Set("Content-Length", "100000")
		io.WriteString(w, "PK\x03\x04")
		if strings.Contains(r.URL.RawQuery, "hang") {
			<-r.Context().Done()
		}
	}
	s := httptest.NewServer(http.HandlerFunc(cut))
	defer s.Close()
	p := openOne(t, "pkg:golang/a.b/c@v1.0.0", Options{GoProxy: s.URL})
	var fetch *FetchError
	if _, err := tryWalk(p, Limits{}); !errors.As(err, &fetch) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut off: got %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := web.Fetcher{HTTP: http.DefaultClient}.Download(ctx, s.URL+"/x?hang", 1<<20, io.Discard, func(files.Blob) error { return nil })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("hanging: got %v", err)
	}
}

// reachable skips a test of a real registry if it cannot be reached.
func reachable(t *testing.T, addr string) {
	if testing.Short() {
		t.Skip("uses the network")
	}
	u, err := url.Parse(addr)
	must(t, err)
	port := u.Port()
	if port == "" {
		port = "443"
	}
	if os.Getenv("HTTPS_PROXY") == "" && os.Getenv("https_proxy") == "" {
		c, err := net.DialTimeout("tcp", net.JoinHostPort(u.Hostname(), port), 5*time.Second)
		if err != nil {
			t.Skipf("not reachable: %v", err)
		}
		c.Close()
	}
	resp, err := Options{}.client().Get(addr)
	if err != nil {
		t.Skipf("not reachable: %v", err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Skipf("%s answers %d", addr, resp.StatusCode)
	}
}

func TestRealGoProxy(t *testing.T) {
	reachable(t, "https://proxy.golang.org/golang.org/x/mod/@v/v0.17.0.info")
	p := openOne(t, "pkg:golang/golang.org/x/mod@v0.17.0", Options{})
	r := walk(t, p, Limits{})
	if !strings.Contains(r.files["go.mod"], "module golang.org/x/mod") || r.files["LICENSE"] == "" || p.Released.IsZero() {
		t.Errorf("%+v: %q", p, r.order)
	}
	latest := openOne(t, "pkg:golang/golang.org/x/mod", Options{})
	if purl.Name(latest.PURL) != "pkg:golang/golang.org/x/mod" || purl.Version(latest.PURL) == "" {
		t.Errorf("latest is %s", latest.PURL)
	}
	if _, err := Open(t.Context(), "pkg:golang/golang.org/x/mod@v0.17.999", Options{}); err == nil {
		t.Error("a version that does not exist was opened")
	}
}

func TestRealNPM(t *testing.T) {
	reachable(t, "https://registry.npmjs.org/left-pad/1.3.0")
	p := openOne(t, "pkg:npm/left-pad@1.3.0", Options{})
	r := walk(t, p, Limits{})
	if p.License != "WTFPL" || !strings.Contains(r.files["index.js"], "leftPad") || p.Released.IsZero() {
		t.Errorf("%+v: %q", p, r.order)
	}
	if got := openOne(t, "pkg:npm/left-pad", Options{}).PURL; got != "pkg:npm/left-pad@1.3.0" {
		t.Errorf("latest is %s", got)
	}
	scoped := openOne(t, "pkg:npm/%40types/node@20.0.0", Options{})
	if r := walk(t, scoped, Limits{}); r.files["package.json"] == "" || scoped.License != "MIT" {
		t.Errorf("%+v: %q", scoped, r.order)
	}
	var absent *NotFoundError
	if _, err := Open(t.Context(), "pkg:npm/left-pad@1.3.999", Options{}); !errors.As(err, &absent) {
		t.Errorf("got %v", err)
	}
}
