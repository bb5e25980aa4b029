package baseline

import (
	"archive/zip"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/source"
)

// TestBrokenArchive: if the last file of an archive is damaged, the other packages are added, and none of its files is.
// Alone, the archive is an error, and nothing changes.
func TestBrokenArchive(t *testing.T) {
	dir := t.TempDir()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"a.go", "b.go"} {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte("package p\n\n// of " + name + "\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "x.zip")
	if err := os.WriteFile(name, bytes.Replace(b.Bytes(), []byte("of b.go"), []byte("in b.go"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	broken, err := source.Open(context.Background(), name, source.Options{PURL: "pkg:generic/broken@1"})
	if err != nil {
		t.Fatal(err)
	}
	w := writer(t, filepath.Join(dir, "base"))
	defer w.Close()
	if _, err := w.Add(context.Background(), broken, AddOptions{}); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("alone: %v", err)
	}
	var skips []Skip
	sum, err := w.Add(context.Background(), append(broken, pkg(t, "pkg:golang/example.com/l@v1", std(t, "container/list"))), AddOptions{Skipped: func(s Skip) { skips = append(skips, s) }})
	if err != nil || sum.Packages != 1 || len(skips) == 0 || skips[0].PURL != "pkg:generic/broken@1" || skips[0].Reason != ReasonBroken {
		t.Errorf("%+v %v %v", sum, skips, err)
	}
	for _, p := range infos(t, w.Baseline()) {
		if strings.Contains(p.PURL, "broken") {
			t.Errorf("%s is in", p.PURL)
		}
		if p.Skipped[string(ReasonBroken)] != 0 {
			t.Errorf("%s has the other's reason: %v", p.PURL, p.Skipped)
		}
	}
}

func infos(t *testing.T, b *Baseline) []Package {
	t.Helper()
	ps, err := b.Packages()
	if err != nil {
		t.Fatal(err)
	}
	return ps
}
