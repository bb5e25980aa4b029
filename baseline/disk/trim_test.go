package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestTrim: the oldest files are removed, by path if equally old, until the rest is within the limit.
func TestTrim(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"new", "sub/b", "sub/a", "old"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, 10), 0o644); err != nil {
			t.Fatal(err)
		}
		age := []int{0, 1, 1, 2}[i]
		at := time.Now().Add(-time.Duration(age) * time.Hour).Truncate(time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		most int64
		left []string
	}{{40, []string{"new", "old", "sub/a", "sub/b"}}, {39, []string{"new", "sub/a", "sub/b"}}, {25, []string{"new", "sub/b"}}, {0, nil}} {
		Trim(dir, c.most)
		var left []string
		for _, name := range []string{"new", "old", "sub/a", "sub/b"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				left = append(left, name)
			}
		}
		if !slices.Equal(left, c.left) {
			t.Errorf("within %d bytes: %q, want %q", c.most, left, c.left)
		}
	}
}
