package clone

import (
	"context"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/source/remote"
	"github.com/git-provenance/git-provenance/scanner/git/gittest"
)

// TestPublicAddresses: nothing of the local network is cloned from.
func TestPublicAddresses(t *testing.T) {
	for addr, want := range map[string]bool{
		"140.82.121.4": true, "2606:50c0:8000::64": true, "127.0.0.1": false, "10.1.2.3": false, "192.168.0.1": false, "172.20.0.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false, "::1": false, "::ffff:127.0.0.1": false, "fe80::1": false, "fd00::1": false, "224.0.0.1": false,
	} {
		if got := remote.Public(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
	c := &Cloner{lookUp: publicHost}
	if _, _, err := c.source(t.Context(), "https://localhost/a/b"); err == nil || !strings.Contains(err.Error(), "local network") {
		t.Error(err)
	}
}

// TestCloneBounds: the size of a clone on disk is counted, and messages of git are cut.
func TestCloneBounds(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 100), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got := disk.DirSize(dir); got != 200 {
		t.Errorf("%d bytes", got)
	}
	var b strings.Builder
	l := &limited{to: &b, left: 5}
	for range 3 {
		if n, err := l.Write([]byte("abc")); n != 3 || err != nil {
			t.Error(n, err)
		}
	}
	if b.String() != "abcab" {
		t.Error(b.String())
	}
}

// gitServer serves the repositories below a directory over https, as git's own server does, at the name example.com. It knows
// some addresses that lead elsewhere.
func gitServer(t *testing.T, root string, moved map[string]string) (c *Cloner, addr string) {
	t.Helper()
	path, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	backend := &cgi.Handler{Path: filepath.Join(strings.TrimSpace(string(path)), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"}}
	if _, err := os.Stat(backend.Path); err != nil {
		t.Skip("git has no http-backend here")
	}
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for from, to := range moved {
			if rest, ok := strings.CutPrefix(r.URL.Path, from); ok {
				http.Redirect(w, r, to+rest+"?"+r.URL.RawQuery, http.StatusMovedPermanently)
				return
			}
		}
		if _, password, ok := r.BasicAuth(); ok {
			t.Errorf("a password was sent: %s", password)
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(caFile, ca)
	local := netip.MustParseAddr("127.0.0.1")
	c = &Cloner{git: "git", dir: t.TempDir(), lookUp: func(context.Context, string) (netip.Addr, error) { return local, nil }}
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	return c, "https://example.com:" + port
}

// TestCloneByHTTPS: a repository is cloned over https with checked certificates, also after its host says that it was
// renamed. A redirect to another host, or to nothing, is an error.
func TestCloneByHTTPS(t *testing.T) {
	root := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		return gittest.Run(t, root, nil, args...)
	}
	run("init", "-q", "own/now.git")
	run("-C", "own/now.git", "commit", "-q", "--allow-empty", "-m", "Begin")
	want := run("-C", "own/now.git", "rev-parse", "HEAD")
	c, addr := gitServer(t, root, map[string]string{
		"/old/name":  "/own/now.git",
		"/older":     "/old/name",
		"/elsewhere": "https://example.org/own/now",
		"/plain":     "http://example.com/own/now",
		"/login":     "/users/sign_in?",
		"/circle":    "/circle",
	})
	for _, path := range []string{"/own/now.git", "/old/name", "/older"} {
		repo, err := c.Open(t.Context(), addr+path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if head, err := repo.Resolve(t.Context(), "HEAD"); err != nil || head.Name != want {
			t.Errorf("%s: %s, %v, want %s", path, head.Name, err, want)
		}
		repo.Close()
	}
	for path, says := range map[string]string{
		"/elsewhere": `it redirects to "https://example.org/own/now", away from its host`,
		"/plain":     `it redirects to "http://example.com/own/now", away from its host`,
		"/login":     "the host answers",
		"/circle":    "redirects",
		"/none":      `the host answers "404 Not Found"`,
	} {
		if _, err := c.Open(t.Context(), addr+path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", path, err, says)
		}
	}
	os.Unsetenv(caFile)
	if _, err := c.Open(t.Context(), addr+"/own/now.git"); err == nil || !strings.Contains(fmt.Sprint(err), "certificate") {
		t.Errorf("a certificate that nobody knows: %v", err)
	}
}
