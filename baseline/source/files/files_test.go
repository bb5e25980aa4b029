package files

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

// If a directory has too many entries, it is not read to its end.
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

// Any metadata gives a package URL that can be read back.
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

// TestHashZip: the checksum is that of the Go command. A zip that claims less than it contains has none.
func TestHashZip(t *testing.T) {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	contents := map[string]string{}
	for i := range 300 {
		name := fmt.Sprintf("m@v1/%d/%c.go", i%7, 'a'+i%26)
		if _, twice := contents[name]; twice {
			continue
		}
		contents[name] = strings.Repeat(name, i)
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, contents[name])
	}
	z.Close()
	names := slices.Collect(maps.Keys(contents))
	want, err := dirhash.Hash1(names, func(name string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(contents[name])), nil })
	if err != nil {
		t.Fatal(err)
	}
	blob := Blob{ReaderAt: bytes.NewReader(buf.Bytes()), Size: int64(buf.Len())}
	if got, err := HashZip(t.Context(), blob, "m.zip", Limits{}); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if _, err := HashZip(t.Context(), blob, "m.zip", Limits{TotalBytes: 1000}); err == nil {
		t.Error("more bytes than allowed")
	}
}

// TestWanted: unwanted files are not unpacked, and the others keep their order.
func TestWanted(t *testing.T) {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range []string{"b.go", "a.txt", "a.go"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, name)
	}
	z.Close()
	damaged := bytes.Replace(buf.Bytes(), []byte{'a', '.', 't', 'x', 't'}, []byte{'a', '.', 't', 'x', 'T'}, 1) // an entry with two different names
	var got []string
	v := Visit{Limits: Limits{}.WithDefaults(), Skipped: func(string, string, string) {}, Wanted: func(p string) bool { return strings.HasSuffix(p, ".go") },
		File: func(p string, _ []byte) error { got = append(got, p); return nil }}
	err := WalkArchive(t.Context(), Blob{ReaderAt: bytes.NewReader(damaged), Size: int64(len(damaged))}, "x.zip", Form{}, &v)
	if err != nil || !slices.Equal(got, []string{"a.go", "b.go"}) {
		t.Error(got, err)
	}
}

// TestZipNames: a name that is not in UTF-8 is in code page 437, and a backslash from DOS or Windows separates directories. Neither
// makes a name that leads outside.
func TestZipNames(t *testing.T) {
	const fat, unix, ntfs = 0 << 8, 3 << 8, 10 << 8
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, f := range []zip.FileHeader{
		{Name: "J\x94rg/\x9abung \xe1.java", NonUTF8: true, CreatorVersion: fat},
		{Name: "\xcd\xf5/a.c", NonUTF8: true, CreatorVersion: unix},
		{Name: "Zoë/b.c", NonUTF8: true, CreatorVersion: unix},
		{Name: `src\main\c.c`, CreatorVersion: fat},
		{Name: `src\empty\`, CreatorVersion: ntfs},
		{Name: `src\d.c`, CreatorVersion: ntfs},
		{Name: `x\e.c`, CreatorVersion: unix},
		{Name: `..\..\f.c`, CreatorVersion: fat},
		{Name: `C:\g.c`, CreatorVersion: fat},
		{Name: `\\host\h.c`, CreatorVersion: fat},
		{Name: "i\x1b\x94.c", NonUTF8: true, CreatorVersion: fat},
	} {
		w, err := z.CreateHeader(&f)
		if err == nil && !strings.HasSuffix(f.Name, `\`) {
			_, err = fmt.Fprint(w, i)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	got, skipped := []string{}, []string{}
	v := Visit{Limits: DefaultLimits(), File: func(name string, data []byte) error { got = append(got, name+" "+string(data)); return nil },
		Skipped: func(name, reason, _ string) { skipped = append(skipped, name+" "+reason) }}
	if err := WalkArchive(t.Context(), Blob{bytes.NewReader(b.Bytes()), int64(b.Len())}, "x.zip", Form{}, &v); err != nil {
		t.Fatal(err)
	}
	if want := []string{"Jörg/Übung ß.java 0", "Zoë/b.c 2", "src/d.c 5", "src/main/c.c 3", "═⌡/a.c 1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if want := []string{"../../f.c unsafe-path", "//host/h.c unsafe-path", "C:/g.c unsafe-path", "i?ö.c unsafe-path", `x\e.c unsafe-path`}; !slices.Equal(skipped, want) {
		t.Errorf("left out %q, want %q", skipped, want)
	}
}
