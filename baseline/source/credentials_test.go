package source

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

// trusting makes the options' client trust the certificate of a test server.
func (o Options) trusting(also ...string) Options {
	o.HTTP = newClient(o, also...)
	g := o.HTTP.Transport.(guard)
	g.next.(*turns).next.(*http.Transport).TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	return o
}

// A credential is sent only to the host that it is configured for. It is not sent to a host that the registry redirects
// to or names, not below another path, and not over http unless the registry is configured so. No error contains it.
func TestCredentials(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]string{}
	note := func(name string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			seen[name+r.URL.Path] = r.Header.Get("Authorization") + r.Header.Get("Private-Token")
			if strings.HasSuffix(r.URL.Path, "/leave") {
				http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
			}
		}
	}
	other := httptest.NewTLSServer(note("other"))
	defer other.Close()
	plain := httptest.NewServer(note("plain"))
	defer plain.Close()
	open := httptest.NewServer(note("open"))
	defer open.Close()
	front := httptest.NewTLSServer(note("front"))
	defer front.Close()
	host := strings.TrimPrefix(front.URL, "https://")
	o := Options{NPMRegistry: open.URL, Registries: &remote.Registries{NuGet: "http://ada:pass@" + strings.TrimPrefix(plain.URL, "http://") + "/v3"}, Credentials: remote.Credentials{
		remote.Bearer("//"+host+"/team/", "tok"), remote.Header(front.URL+"/team/lab", "Private-Token", "lab"), remote.Basic("//"+strings.TrimPrefix(open.URL, "http://"), "a", "b"),
		remote.Header("bad\nhost", "Authorization", "x"), remote.Bearer("https://"+host, "line\r\nbreak"),
	}}.trusting(other.URL, front.URL)
	for _, addr := range []string{front.URL + "/team/x", front.URL + "/team/lab/y", front.URL + "/teams", front.URL + "/team/leave?to=" + url.QueryEscape(other.URL+"/there"),
		front.URL + "/leave?to=/team/back", plain.URL + "/v3/index", plain.URL + "/v4", open.URL + "/pad"} {
		if _, err := document(t.Context(), addr, o); err != nil {
			t.Errorf("%s: %v", addr, err)
		}
	}
	same(t, "sent", seen, map[string]string{"front/team/x": "Bearer tok", "front/team/lab/y": "lab", "front/teams": "", "front/team/leave": "Bearer tok", "other/there": "",
		"front/leave": "", "front/team/back": "Bearer tok", "plain/v3/index": "Basic YWRhOnBhc3M=", "plain/v4": "", "open/pad": "Basic YTpi"})
	if s := fmt.Sprintf("%v %+v %#v", o.Credentials, o.Credentials, o.Credentials); strings.Contains(s, "tok") || strings.Contains(s, "YTpi") {
		t.Error("a credential prints its secret: " + s)
	}
	_, err := document(t.Context(), "https://ada:pass@127.0.0.1:1/x?token=pass", o)
	if err == nil || strings.Contains(err.Error(), "pass") {
		t.Errorf("got %v", err)
	}
}

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
	if len(good) != 0 || len(skipped) != 2 || !strings.Contains(skipped[0].Detail, "timeout") || !strings.Contains(skipped[1].Detail, "nothing came for 50ms") {
		t.Errorf("%v, skipped %v", good, skipped)
	}
}

func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		status      int
		after, date string
		want        time.Duration
	}{
		{429, "7", "", 7 * time.Second}, {503, "7", "", 7 * time.Second}, {429, "600", "", 0}, {429, "-1", "", 0}, {429, "", "", 0}, {404, "7", "", 0},
		{429, "Wed, 21 Oct 2015 07:28:30 GMT", "Wed, 21 Oct 2015 07:28:00 GMT", 30 * time.Second}, {429, "Wed, 21 Oct 2015 07:28:30 GMT", "", 0},
	} {
		resp := &http.Response{StatusCode: c.status, Header: http.Header{"Retry-After": {c.after}, "Date": {c.date}}}
		if got := retryAfter(resp); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
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

// A host that fails again and again is not asked for each package of a long lock file. Other hosts still are.
func TestGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		most  int
		says  string
	}{
		"silent":             {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 4, "timeout"},
		"silent in the body": {func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush(); <-r.Context().Done() }, 4, "nothing came for"},
		"failing":            {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, 16, "502"},
		"busy":               {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }, 16, "429"},
	} {
		asked := 0
		bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked++; c.serve(w, r) }))
		good := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "fine") }))
		o := Options{silent: 30 * time.Millisecond, NPMRegistry: bad.URL, GoProxy: good.URL}.withClient()
		for i := range 40 {
			_, err := document(t.Context(), bad.URL, o)
			want := c.says
			if i >= c.most {
				want = "is not asked any more"
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("%s, request %d: %v", name, i, err)
			}
		}
		if _, err := document(t.Context(), good.URL, o); err != nil || asked != c.most {
			t.Errorf("%s was asked %d times, want %d; another host: %v", name, asked, c.most, err)
		}
		bad.Close()
		good.Close()
	}
}

// A pause that a host asks for applies to every request to it. An answer in between resets the count of failures.
func TestPauseIsShared(t *testing.T) {
	var mu sync.Mutex
	asked, until := 0, time.Time{}
	early := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if time.Now().Before(until) {
			early++
		}
		if asked++; asked%15 == 1 {
			until = time.Now().Add(900 * time.Millisecond)
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	defer srv.Close()
	o := Options{NPMRegistry: srv.URL}.withClient()
	if _, err := document(t.Context(), srv.URL, o); err != nil {
		t.Fatal(err)
	}
	for range 13 {
		if _, err := document(t.Context(), srv.URL, o); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	all.Go(func() { _, _ = document(t.Context(), srv.URL, o) }) // is told to wait
	time.Sleep(300 * time.Millisecond)
	for range 3 {
		all.Go(func() { _, _ = document(t.Context(), srv.URL, o) })
	}
	all.Wait()
	if early > 0 {
		t.Errorf("%d requests came during the pause", early)
	}
}
