package source

import (
	"bytes"
	"compress/flate"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// dsc lays out a source package of Debian: upstream's archive, a further one of upstream, Debian's own.
func dsc(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	parts := map[string][]byte{
		"pad_1.0.orig.tar.gz":       gzipped(t, buildTar(t, entry{name: "pad-1.0/a.c", content: "a"}, entry{name: "pad-1.0/debian/old", content: "old"}, entry{name: "pad-1.0/z.c", content: "z"})),
		"pad_1.0.orig-extra.tar.gz": gzipped(t, buildTar(t, entry{name: "x/e.c", content: "e"})),
		"pad_1.0-2.debian.tar.gz":   gzipped(t, buildTar(t, entry{name: "debian/copyright", content: "MIT"}, entry{name: "debian/rules", content: "r"}, entry{name: "debian/changelog", content: padLog})),
		"pad_1.0.orig.tar.gz.asc":   []byte("signature"),
	}
	text := "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nFormat: 3.0 (quilt)\nSource: pad\nVersion: 1.0-2\nChecksums-Sha1:\n 00 1 other.tar.gz\nChecksums-Sha256:\n"
	for _, name := range []string{"pad_1.0.orig.tar.gz", "pad_1.0.orig-extra.tar.gz", "pad_1.0.orig.tar.gz.asc", "pad_1.0-2.debian.tar.gz"} {
		must(t, os.WriteFile(filepath.Join(dir, name), parts[name], 0o644))
		text += fmt.Sprintf(" %s %d %s\n", hexOf(sha256.New(), parts[name]), len(parts[name]), name)
	}
	name := filepath.Join(dir, "pad_1.0-2.dsc")
	must(t, os.WriteFile(name, []byte(text+"\n-----BEGIN PGP SIGNATURE-----\n\nxx\n"), 0o644))
	return name
}

// padLog has an older revision of the same version of upstream.
const padLog = "pad (1.0-2) unstable; urgency=low\n\n  * b\n\n -- A <a@b>  Fri, 02 Aug 2019 10:00:00 +0000\n\npad (1.0-1) unstable; urgency=low\n\n  * a\n\n -- A <a@b>  Thu, 02 May 2019 10:00:00 +0000\n"

// TestPatchedControl: if Debian's folder is in a patch, a folder debian is upstream's, and its changelog dates nothing.
func TestPatchedControl(t *testing.T) {
	dir := t.TempDir()
	orig := gzipped(t, buildTar(t, entry{name: "pad-1.0/debian/changelog", content: padLog}))
	must(t, os.WriteFile(filepath.Join(dir, "pad_1.0.orig.tar.gz"), orig, 0o644))
	name := filepath.Join(dir, "pad_1.0-2.dsc")
	text := fmt.Sprintf("Source: pad\nVersion: 1.0-2\nChecksums-Sha256:\n %x 1 pad_1.0.orig.tar.gz\n 00 1 pad_1.0-2.diff.gz\n", sha256.Sum256(orig))
	must(t, os.WriteFile(name, []byte(text), 0o644))
	p := openOne(t, name, Options{})
	walk(t, p, Limits{})
	if !p.Released.IsZero() {
		t.Errorf("dated %s by upstream's own folder", p.Released)
	}
}

// A .dsc is one package with the files of all its parts. Debian's directory replaces upstream's.
func TestControl(t *testing.T) {
	name := dsc(t)
	p := openOne(t, name, Options{})
	got := walk(t, p, Limits{})
	same(t, "package", p.PURL, "pkg:deb/debian/pad@1.0-2")
	same(t, "date of its revision", p.Released.Format(time.DateOnly), "2019-08-02")
	same(t, "order", strings.Join(got.order, " "), "a.c debian/changelog debian/copyright debian/rules extra/e.c pad_1.0.orig.tar.gz.asc z.c")
	same(t, "files", got.files, map[string]string{"a.c": "a", "debian/changelog": padLog, "debian/copyright": "MIT", "debian/rules": "r", "extra/e.c": "e", "z.c": "z"})

	part := filepath.Join(filepath.Dir(name), "pad_1.0-2.debian.tar.gz")
	must(t, os.WriteFile(part, []byte("something else"), 0o644))
	var wrong *IntegrityError
	if r, err := tryWalk(p, Limits{}); !errors.As(err, &wrong) || len(r.files) != 0 || !Broken(err) {
		t.Errorf("a part with a wrong checksum: %v, %q", err, r.order)
	}
	must(t, os.Remove(part))
	if _, err := tryWalk(p, Limits{}); !Broken(err) {
		t.Errorf("a part that is not there: %v", err)
	}
	must(t, os.WriteFile(name, []byte("Source: x\n"), 0o644))
	if _, err := Open(t.Context(), name, Options{}); err == nil {
		t.Error("a .dsc without parts is opened")
	}
}

// phar makes a PHP archive with a plain and a deflated file.
func phar(t testing.TB) []byte {
	return buildPhar(t, entry{name: "src/b.php", content: "<?php b();"}, entry{name: "a.php", content: "<?php a();"})
}

// buildPhar deflates all files but the last.
func buildPhar(t testing.TB, entries ...entry) []byte {
	t.Helper()
	le := binary.LittleEndian
	add := func(m []byte, name, content, packed string, flags uint32) []byte {
		m = append(le.AppendUint32(m, uint32(len(name))), name...)
		for _, n := range []uint32{uint32(len(content)), 1700000000, uint32(len(packed)), crc32.ChecksumIEEE([]byte(content)), flags | 0o644, 0} {
			m = le.AppendUint32(m, n)
		}
		return m
	}
	m := append(le.AppendUint32(nil, uint32(len(entries))), 0x11, 0)
	m = le.AppendUint32(m, 0x10000)
	m = append(le.AppendUint32(m, 5), "x.pha"...)
	m = le.AppendUint32(m, 0)
	contents := ""
	for i, e := range entries {
		packed, flags := e.content, uint32(0)
		if i+1 < len(entries) {
			var z bytes.Buffer
			w, err := flate.NewWriter(&z, 6)
			must(t, err)
			_, err = w.Write([]byte(e.content))
			must(t, err)
			must(t, w.Close())
			packed, flags = z.String(), 0x1000
		}
		m, contents = add(m, e.name, e.content, packed, flags), contents+packed
	}
	out := []byte("#!/usr/bin/env php\n<?php Phar::mapPhar(); // not __HALT_COMPILER();\n__HALT_COMPILER(); ?>\r\n")
	out = append(append(le.AppendUint32(out, uint32(len(m))), m...), contents...)
	sum := sha1.Sum(out)
	return append(le.AppendUint32(append(out, sum[:]...), 2), "GBMB"...)
}

// A phar is read, and refused if any byte is changed.
func TestPhar(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.phar")
	data := phar(t)
	must(t, os.WriteFile(name, data, 0o644))
	p := openOne(t, name, Options{PURL: "pkg:composer/v/x@1"})
	same(t, "files", walk(t, p, Limits{}).files, map[string]string{"a.php": "<?php a();", "src/b.php": "<?php b();"})
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1
		must(t, os.WriteFile(name, bad, 0o644))
		if r, err := tryWalk(p, Limits{}); err == nil || len(r.files) != 0 {
			t.Fatalf("byte %d changed: %v, %q", i, err, r.order)
		}
		must(t, os.WriteFile(name, data[:i], 0o644))
		if r, err := tryWalk(p, Limits{}); err == nil || len(r.files) != 0 {
			t.Fatalf("cut at %d: %v, %q", i, err, r.order)
		}
	}
}

// The bounds of an archive are those of all archives of a source package together, and a .dsc names no part twice.
func TestControlBounds(t *testing.T) {
	name := dsc(t)
	whole := walk(t, openOne(t, name, Options{}), Limits{TotalBytes: 20 << 10})
	if len(whole.files) == 0 {
		t.Error("nothing is read")
	}
	_, err := tryWalk(openOne(t, name, Options{}), Limits{TotalBytes: 6 << 10}) // each part has 2 to 4 KB
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Limit != "unpacked bytes" {
		t.Errorf("got %v", err)
	}
	text, err := os.ReadFile(name)
	must(t, err)
	line := string(text[strings.Index(string(text), "Sha256:")+8:])
	line = line[:strings.IndexByte(line, '\n')+1]
	for _, in := range []string{
		strings.Replace(string(text), line, line+line, 1),
		strings.Replace(string(text), line, line+" 00 1 ../other.tar.gz\n", 1),
		strings.Replace(string(text), line, line+" 00 1 ..\n", 1),
		strings.Replace(string(text), line, line+" 00 other.tar.gz\n", 1),
		"Source: a\nVersion: 1\nChecksums-Sha256:\n 00 1 a.tar.gz.asc\n",
		"Source: a\nVersion: 1\nChecksums-Sha256:\n" + strings.Repeat(" 00 1 a.tar.gz\n", 100_000),
	} {
		must(t, os.WriteFile(name, []byte(in), 0o644))
		if _, err := Open(t.Context(), name, Options{}); err == nil {
			t.Errorf("a .dsc with unusable parts is opened: %.200q", in)
		}
	}
}
