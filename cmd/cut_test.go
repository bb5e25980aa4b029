package cmd_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// TestBaselineCutMeanwhile: a file of the baseline that is cut during a scan ends it
// with exit code 2 and advice, and there is no report.
func TestBaselineCutMeanwhile(t *testing.T) {
	if !disk.Maps {
		t.Skip("files are read here")
	}
	code, err := os.ReadFile("cmd_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, ext := range []string{".fps", ".docs"} {
		dir := t.TempDir()
		base, lib, output := filepath.Join(dir, "base"), filepath.Join(dir, "lib"), filepath.Join(dir, "report.json")
		if err := os.Mkdir(lib, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(lib, "a.go"), code, 0o644); err != nil {
			t.Fatal(err)
		}
		env := map[string]string{"HOME": dir}
		if n, _, said := run(t, context.Background(), env, "", "baseline", "add", "--baseline", base, "--purl", "pkg:generic/l@1", lib); n != 0 {
			t.Fatal(said)
		}
		parts, err := filepath.Glob(filepath.Join(base, "*"+ext))
		if err != nil || len(parts) != 1 {
			t.Fatal(parts, err)
		}
		var once sync.Once
		restore := disk.Intercept(func(c disk.Call) (int, error) {
			if c.Op == "read" && strings.Contains(filepath.Base(c.Path), "model") { // the baseline is open by then
				once.Do(func() { err = os.Truncate(parts[0], 0) })
			}
			return c.Size, nil
		})
		n, stdout, said := run(t, context.Background(), env, "", "scan", "--baseline", base, "--output", output, lib)
		restore()
		if st, e := os.Stat(parts[0]); err != nil || e != nil || st.Size() != 0 {
			t.Fatalf("the file was not cut: %v, %v", err, e)
		}
		if n != 2 || stdout != "" || !strings.Contains(said, "was cut from") || !strings.Contains(said, `hint: run "git-provenance baseline verify --baseline `+base) || strings.Contains(said, "damaged") {
			t.Errorf("%s: exit %d, %q, %s", ext, n, stdout, said)
		}
		if _, err := os.Stat(output); err == nil {
			t.Errorf("%s: there is a report", ext)
		}
	}
}
