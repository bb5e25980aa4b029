package source

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// TestRepositoryAddress: a package's statement of its repository becomes an https address on a public host, or is ignored.
func TestRepositoryAddress(t *testing.T) {
	said := ""
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".info") {
			w.Write([]byte(`{"Version":"v1.0.0","Origin":{"VCS":"git","URL":"` + said + `"}}`))
			return
		}
		w.Write([]byte(`{"name":"p","version":"1.0.0","repository":` + said + `}`))
	}))
	defer srv.Close()
	o := Options{GoProxy: srv.URL, NPMRegistry: srv.URL}
	for _, c := range []struct{ name, said, want string }{
		{"pkg:golang/github.com/a/b/sub/v2@v2.0.0", "", "https://github.com/a/b"},
		{"pkg:golang/golang.org/x/mod@v0.17.0", "https://go.googlesource.com/x/mod", "https://go.googlesource.com/x/mod"},
		{"pkg:golang/example.org/x@v1.0.0", "file:///etc/passwd", ""},
		{"pkg:golang/example.org/x@v1.0.0", "", ""},
		{"pkg:golang/std@1.22.0", "", ""},
		{"pkg:github/a/b@1", "", "https://github.com/a/b"},
		{"pkg:maven/g/a@2.0.0", "", ""},
		{"pkg:swift/gitlab.com/g/s/n@1.0.0", "", "https://gitlab.com/g/s/n"},
		{"pkg:swift/10.0.0.1/a/b@1.0.0", "", ""},
		{"pkg:npm/p@1.0.0", `{"type":"git","url":"git+https://github.com/a/b.git"}`, "https://github.com/a/b.git"},
		{"pkg:npm/p@1.0.0", `"a/b"`, "https://github.com/a/b"},
		{"pkg:npm/p@1.0.0", `"gitlab:a/b"`, "https://gitlab.com/a/b"},
		{"pkg:npm/p@1.0.0", `"git://github.com/a/b.git#main"`, "https://github.com/a/b.git"},
		{"pkg:npm/p@1.0.0", `"git@github.com:a/b.git"`, "https://github.com/a/b.git"},
		{"pkg:npm/p@1.0.0", `"ssh://git@github.com/a/b.git"`, "https://github.com/a/b.git"},
		{"pkg:npm/p@1.0.0", `"https://user:secret@github.com/a/b"`, ""},
		{"pkg:npm/p@1.0.0", `"https://127.0.0.1/a/b"`, ""},
		{"pkg:npm/p@1.0.0", `"https://[::1]/a/b"`, ""},
		{"pkg:npm/p@1.0.0", `"https://2130706433/a/b"`, ""},
		{"pkg:npm/p@1.0.0", `"https://localhost/a/b"`, ""},
		{"pkg:npm/p@1.0.0", `"https://github.com:8443/a/b"`, ""},
		{"pkg:npm/p@1.0.0", `"https://github.com/a/../../b"`, ""},
		{"pkg:npm/p@1.0.0", `"ext::sh -c touch% /tmp/x"`, ""},
		{"pkg:npm/p@1.0.0", `"--upload-pack=touch /tmp/x"`, ""},
		{"pkg:npm/p@1.0.0", `12`, ""},
		{"pkg:npm/p@1.0.0", `null`, ""},
	} {
		said = c.said
		got, err := Repository(t.Context(), c.name, o)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %s: %q, %v, want %q", c.name, c.said, got, err, c.want)
		}
	}
}

// TestRepositoryOfArchives: PyPI and Cargo name the repository of a package only in its archive. The archive comes from the
// configured index and has its checksum. Its address must follow the same rules.
func TestRepositoryOfArchives(t *testing.T) {
	said := ""
	var asked []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		sdist := gzipped(t, buildTar(t, entry{name: "p-1.0/PKG-INFO", content: "Name: p\nVersion: 1.0\n" + said + "\n\ntext\n"}, entry{name: "p-1.0/p.py", content: "p"}))
		wheel := buildZip(t, entry{name: "w-1.0.dist-info/METADATA", content: "Name: w\nVersion: 1.0\n" + said + "\n"}, entry{name: "w.py", content: "w"})
		crate := gzipped(t, buildTar(t, entry{name: "c-1.0.0/Cargo.toml", content: "[package]\nname = \"c\"\nversion = \"1.0.0\"\n" + said + "\n"}, entry{name: "c-1.0.0/src/lib.rs", content: "c"}))
		switch r.URL.Path {
		case "/simple/p/":
			fmt.Fprintf(w, `{"files":[{"filename":"p-1.0.tar.gz","url":"/f/p","hashes":{"sha256":"%s"}}]}`, hexOf(sha256.New(), sdist))
		case "/simple/w/":
			fmt.Fprintf(w, `{"files":[{"filename":"w-1.0-py3-none-any.whl","url":"/f/w","hashes":{"sha256":"%s"}}]}`, hexOf(sha256.New(), wheel))
		case "/simple/bad/":
			fmt.Fprintf(w, `{"files":[{"filename":"bad-1.0.tar.gz","url":"/f/p","hashes":{"sha256":"%064d"}}]}`, 0)
		case "/index/config.json":
			fmt.Fprintf(w, `{"dl":"http://%s/f/c#{prefix}{crate}{version}","api":"http://127.0.0.1:1"}`, r.Host)
		case "/index/1/c":
			fmt.Fprintf(w, `{"name":"c","vers":"1.0.0","cksum":"%s","yanked":false}`, hexOf(sha256.New(), crate))
		case "/f/p":
			w.Write(sdist)
		case "/f/w":
			w.Write(wheel)
		case "/f/c":
			w.Write(crate)
		default:
			http.NotFound(w, r)
		}
	}))
	defer srv.Close()
	o := Options{Registries: &remote.Registries{PyPI: srv.URL + "/simple", Cargo: srv.URL + "/index"}}
	for _, c := range []struct{ name, said, want string }{
		{"pkg:pypi/p@1.0", "Home-page: https://github.com/a/b", "https://github.com/a/b"},
		{"pkg:pypi/p@1.0", "Project-URL: Funding, https://github.com/sponsors/a\nProject-URL: Changelog, https://github.com/a/docs/blob/main/CHANGES\nProject-URL: Source Code, https://github.com/a/b/tree/main", "https://github.com/a/b"},
		{"pkg:pypi/p@1.0", "Home-page: https://github.com/a/site\nProject-URL: Source, https://gitlab.com/g/sub/b/-/tree/main", "https://gitlab.com/g/sub/b"},
		{"pkg:pypi/p@1.0", "Project-URL: Funding, https://github.com/sponsors/a", ""},
		{"pkg:pypi/p@1.0", "Home-page: https://a.readthedocs.io/en/latest", ""},
		{"pkg:pypi/p@1.0", "Project-URL: Source, https://user:secret@github.com/a/b", ""},
		{"pkg:pypi/p@1.0", "Project-URL: Source, https://github.com:8443/a/b", ""},
		{"pkg:pypi/p@1.0", "Project-URL: Source, https://127.0.0.1/a/b", ""},
		{"pkg:pypi/p@1.0", "Project-URL: Source, ext::sh -c touch% /tmp/x", ""},
		{"pkg:pypi/p@1.0", "", ""},
		{"pkg:pypi/w@1.0", "Project-URL: GitHub, https://github.com/a/w", "https://github.com/a/w"},
		{"pkg:pypi/bad@1.0", "Home-page: https://github.com/a/b", ""},
		{"pkg:pypi/none@1.0", "", ""},
		{"pkg:cargo/c@1.0.0", `repository = "https://github.com/a/b/tree/main/crates/c"`, "https://github.com/a/b"},
		{"pkg:cargo/c@1.0.0", `repository = "https://git.example.org/a/b.git"`, "https://git.example.org/a/b.git"},
		{"pkg:cargo/c@1.0.0", `repository = "https://git.example.org:22/a/b.git"`, ""},
		{"pkg:cargo/c@1.0.0", `repository = "https://10.0.0.1/a/b"`, ""},
		{"pkg:cargo/c@1.0.0", `repository = "https://localhost/a/b"`, ""},
		{"pkg:cargo/c@1.0.0", `repository = "--upload-pack=touch /tmp/x"`, ""},
		{"pkg:cargo/c@1.0.0", `homepage = "https://github.com/a/b"`, ""},
	} {
		said = c.said
		got, err := Repository(t.Context(), c.name, o)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %s: %q, %v, want %q", c.name, c.said, got, err, c.want)
		}
	}
	o.Offline, asked = true, nil
	var offline *OfflineError
	if _, err := Repository(t.Context(), "pkg:cargo/c@1.0.0", o); !errors.As(err, &offline) || len(asked) > 0 {
		t.Errorf("offline: %v, asked %q", err, asked)
	}
	o.Offline, said = false, `repository = "https://github.com/a/b"`
	p := openOne(t, "pkg:cargo/c@1.0.0", o)
	walk(t, p, Limits{})
	same(t, "as it is indexed", p.Published(), "https://github.com/a/b")
}
