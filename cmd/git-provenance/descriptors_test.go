//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const asProgram = "GIT_PROVENANCE_TEST_PROGRAM"

// TestMain lets the test binary be the program.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Unsetenv(asProgram)
		main()
	}
	os.Exit(m.Run())
}

// limited runs the program with so many descriptors.
func limited(t *testing.T, files int, args ...string) (out string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, files), exe}, args...)...)
	c.Env = append(os.Environ(), asProgram+"=1")
	b, _ := c.CombinedOutput()
	return string(b), c.ProcessState.ExitCode()
}

// However few files may be open, the program says so, and never that a sound
// baseline is damaged.
func TestFewDescriptors(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	dir := t.TempDir()
	src := filepath.Join(dir, "list")
	if err := os.Mkdir(src, 0o755); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	text.WriteString("package list\n")
	for i := range 40 {
		fmt.Fprintf(&text, "func sum%d(values []int, most int) (n int) {\n\tfor i, v := range values {\n\t\tif v%%%d < most {\n\t\t\tn += v * i\n\t\t}\n\t}\n\treturn n\n}\n", i, i+2)
	}
	if err := os.WriteFile(filepath.Join(src, "list.go"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(dir, "base")
	add := []string{"baseline", "add", src, "--purl", "pkg:generic/list@1", "--baseline", base}
	if out, code := limited(t, 256, add...); code != 0 {
		t.Fatalf("add: %d\n%s", code, out)
	}
	want, _ := limited(t, 256, "scan", src, "--baseline", base)
	refused, complete := 0, 0
	// below seven Go's runtime gives up before main: a package that the client of S3 needs asks for random numbers as it is loaded
	for files := 7; files <= 48; files++ {
		for _, args := range [][]string{{"baseline", "verify", "--baseline", base}, {"scan", src, "--baseline", base}} {
			out, code := limited(t, files, args...)
			switch {
			case strings.Contains(out, "damaged"), strings.Contains(out, "goroutine "), code != 1 && strings.Contains(out, "remove"):
				t.Errorf("%d files: %v: %d\n%s", files, args, code, out)
			case code == 2 && strings.Contains(out, "ulimit -n"):
				refused++
			case code == 2:
				t.Errorf("%d files: %v: not told why\n%s", files, args, out)
			case args[0] == "scan" && out != want:
				t.Errorf("%d files: another report:\n%s", files, out)
			default:
				complete++
			}
		}
	}
	if refused == 0 || complete == 0 {
		t.Errorf("%d runs refused, %d complete", refused, complete)
	}
}
