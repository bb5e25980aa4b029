package web

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/remote"
)

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
	credentials := remote.Credentials{
		remote.Bearer("//"+host+"/team/", "tok"), remote.Header(front.URL+"/team/lab", "Private-Token", "lab"), remote.Basic("//"+strings.TrimPrefix(open.URL, "http://"), "a", "b"),
		remote.Header("bad\nhost", "Authorization", "x"), remote.Bearer("https://"+host, "line\r\nbreak"),
	}
	client := NewClient([]string{open.URL, "http://ada:pass@" + strings.TrimPrefix(plain.URL, "http://") + "/v3", other.URL, front.URL}, credentials, 0)
	client.Transport.(guard).next.(*turns).next.(*http.Transport).TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	f := Fetcher{HTTP: client}
	for _, addr := range []string{front.URL + "/team/x", front.URL + "/team/lab/y", front.URL + "/teams", front.URL + "/team/leave?to=" + url.QueryEscape(other.URL+"/there"),
		front.URL + "/leave?to=/team/back", plain.URL + "/v3/index", plain.URL + "/v4", open.URL + "/pad"} {
		if _, err := f.Document(t.Context(), addr); err != nil {
			t.Errorf("%s: %v", addr, err)
		}
	}
	want := map[string]string{"front/team/x": "Bearer tok", "front/team/lab/y": "lab", "front/teams": "", "front/team/leave": "Bearer tok", "other/there": "",
		"front/leave": "", "front/team/back": "Bearer tok", "plain/v3/index": "Basic YWRhOnBhc3M=", "plain/v4": "", "open/pad": "Basic YTpi"}
	if !maps.Equal(seen, want) {
		t.Errorf("sent %v, want %v", seen, want)
	}
	if s := fmt.Sprintf("%v %+v %#v", credentials, credentials, credentials); strings.Contains(s, "tok") || strings.Contains(s, "YTpi") {
		t.Error("a credential prints its secret: " + s)
	}
	_, err := f.Document(t.Context(), "https://ada:pass@127.0.0.1:1/x?token=pass")
	if err == nil || strings.Contains(err.Error(), "pass") {
		t.Errorf("got %v", err)
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

// A host that fails again and again is not asked for each package of a long lock file. Other hosts still are.
func TestGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		most  int
		says  string
	}{
		"silent":             {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 4, "timeout"},
		"silent in the body": {func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush(); <-r.Context().Done() }, 4, "nothing came for"},
		"slow": {func(w http.ResponseWriter, r *http.Request) { // one byte after another
			for r.Context().Err() == nil {
				_, _ = w.Write([]byte{' '})
				w.(http.Flusher).Flush()
				time.Sleep(2 * time.Millisecond)
			}
		}, 4, "bytes came in"},
		"failing": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, 16, "502"},
		"busy":    {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }, 16, "429"},
	} {
		asked := 0
		bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked++; c.serve(w, r) }))
		good := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "fine") }))
		f := Fetcher{HTTP: NewClient([]string{bad.URL, good.URL}, nil, 30*time.Millisecond), Patience: 30 * time.Millisecond}
		for i := range 40 {
			_, err := f.Document(t.Context(), bad.URL)
			want := c.says
			if i >= c.most {
				want = "is not asked any more"
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("%s, request %d: %v", name, i, err)
			}
		}
		if _, err := f.Document(t.Context(), good.URL); err != nil || asked != c.most {
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
	f := Fetcher{HTTP: NewClient([]string{srv.URL}, nil, 0)}
	if _, err := f.Document(t.Context(), srv.URL); err != nil {
		t.Fatal(err)
	}
	for range 13 {
		if _, err := f.Document(t.Context(), srv.URL); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	all.Go(func() { _, _ = f.Document(t.Context(), srv.URL) }) // is told to wait
	time.Sleep(300 * time.Millisecond)
	for range 3 {
		all.Go(func() { _, _ = f.Document(t.Context(), srv.URL) })
	}
	all.Wait()
	if early > 0 {
		t.Errorf("%d requests came during the pause", early)
	}
}

// TestLocalAddresses: addresses of the local network are refused, however they are written.
func TestLocalAddresses(t *testing.T) {
	for _, ip := range []string{"127.0.0.1:1", "10.0.0.1:80", "169.254.169.254:80", "[::1]:80", "[fe80::1]:80", "[::ffff:192.168.1.1]:443", "100.64.1.1:80", "0.0.0.0:80", "0.1.2.3:80", "198.18.0.1:80", "255.255.255.255:80", "[64:ff9b::a00:1]:80", "[2002:a00:1::]:80", "[::a00:1]:80", "[fec0::1]:80"} {
		if refuseLocal(ip) == nil {
			t.Errorf("%s is taken for an address of the Internet", ip)
		}
	}
	if err := refuseLocal("151.101.1.6:443"); err != nil {
		t.Error(err)
	}
}

// TestSaid: an error tells the reason that a server gives in plain text, in one line and cut off, and no page.
func TestSaid(t *testing.T) {
	const page = "text/html; charset=utf-8"
	for _, c := range []struct {
		status            int
		media, text, want string
	}{
		{403, "text/plain; charset=UTF-8", "module too large\nmore of it", `: the server answered 403: Forbidden ("module too large")`},
		{403, "text/plain", "forbidden", ": the server answered 403: Forbidden"},
		{410, "text/plain", " not found: \u202e" + strings.Repeat("x", 999), `: the server answered 410: Gone ("not found: \u202e` + strings.Repeat("x", maxSaid-len(" not found: \u202e")) + `")`},
		{403, page, "<html>no</html>", ": the server answered 403: Forbidden"},
		{403, "", "", ": the server answered 403: Forbidden"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c.media)
			w.WriteHeader(c.status)
			io.WriteString(w, c.text)
		}))
		_, err := (Fetcher{HTTP: s.Client()}).Document(t.Context(), s.URL+"/x")
		s.Close()
		if want := "fetch " + s.URL + "/x" + c.want; err == nil || err.Error() != want {
			t.Errorf("got %v, want %v", err, want)
		}
		if e, ok := errors.AsType[*FetchError](err); !ok || c.status == 403 && !strings.Contains(e.Remedy(), "does not serve it, or needs credentials") {
			t.Errorf("%v: advice %q", err, e.Remedy())
		}
	}
}
