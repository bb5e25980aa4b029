package source

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
	"github.com/git-provenance/git-provenance/baseline/source/web"
)

// hexOf and sriOf return checksums in the notations of registries.
func hexOf(h hash.Hash, data []byte) string { h.Write(data); return hex.EncodeToString(h.Sum(nil)) }

// registries is a server that answers like the registries of all ecosystems, as documented, each below a separate path.
func registries(t testing.TB, damage string) (*httptest.Server, remote.Registries) {
	t.Helper()
	tgz := func(name string) []byte {
		return gzipped(t, buildTar(t, entry{name: name + "/src/a.x", content: name}))
	}
	sdist, crate, hub, orig := tgz("flask_login-0.6.3"), tgz("itoa-1.0.9"), tgz("zlib-1.3.1"), tgz("hello-2.10")
	about := gzipped(t, buildTar(t, entry{name: "debian/changelog", content: "hello (2.10-3) unstable; urgency=low\n\n  * x\n\n -- A <a@b>  Fri, 22 Sep 2023 10:00:00 +0200\n"}, entry{name: "debian/package.json", content: `{"name": "x", "version": "1", "repository": "x/y"}`}))
	native := gzipped(t, buildTar(t, entry{name: "mk/src/a.x", content: "mk"}, entry{name: "mk/debian/control", content: "Source: mk\nHomepage: https://github.com/o/mk\n"}))
	patched := gzipped(t, buildTar(t, entry{name: "p/debian/changelog", content: strings.ReplaceAll(padLog, "1.0-2", "1-1")}))
	gem := buildTar(t, entry{name: "metadata.gz", content: string(gzipped(t, []byte("name: rack\nversion:\n  version: 3.0.8\ndate: 2023-06-14 00:00:00.000000000 Z\n")))}, entry{name: "data.tar.gz", content: string(gzipped(t, buildTar(t, entry{name: "lib/rack.rb", content: "rack"})))})
	jar, nupkg := buildZip(t, entry{name: "org/A.java", content: "A"}), buildZip(t, entry{name: "src/B.cs", content: "B"})
	phpzip := buildZip(t, entry{name: "Seldaek-monolog-abc/src/Logger.php", content: "monolog"})
	sum512 := sha512.Sum512(nupkg)
	docs := map[string]string{
		"/simple/flask-login/": `{"files":[{"filename":"Flask_Login-0.6.3-py3-none-any.whl","url":"w.whl","hashes":{"sha256":"00"}},
			{"filename":"flask_login-0.6.3.tar.gz","url":"../../files/f.tar.gz","hashes":{"sha256":"` + hexOf(sha256.New(), sdist) + `"},"upload-time":"2023-10-30T14:53:21.151579Z"},
			{"filename":"flask-login-0.6.4.tar.gz","url":"../../files/y.tar.gz","hashes":{"sha256":"00"},"yanked":"broken"},
			{"filename":"flask-login-0.7.0rc1.tar.gz","url":"../../files/rc.tar.gz","hashes":{"sha256":"00"}}]}`,
		"/simple/old/":                   `<!DOCTYPE html><html><body><a href="../../files/f.tar.gz#sha256=` + hexOf(sha256.New(), sdist) + `" data-requires-python="&gt;=3">old-0.6.3.tar.gz</a></body></html>`,
		"/files/f.tar.gz":                string(sdist),
		"/index/config.json":             `{"dl":"BASE/crates/{prefix}/{crate}-{version}.crate","api":"x"}`,
		"/index/it/oa/itoa":              `{"name":"itoa","vers":"1.0.9","cksum":"` + hexOf(sha256.New(), crate) + `","yanked":false,"pubtime":"2023-07-15T21:20:24Z"}` + "\n" + `{"name":"itoa","vers":"9.0.0","cksum":"00","yanked":true}` + "\n",
		"/crates/it/oa/itoa-1.0.9.crate": string(crate),
		"/info/rack":                     "---\n3.0.8-java |checksum:00\n3.0.8 |checksum:" + hexOf(sha256.New(), gem) + ",ruby:>= 2.4.0\n",
		"/gems/rack-3.0.8.gem":           string(gem),
		"/p2/monolog/monolog.json": `{"minified":"composer/2.0","packages":{"monolog/monolog":[{"name":"monolog/monolog","version":"3.5.0","license":["MIT"],"time":"2023-10-27T15:32:31+00:00","dist":{"url":"BASE/zip/3.5.0","type":"zip","shasum":"","reference":"abc"}},
			{"version":"3.4.0","time":"2023-06-21T08:46:11+00:00","dist":{"url":"BASE/zip/3.4.0","type":"zip","shasum":"","reference":"abd"}}]}}`,
		"/p2/a/compiled.json": `{"packages":{"a/compiled":[{"name":"a/compiled","version":"1.0.0"}]}}`,
		"/zip/3.4.0":          string(phpzip), "/zip/3.5.0": string(phpzip),
		"/m2/org/slf4j/slf4j-api/maven-metadata.xml":                     `<metadata><versioning><release>2.0.9</release><versions><version>2.0.9</version><version>2.1.0-alpha1</version><version>1.7.36</version></versions></versioning></metadata>`,
		"/m2/org/slf4j/slf4j-api/2.0.9/slf4j-api-2.0.9-sources.jar":      string(jar),
		"/m2/org/slf4j/slf4j-api/2.0.9/slf4j-api-2.0.9-sources.jar.sha1": hexOf(sha1.New(), jar),
		"/m2/org/slf4j/slf4j-api/2.0.9/slf4j-api-2.0.9.pom":              `<project><licenses><license><name>MIT</name></license></licenses></project>`,
		"/v3/index.json":                           `{"resources":[{"@id":"BASE/flat/","@type":"PackageBaseAddress/3.0.0"},{"@id":"BASE/reg/","@type":"RegistrationsBaseUrl/3.6.0"}]}`,
		"/flat/a.b/index.json":                     `{"versions":["1.0.0","1.1.0","2.0.0-rc1"]}`,
		"/reg/a.b/1.1.0.json":                      `{"catalogEntry":"BASE/catalog/a.json"}`,
		"/catalog/a.json":                          `{"packageHash":"` + base64.StdEncoding.EncodeToString(sum512[:]) + `","packageHashAlgorithm":"SHA512","licenseExpression":"MIT","published":"2022-01-02T03:04:05Z"}`,
		"/flat/a.b/1.1.0/a.b.1.1.0.nupkg":          string(nupkg),
		"/hub/madler/zlib/tar.gz/refs/tags/v1.3.1": string(hub),
		"/git/madler/zlib.git/info/refs": "001e# service=git-upload-pack\n0000" + pkt(sha+" HEAD\x00multi_ack symref=HEAD:refs/heads/main\n") + pkt(sha+" refs/heads/main\n") +
			pkt(sha+" refs/tags/v1.2.11\n") + pkt(sha+" refs/tags/v1.3.1\n") + pkt(sha+" refs/tags/v1.3.1^{}\n") + pkt(sha+" refs/tags/latest\n") + "0000",
		"/debian/dists/sid/main/source/Sources.gz":             string(gzipped(t, []byte("Package: hello\nVersion: 2.10-3\nDirectory: pool/main/h/hello\nChecksums-Sha256:\n 00 1 hello_2.10-3.dsc\n 00 9 hello_2.10.orig-docs.tar.gz\n "+hexOf(sha256.New(), orig)+" 9 hello_2.10.orig.tar.gz\n 00 9 hello_2.10.orig.tar.gz.asc\n "+hexOf(sha256.New(), about)+" 9 hello_2.10-3.debian.tar.xz\n\nPackage: apart\nVersion: 1-1\nDirectory: pool/main/a\nChecksums-Sha256:\n "+hexOf(sha256.New(), orig)+" 9 apart_1.orig.tar.gz\n 00 9 apart_1-1.debian.tar.xz\n\nPackage: mk\nVersion: 3\nDirectory: pool/main/m\nChecksums-Sha256:\n "+hexOf(sha256.New(), native)+" 9 mk_3.tar.xz\n\nPackage: patched\nVersion: 1-1\nDirectory: pool/main/p\nChecksums-Sha256:\n "+hexOf(sha256.New(), patched)+" 9 patched_1.orig.tar.gz\n 00 9 patched_1-1.diff.gz\n\nPackage: other\nVersion: 1\n"))),
		"/debian/pool/main/h/hello/hello_2.10.orig.tar.gz":     string(orig),
		"/debian/pool/main/h/hello/hello_2.10-3.debian.tar.xz": string(about),
		"/debian/pool/main/a/apart_1.orig.tar.gz":              string(orig),
		"/debian/pool/main/m/mk_3.tar.xz":                      string(native),
		"/debian/pool/main/p/patched_1.orig.tar.gz":            string(patched),
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		doc, ok := docs[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
		case damage != "" && strings.HasPrefix(doc, "\x1f\x8b"), damage != "" && strings.HasPrefix(doc, "PK"), damage == "html":
			fmt.Fprint(w, damage)
		default:
			fmt.Fprint(w, strings.ReplaceAll(doc, "BASE", "http://"+r.Host))
		}
	}))
	t.Cleanup(srv.Close)
	return srv, remote.Registries{PyPI: srv.URL + "/simple", Cargo: srv.URL + "/index", RubyGems: srv.URL, Composer: srv.URL, Maven: []string{srv.URL + "/none", srv.URL + "/m2"},
		NuGet: srv.URL + "/v3/index.json", GitHub: srv.URL + "/hub", GitHubRefs: srv.URL + "/git", Debian: []remote.Suite{{Archive: srv.URL + "/debian", Name: "sid", Components: []string{"main"}}}}
}

const sha = "0123456789012345678901234567890123456789"

// pkt makes a line of git's protocol.
func pkt(line string) string { return fmt.Sprintf("%04x%s", len(line)+4, line) }

// Each registry lists its versions, oldest first. Withdrawn versions are listed as left out. The documents of a list
// are fetched only once.
func TestRegistriesList(t *testing.T) {
	_, r := registries(t, "")
	for name, want := range map[string]string{
		"pkg:pypi/flask-login":          "0.6.3 0.6.4 0.7.0rc1",
		"pkg:cargo/itoa":                "1.0.9 9.0.0",
		"pkg:gem/rack":                  "3.0.8",
		"pkg:composer/monolog/monolog":  "3.4.0 3.5.0",
		"pkg:maven/org.slf4j/slf4j-api": "1.7.36 2.0.9 2.1.0-alpha1",
		"pkg:nuget/A.B":                 "1.0.0 1.1.0 2.0.0-rc1",
		"pkg:github/madler/zlib":        "v1.2.11 v1.3.1",
		"pkg:deb/debian/hello":          "2.10-3",
	} {
		rs, err := Versions(t.Context(), name, Options{Registries: &r})
		must(t, err)
		var got []string
		for _, x := range rs {
			got = append(got, purl.Version(x.PURL))
		}
		same(t, name, strings.Join(got, " "), want)
	}
	var none *NotFoundError
	for _, name := range []string{"pkg:pypi/none", "pkg:cargo/none", "pkg:gem/none", "pkg:composer/a/none", "pkg:maven/a/none", "pkg:nuget/none", "pkg:github/a/none", "pkg:deb/debian/none"} {
		if _, err := Versions(t.Context(), name, Options{Registries: &r}); !errors.As(err, &none) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, c := range []struct{ name, spec, want, left string }{
		{"pkg:pypi/flask-login", "1", "0.6.3", ""},
		{"pkg:pypi/flask-login", "spread:1", "0.6.3", ""},
		{"pkg:pypi/flask-login", "all", "0.6.3 0.7.0rc1", "pkg:pypi/flask-login@0.6.4: withdrawn by its publisher"},
		{"pkg:pypi/flask-login", "0.6..0.6.3", "0.6.3", ""},
		{"pkg:maven/org.slf4j/slf4j-api", "2", "2.0.9", "pkg:maven/org.slf4j/slf4j-api@1.7.36: listed, but not there"},
		{"pkg:composer/monolog/monolog", "1", "3.5.0", ""},
		{"pkg:github/madler/zlib", "v1.3..", "v1.3.1", ""},
	} {
		left := ""
		pkgs, err := OpenVersions(t.Context(), c.name, c.spec, Options{Registries: &r, Skipped: func(s Skipped) { left = s.Path + ": " + s.Detail }})
		must(t, err)
		var got []string
		for _, p := range pkgs {
			got = append(got, purl.Version(p.PURL))
		}
		same(t, c.name+" "+c.spec, strings.Join(got, " ")+"|"+left, c.want+"|"+c.left)
	}
	_, html := registries(t, "html")
	for _, name := range []string{"pkg:cargo/itoa", "pkg:maven/org.slf4j/slf4j-api", "pkg:github/madler/zlib", "pkg:nuget/A.B"} {
		if _, err := Versions(t.Context(), name, Options{Registries: &html}); err == nil {
			t.Errorf("%s is listed on a page of HTML", name)
		}
	}
}

// Each registry is read as it is documented: the archive of the requested version, or of the newest release, its
// checksum, licence and date.
func TestRegistries(t *testing.T) {
	_, r := registries(t, "")
	for name, want := range map[string]string{
		"pkg:pypi/Flask_Login@0.6.3":          "pkg:pypi/flask-login@0.6.3  2023-10-30 src/a.x",
		"pkg:pypi/flask-login":                "pkg:pypi/flask-login@0.6.3  2023-10-30 src/a.x",
		"pkg:pypi/old@0.6.3":                  "pkg:pypi/old@0.6.3   src/a.x",
		"pkg:cargo/itoa@1.0.9":                "pkg:cargo/itoa@1.0.9  2023-07-15 src/a.x",
		"pkg:cargo/itoa":                      "pkg:cargo/itoa@1.0.9  2023-07-15 src/a.x",
		"pkg:gem/rack":                        "pkg:gem/rack@3.0.8  2023-06-14 lib/rack.rb",
		"pkg:composer/monolog/monolog@v3.4.0": "pkg:composer/monolog/monolog@3.4.0 MIT 2023-06-21 src/Logger.php",
		"pkg:composer/monolog/monolog":        "pkg:composer/monolog/monolog@3.5.0 MIT 2023-10-27 src/Logger.php",
		"pkg:maven/org.slf4j/slf4j-api":       "pkg:maven/org.slf4j/slf4j-api@2.0.9 MIT  org/A.java",
		"pkg:nuget/A.B":                       "pkg:nuget/A.B@1.1.0 MIT 2022-01-02 src/B.cs",
		"pkg:github/madler/zlib@v1.3.1":       "pkg:github/madler/zlib@v1.3.1   src/a.x",
		"pkg:deb/debian/hello":                "pkg:deb/debian/hello@2.10-3  2023-09-22 src/a.x map[hello_2.10.orig-docs.tar.gz:further-archive]",
		"pkg:deb/debian/apart":                "pkg:deb/debian/apart@1-1   src/a.x map[apart_1-1.debian.tar.xz:further-archive]",
		"pkg:deb/debian/patched":              "pkg:deb/debian/patched@1-1   debian/changelog",
		"pkg:deb/debian/mk":                   "pkg:deb/debian/mk@3   debian/control src/a.x https://github.com/o/mk",
	} {
		pkgs, err := Open(t.Context(), name, Options{Registries: &r})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p := pkgs[0]
		got := walk(t, p, Limits{})
		released := ""
		if !p.Released.IsZero() {
			released = p.Released.Format(time.DateOnly)
		}
		told := []string{p.PURL, p.License, released, strings.Join(slices.Sorted(maps.Keys(got.files)), " ")}
		if p.Published() != "" {
			told = append(told, p.Published())
		}
		if len(got.skipped) > 0 {
			told = append(told, fmt.Sprint(got.skipped))
		}
		same(t, name, strings.Join(told, " "), want)
	}
}

// A package that a registry does not have, or only in compiled form, is reported as not found. An archive that differs from the announcement or
// the lock file is refused. Offline, no requests are made.
func TestRegistriesRefuse(t *testing.T) {
	srv, r := registries(t, "")
	o := Options{Registries: &r}
	for _, name := range []string{"pkg:pypi/none@1", "pkg:pypi/flask-login@9", "pkg:cargo/itoa@2.0.0", "pkg:gem/rack@9", "pkg:composer/monolog/monolog@9", "pkg:maven/org.slf4j/slf4j-api@9", "pkg:nuget/A.B@9", "pkg:deb/debian/none", "pkg:composer/a/compiled@1.0.0"} {
		var none *NotFoundError
		if _, err := Open(t.Context(), name, o); !errors.As(err, &none) || AnswerOf(err) == NoAnswer {
			t.Errorf("%s: got %v", name, err)
		} else if (AnswerOf(err) == NoSource) != (name == "pkg:composer/a/compiled@1.0.0") {
			t.Errorf("%s: got answer %d", name, AnswerOf(err))
		}
		var offline *OfflineError
		if _, err := Open(t.Context(), name, Options{Registries: &r, Offline: true}); !errors.As(err, &offline) {
			t.Errorf("%s offline: got %v", name, err)
		}
	}
	_, bad := registries(t, "PK\x03\x04 not what was announced")
	for _, name := range []string{"pkg:pypi/flask-login@0.6.3", "pkg:cargo/itoa@1.0.9", "pkg:maven/org.slf4j/slf4j-api@2.0.9", "pkg:nuget/A.B@1.1.0"} {
		p := openOne(t, name, Options{Registries: &bad})
		var wrong *IntegrityError
		if _, err := tryWalk(p, Limits{}); !errors.As(err, &wrong) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	u, err := purl.Parse("pkg:pypi/flask-login@0.6.3")
	must(t, err)
	p, err := fetchPURL(t.Context(), u, "sha256-AAAA sha256-BBBB", o.withClient())
	must(t, err)
	var wrong *IntegrityError
	if _, err := tryWalk(p, Limits{}); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "sha256-AAAA") {
		t.Errorf("against a lock file: got %v", err)
	}
	_, html := registries(t, "html")
	for _, name := range []string{"pkg:cargo/itoa@1.0.9", "pkg:composer/monolog/monolog@3.5.0", "pkg:nuget/A.B@1.1.0", "pkg:pypi/flask-login@0.6.3"} {
		if _, err := Open(t.Context(), name, Options{Registries: &html}); err == nil {
			t.Errorf("%s is found on a page of HTML", name)
		}
	}
	srv.Close()
}

func (o Options) withClient() Options { o.HTTP = o.client(); return o }

// No address from a registry or a redirect leads into the local network, unless the configuration names it.
func TestLocalNetwork(t *testing.T) {
	secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
	defer secret.Close()
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/index/config.json":
			fmt.Fprintf(w, `{"dl":%q}`, secret.URL)
		case "/index/it/oa/itoa":
			fmt.Fprintln(w, `{"name":"itoa","vers":"1.0.9","cksum":"00"}`)
		default:
			http.Redirect(w, r, secret.URL+"/x", http.StatusFound)
		}
	}))
	defer front.Close()
	r := remote.Registries{Cargo: front.URL + "/index", GitHub: front.URL}
	for _, name := range []string{"pkg:cargo/itoa@1.0.9", "pkg:github/a/b@v1"} {
		_, err := tryWalk(openOne(t, name, Options{Registries: &r}), Limits{})
		if err == nil || !strings.Contains(err.Error(), web.ErrLocal.Error()) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A busy server is asked again when it says so, and given up after some attempts. A completed download is not repeated.
// A failed one keeps no other out.
func TestPrefetch(t *testing.T) {
	tgz := gzipped(t, buildTar(t, entry{name: "p/a.c", content: "1"}))
	asked := map[string]int{}
	var mu sync.Mutex
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.URL.Path]++
		switch name := strings.Split(r.URL.Path, "/")[2]; {
		case name == "busy" && asked[r.URL.Path] == 1:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		case name == "html":
			fmt.Fprint(w, "<html>please log in</html>")
		case name == "gone":
			w.WriteHeader(http.StatusGone)
		default:
			_, _ = w.Write(tgz)
		}
	}))
	defer srv.Close()
	var skipped []Skipped
	o := Options{Registries: &remote.Registries{GitHub: srv.URL}, Downloads: filepath.Join(t.TempDir(), "d"), Skipped: func(s Skipped) { skipped = append(skipped, s) }}
	var pkgs []*Package
	for _, name := range []string{"busy", "fine", "gone", "html"} {
		pkgs = append(pkgs, openOne(t, "pkg:github/o/"+name+"@v1", o))
	}
	for range 2 {
		skipped = nil
		good, err := Prefetch(t.Context(), pkgs, 2, o, func(string, int) {})
		must(t, err)
		same(t, "packages", purls(good), []string{"pkg:github/o/busy@v1", "pkg:github/o/fine@v1"})
		if len(skipped) != 2 || skipped[0].Path != "pkg:github/o/gone@v1" || !strings.Contains(skipped[0].Detail, "410") || !strings.Contains(skipped[1].Detail, "neither a zip nor a tar") {
			t.Errorf("skipped %v", skipped)
		}
	}
	same(t, "files", walk(t, pkgs[0], Limits{}).files, map[string]string{"a.c": "1"})
	same(t, "asked", fmt.Sprint(asked["/o/busy/tar.gz/refs/tags/v1"], asked["/o/fine/tar.gz/refs/tags/v1"]), "2 1")
}
