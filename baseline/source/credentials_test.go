package source

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// A server that sends nothing for a while is given up, before and during its answer.
func TestSilence(t *testing.T) {
	done := make(chan bool)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "v2") {
			fmt.Fprint(w, "PK\x03\x04")
			w.(http.Flusher).Flush()
		}
		<-done
	}))
	defer srv.Close()
	defer close(done)
	var skipped []Skipped
	o := Options{silent: 50 * time.Millisecond, Registries: &remote.Registries{GitHub: srv.URL}, Downloads: filepath.Join(t.TempDir(), "d"), Skipped: func(s Skipped) { skipped = append(skipped, s) }}
	var pkgs []*Package
	for _, v := range []string{"v1", "v2"} {
		pkgs = append(pkgs, openOne(t, "pkg:github/o/slow@"+v, o))
	}
	good, err := Prefetch(t.Context(), pkgs, 2, o, func(string, int) {})
	must(t, err)
	if len(good) != 0 || len(skipped) != 2 || !strings.Contains(skipped[0].Detail, "timeout") || !strings.Contains(skipped[1].Detail, "bytes came in 50ms") {
		t.Errorf("%v, skipped %v", good, skipped)
	}
}

// If one Python index does not have a package, the next one is asked. An npm scope can have its own registry.
func TestFurtherIndexes(t *testing.T) {
	_, r := registries(t, "")
	r.PyPI, r.PyPIExtra = r.GitHub+"/nothing", []string{r.PyPI}
	openOne(t, "pkg:pypi/flask-login@0.6.3", Options{Registries: &r})
	var none *NotFoundError
	if _, err := Open(t.Context(), "pkg:pypi/absent@1", Options{Registries: &r}); !errors.As(err, &none) {
		t.Errorf("got %v", err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"name":"@acme/pad","version":"1.0.0","license":"MIT","dist":{"tarball":"http://%s/x.tgz","shasum":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}}`, r.Host)
	}))
	defer srv.Close()
	p := openOne(t, "pkg:npm/%40acme/pad@1.0.0", Options{NPMRegistry: "http://127.0.0.1:1", NPMScopes: map[string]string{"@acme": srv.URL}})
	same(t, "package", p.PURL+" "+p.From, "pkg:npm/%40acme/pad@1.0.0 "+srv.URL+"/x.tgz")
}
