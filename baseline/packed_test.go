package baseline

import (
	"archive/tar"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source"
)

// TestPacked: the date of an archive's files is kept if it is long before the registry's date.
func TestPacked(t *testing.T) {
	dir := t.TempDir()
	made := time.Date(2014, 5, 19, 10, 0, 0, 0, time.UTC)
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: "p/a.go", Mode: 0o644, Size: 10, Typeflag: tar.TypeReg, ModTime: made}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("package p\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "p.tar")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	day := made.Truncate(24 * time.Hour)
	for released, want := range map[time.Time]time.Time{made.AddDate(10, 0, 0): day, made.AddDate(0, 0, 7): {}, {}: {}} {
		pkgs, err := source.Open(context.Background(), name, source.Options{PURL: "pkg:npm/p@1.0.0", Released: released})
		if err != nil {
			t.Fatal(err)
		}
		base := writer(t, filepath.Join(t.TempDir(), "base"))
		add(t, base, pkgs...)
		got, err := base.Baseline().Packages()
		if err != nil || len(got) != 1 || !got[0].Packed.Equal(want) {
			t.Errorf("released %v: %+v, %v, want %v", released, got, err, want)
		}
		if sum := add(t, base, pkgs...); sum.Unchanged != 1 {
			t.Errorf("released %v, again: %+v", released, sum)
		}
		base.Close()
	}
}
