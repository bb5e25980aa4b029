package source

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestRepositoryAddress: what a package says of its repository becomes an address of
// https on a public host, or nothing.
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
		{"pkg:pypi/flask@2.0.0", "", ""},
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
