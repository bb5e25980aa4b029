package files

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// A directory is not even read to its end when it has too many entries.
func TestZipDirectoryTooLarge(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range 30_000 {
		if _, err := z.CreateRaw(&zip.FileHeader{Name: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	c := &cappedReader{f: bytes.NewReader(b.Bytes()), left: 1 << 20, err: errors.New("enough")}
	if _, err := zip.NewReader(c, int64(b.Len())); err != c.err {
		t.Errorf("got %v", err)
	}
}

// Whatever metadata says, a package URL made of it can be read back.
func FuzzMetadata(f *testing.F) {
	f.Add("package.json", ".tgz", []byte(`{"name":"@a/b","version":"1"}`))
	f.Add("Cargo.toml", ".crate", []byte("[package]\nname = \"a/\"\nversion = \"1\"\n"))
	f.Add("PKG-INFO", ".gz", []byte("Name: a\nVersion: 1\n"))
	f.Add("META-INF/maven/pom.properties", ".jar", []byte("groupId=a\nartifactId=b\nversion=1\n"))
	f.Add("x.dist-info/METADATA", ".whl", []byte("Name: /\nVersion: ?\n"))
	f.Fuzz(func(t *testing.T, path, ext string, data []byte) {
		m, err := archiveMeta([]item{{path: path, data: data}}, ext, &budget{ctx: t.Context()})
		g := manifest.Gem(data).Valid()
		for _, p := range []string{m.PURL, g.PURL} {
			if c, perr := purl.Canonical(p); p != "" && (perr != nil || c != p) || err != nil {
				t.Fatalf("%q: %v, %v", p, perr, err)
			}
		}
	})
}
