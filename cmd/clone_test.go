package cmd

import (
	"github.com/git-provenance/git-provenance/baseline/disk"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPublicAddresses: nothing of the local network is cloned from.
func TestPublicAddresses(t *testing.T) {
	for addr, want := range map[string]bool{
		"140.82.121.4": true, "2606:50c0:8000::64": true, "127.0.0.1": false, "10.1.2.3": false, "192.168.0.1": false, "172.20.0.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false, "::1": false, "::ffff:127.0.0.1": false, "fe80::1": false, "fd00::1": false, "224.0.0.1": false,
	} {
		if got := public(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
	c := &cloner{}
	if _, _, err := c.source(t.Context(), "https://localhost/a/b"); err == nil || !strings.Contains(err.Error(), "local network") {
		t.Error(err)
	}
}

// TestCloneBounds: what a clone takes on disk is counted, and what git says is cut.
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
