//go:build unix

package action_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInstall runs install.sh against a server with one release.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers and downloads from them")
	}
	for _, tool := range []string{"bash", "curl", "awk", "tar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	archive := func(name string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		w := tar.NewWriter(z)
		err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: 2})
		_, err2 := w.Write([]byte("#!"))
		if err := errors.Join(err, err2, w.Close(), z.Close()); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	good, odd := archive("git-provenance"), archive("other")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/git-provenance_1.2.3_linux_amd64.tar.gz", "/git-provenance_1.2.3_linux_arm64.tar.gz":
			w.Write(good)
		case "/git-provenance_1.2.3_darwin_arm64.tar.gz":
			w.Write(odd)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(srv.Close)
	sums := fmt.Sprintf("# comment _linux_amd64.tar.gz\n%x  git-provenance_1.2.3_linux_amd64.tar.gz\n%064d  git-provenance_1.2.3_linux_arm64.tar.gz\n%x  git-provenance_1.2.3_darwin_arm64.tar.gz\n%064d  git-provenance_1.2.3_darwin_amd64.tar.gz\n",
		sha256.Sum256(good), 0, sha256.Sum256(odd), 0)
	script, err := os.ReadFile("install.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, os, arch, binary string
		code                   int
		want                   string // of the log, or the end of the program's path
	}{
		{name: "release", os: "Linux", arch: "X64", want: "/git-provenance"},
		{name: "other checksum", os: "Linux", arch: "ARM64", code: 2, want: "::error title=git-provenance::the checksum of git-provenance_1.2.3_linux_arm64.tar.gz is "},
		{name: "other content", os: "macOS", arch: "ARM64", code: 2, want: "does not hold the program"},
		{name: "gone", os: "macOS", arch: "X64", code: 2, want: "cannot download"},
		{name: "built", os: "Windows", arch: "X64", want: "/git-provenance.exe"},
		{name: "unknown system", os: "Plan9\n::error::x", arch: "X64", code: 2, want: `unknown RUNNER_OS: $'Plan9\n::error::x'`},
		{name: "own program", os: "Linux", arch: "X64", binary: "own", want: "/own"},
		{name: "own program is not there", os: "Linux", arch: "X64", binary: "none", code: 2, want: "the input binary names no file: none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			put := func(name, text string) {
				path := filepath.Join(dir, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o777)); err != nil {
					t.Fatal(err)
				}
			}
			put("action/install.sh", string(script))
			put("action/checksums.txt", sums)
			put("own", "#!")
			put("temp/x", "")
			// in place of Go: the test needs no real program
			put("bin/go", "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done; : > \"$2\"\n")
			put("bin/gcc", "#!/bin/sh\n")
			x := exec.Command("bash", "action/install.sh")
			x.Dir = dir
			x.Env = []string{"PATH=" + dir + "/bin:" + os.Getenv("PATH"), "RUNNER_OS=" + c.os, "RUNNER_ARCH=" + c.arch, "RUNNER_TEMP=" + dir + "/temp",
				"GITHUB_OUTPUT=" + dir + "/output", "ACTION_DIR=" + dir, "BASE_URL=" + srv.URL, "BINARY=" + c.binary}
			out, err := x.CombinedOutput()
			if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
				t.Fatal(err)
			}
			if x.ProcessState.ExitCode() != c.code {
				t.Fatalf("exit code %d\n%s", x.ProcessState.ExitCode(), out)
			}
			if c.code != 0 {
				if !strings.Contains(string(out), c.want) {
					t.Errorf("log %q, want %q", out, c.want)
				}
				return
			}
			b, err := os.ReadFile(filepath.Join(dir, "output"))
			program, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "program=")
			if err != nil || !ok || !strings.HasSuffix(program, c.want) {
				t.Fatalf("output %q, %v\n%s", b, err, out)
			}
			if _, err := os.Stat(program); err != nil {
				t.Error(err)
			}
		})
	}
}
