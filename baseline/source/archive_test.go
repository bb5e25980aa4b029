package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/source/files"
)

// entry is an entry of an archive to be built.
type entry struct {
	name, content string
	mode          fs.FileMode // kinds other than regular
	made          time.Time   // (tar)
}

func buildZip(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode | 0o644)
		w, err := z.CreateHeader(h)
		must(t, err)
		_, err = io.WriteString(w, e.content)
		must(t, err)
	}
	must(t, z.Close())
	return b.Bytes()
}

func buildTar(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.content)), Typeflag: tar.TypeReg, ModTime: e.made}
		switch {
		case e.mode&fs.ModeSymlink != 0:
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, e.content, 0
		case e.mode&fs.ModeDir != 0:
			h.Typeflag = tar.TypeDir
		case e.mode&fs.ModeDevice != 0:
			h.Typeflag = tar.TypeBlock
		case e.mode&fs.ModeNamedPipe != 0:
			h.Typeflag = tar.TypeFifo
		}
		must(t, w.WriteHeader(h))
		_, err := w.Write([]byte(e.content)[:h.Size])
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

func writeFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	full := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(full, data, 0o666))
	return full
}

const somePURL = "pkg:generic/x@1"

// Both formats must give the same files and the same skips.
func TestArchives(t *testing.T) {
	for name, c := range map[string]struct {
		entries []entry
		files   map[string]string
		skipped map[string]string
	}{
		"flat":       {[]entry{{name: "b", content: "2"}, {name: "a", content: "1"}}, map[string]string{"a": "1", "b": "2"}, nil},
		"top folder": {[]entry{{name: "x-1/", mode: fs.ModeDir}, {name: "x-1/a/b", content: "2"}, {name: "x-1/a.b", content: "1"}}, map[string]string{"a.b": "1", "a/b": "2"}, nil},
		"two folders": {[]entry{{name: "x/a", content: "1"}, {name: "y/a", content: "2"}},
			map[string]string{"x/a": "1", "y/a": "2"}, nil},
		"dot": {[]entry{{name: "./", mode: fs.ModeDir}, {name: "./x/a", content: "1"}, {name: "./x//b", content: "2"}}, map[string]string{"a": "1", "b": "2"}, nil},
		"unsafe": {[]entry{{name: "../a"}, {name: "x/../../b"}, {name: "/etc/passwd"}, {name: `C:\a`}, {name: `x\..\..\c`}, {name: "C:d"}, {name: "e\x1b[2J"}, {name: "p/ok", content: "1"}},
			map[string]string{"ok": "1"},
			map[string]string{"../a": files.ReasonUnsafePath, "x/../../b": files.ReasonUnsafePath, "/etc/passwd": files.ReasonUnsafePath, `C:\a`: files.ReasonUnsafePath, `x\..\..\c`: files.ReasonUnsafePath,
				"C:d": files.ReasonUnsafePath, "e?[2J": files.ReasonUnsafePath}},

		"links": {[]entry{{name: "p/a", content: "/etc/passwd", mode: fs.ModeSymlink}, {name: "p/a/b", content: "1"}, {name: "p/dev", mode: fs.ModeDevice}, {name: "p/pipe", mode: fs.ModeNamedPipe}},
			map[string]string{"a/b": "1"}, map[string]string{"a": ReasonSymlink, "dev": files.ReasonSpecial, "pipe": files.ReasonSpecial}},
		"duplicate": {[]entry{{name: "p/a", content: "first"}, {name: "p/./a", content: "last"}}, map[string]string{"a": "last"}, nil},
		"too large": {[]entry{{name: "p/a", content: strings.Repeat("x", 101)}, {name: "p/b", content: strings.Repeat("x", 100)}},
			map[string]string{"b": strings.Repeat("x", 100)}, map[string]string{"a": ReasonTooLarge}},
		"vendored": {[]entry{{name: "p/vendor/a/b"}, {name: "p/vendor/c"}, {name: "p/d/node_modules/e"}, {name: "p/.git/f"}, {name: "p/vendored.go", content: "1"}},
			map[string]string{"vendored.go": "1"}, map[string]string{"vendor/": ReasonVendored, "d/node_modules/": ReasonVendored, ".git/": files.ReasonVCS}},
		"empty": {nil, map[string]string{}, nil},
	} {
		packed := map[string][]byte{"x.zip": buildZip(t, c.entries...), "x.tar": buildTar(t, c.entries...)}
		packed["x.tar.gz"] = gzipped(t, packed["x.tar"])
		if name == "empty" {
			delete(packed, "x.tar") // two blocks of zeros, which do not identify a tar
		}
		for file, data := range packed {
			p := openOne(t, writeFile(t, file, data), Options{PURL: somePURL})
			r, err := tryWalk(p, Limits{FileBytes: 100})
			if err != nil {
				t.Errorf("%s, %s: %v", name, file, err)
			}
			want := c.skipped
			if name == "duplicate" {
				want = map[string]string{"a": files.ReasonDuplicate}
			}
			same(t, name+", "+file, r.files, c.files)
			same(t, name+", "+file, r.skipped, want)
		}
	}
}

// Every limit refuses with its name, and reads hardly beyond it.
func TestLimits(t *testing.T) {
	zeros := strings.Repeat("\x00", 40<<20)
	many := []entry{}
	for i := range 100 {
		many = append(many, entry{name: fmt.Sprintf("p/%03d", i), content: "0123456789"})
	}
	bomb := []entry{{name: "p/a", content: zeros}, {name: "p/b", content: zeros}}
	for name, c := range map[string]struct {
		entries []entry
		lim     Limits
		limit   string
	}{
		"ratio":   {bomb, Limits{FileBytes: 1 << 30}, "times its size when unpacked"},
		"total":   {many, Limits{TotalBytes: 999}, "unpacked bytes"},
		"entries": {many, Limits{Entries: 99}, "entries"},
	} {
		for file, data := range map[string][]byte{"x.zip": buildZip(t, c.entries...), "x.tgz": gzipped(t, buildTar(t, c.entries...))} {
			p := openOne(t, writeFile(t, file, data), Options{PURL: somePURL, Limits: Limits{Ratio: 1 << 30}})
			_, err := tryWalk(p, c.lim)
			var limit *LimitError
			if !errors.As(err, &limit) || limit.Limit != c.limit || limit.Subject != p.From {
				t.Errorf("%s, %s: got %v", name, file, err)
			}
		}
	}
}

// The limits also hold while an archive is only inspected.
func TestLimitsOfOpen(t *testing.T) {
	name := writeFile(t, "x.tgz", gzipped(t, buildTar(t, entry{name: "p/a", content: strings.Repeat("\x00", 100<<20)})))
	_, err := Open(t.Context(), name, Options{PURL: somePURL})
	var limit *LimitError
	if !errors.As(err, &limit) {
		t.Errorf("got %v", err)
	}
}

// Each kind of archive keeps the same bounds: names that stay inside, bytes, entries and the ratio, and the size of one file.
func TestHostileKinds(t *testing.T) {
	gem := func(t testing.TB, entries ...entry) []byte {
		return buildTar(t, entry{name: "metadata.gz", content: string(gzipped(t, nil))}, entry{name: "data.tar.gz", content: string(gzipped(t, buildTar(t, entries...)))})
	}
	tgz := func(t testing.TB, entries ...entry) []byte { return gzipped(t, buildTar(t, entries...)) }
	unsafe := []entry{{name: "../a"}, {name: "/b"}, {name: "x/../../c"}, {name: "e\x1b[2J"}, {name: `d\..\f`}, {name: "p/.git/hooks/g", content: "1"}, {name: "p/ok", content: "1"}, {name: "p/large", content: strings.Repeat("x", 200)}, {name: "p/last", content: "1"}}
	many, zeros := []entry{}, []entry{}
	for i := range 60 {
		many = append(many, entry{name: fmt.Sprintf("p/%d", i), content: "0123456789"})
	}
	for i := range 9 {
		zeros = append(zeros, entry{name: fmt.Sprintf("p/%d", i), content: strings.Repeat("\x00", 8<<20)})
	}
	zeros = append(zeros, many[0])
	for ext, build := range map[string]func(testing.TB, ...entry) []byte{
		"zip": buildZip, "whl": buildZip, "jar": buildZip, "nupkg": buildZip, "tar": buildTar, "tgz": tgz, "crate": tgz, "gem": gem, "phar": buildPhar,
	} {
		name := func(data []byte) string { return writeFile(t, "x."+ext, data) }
		r, err := tryWalk(openOne(t, name(build(t, unsafe...)), Options{PURL: somePURL}), Limits{FileBytes: 100})
		must(t, err)
		top := ""
		if _, ok := r.files["p/ok"]; ok {
			top = "p/"
		}
		same(t, ext, r.files, map[string]string{top + "ok": "1", top + "last": "1"})
		if len(r.skipped) != 7 || r.skipped[top+"large"] != ReasonTooLarge || r.skipped[top+".git/"] != files.ReasonVCS || r.skipped["e?[2J"] != files.ReasonUnsafePath {
			t.Errorf("%s: left out %v", ext, r.skipped)
		}
		for limit, c := range map[string]struct {
			entries []entry
			lim     Limits
		}{"unpacked bytes": {many, Limits{TotalBytes: 500}}, "entries": {many, Limits{Entries: 50}}, "times its size when unpacked": {zeros, Limits{}}} {
			if ext == "tar" && limit == "times its size when unpacked" {
				continue // nothing is compressed
			}
			_, err := tryWalk(openOne(t, name(build(t, c.entries...)), Options{PURL: somePURL, Limits: Limits{Ratio: 1 << 30}}), c.lim)
			var over *LimitError
			if !errors.As(err, &over) || over.Limit != limit {
				t.Errorf("%s, %s: %v", ext, limit, err)
			}
		}
	}
}

// Of two entries of a gem with one name the first is read, and the second is listed. A file of that name in the gem is another one.
func TestGemTwice(t *testing.T) {
	data := func(content string) string {
		return string(gzipped(t, buildTar(t, entry{name: "data.tar.gz", content: content}, entry{name: "a.rb", content: content})))
	}
	meta := entry{name: "metadata.gz", content: string(gzipped(t, nil))}
	gem := buildTar(t, meta, entry{name: "data.tar.gz", content: data("1")}, meta, entry{name: "data.tar.gz", content: data("2")})
	r, err := tryWalk(openOne(t, writeFile(t, "x.gem", gem), Options{PURL: somePURL}), Limits{})
	must(t, err)
	same(t, "files", r.files, map[string]string{"a.rb": "1", "data.tar.gz": "1"})
	same(t, "left out", r.skipped, map[string]string{"data.tar.gz": files.ReasonDuplicate, "metadata.gz": files.ReasonDuplicate})
}

// Contents that stay in memory are bounded too: the names in a tar, and the metadata that names its package.
func TestLimitsOfMemory(t *testing.T) {
	long := strings.Repeat("d/", 1900)
	var names, metadata []entry
	for i := range 400 {
		names = append(names, entry{name: fmt.Sprintf("p/%s%d", long, i)})
	}
	for i := range 6 {
		metadata = append(metadata, entry{name: fmt.Sprintf("p%d/package.json", i), content: strings.Repeat("x", 4<<20)})
	}
	for name, data := range map[string][]byte{
		"x.tgz": gzipped(t, buildTar(t, names...)), "x.tar": buildTar(t, names...),
		"x.gem": buildTar(t, entry{name: "metadata.gz", content: string(gzipped(t, nil))}, entry{name: "data.tar.gz", content: string(gzipped(t, buildTar(t, names...)))}),
	} {
		_, err := tryWalk(openOne(t, writeFile(t, name, data), Options{PURL: somePURL}), Limits{Entries: 1000})
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Limit != "bytes of names" {
			t.Errorf("%s: got %v", name, err)
		}
	}
	_, err := Open(t.Context(), writeFile(t, "m.tgz", gzipped(t, buildTar(t, metadata...))), Options{})
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Limit != "bytes of metadata" {
		t.Errorf("metadata: got %v", err)
	}
}

// A sparse file counts with its unpacked size.
func TestSparseBomb(t *testing.T) {
	var entries []byte
	for i := range 20 {
		entries = append(entries, sparseEntry(fmt.Sprintf("p/%d", i), 10<<20)...)
	}
	data := append(entries, make([]byte, 1024)...)
	p := openOne(t, writeFile(t, "x.tar", data), Options{PURL: somePURL})
	_, err := tryWalk(p, Limits{})
	var limit *LimitError
	if !errors.As(err, &limit) {
		t.Errorf("got %v", err)
	}
}

// sparseEntry makes an old GNU sparse header of a file that is one hole.
func sparseEntry(name string, size int64) []byte {
	h := make([]byte, 512)
	copy(h, name)
	copy(h[100:], "0000644\x000000000\x000000000\x0000000000000\x0000000000000\x00        S")
	copy(h[257:], "ustar  \x00")
	copy(h[386:], fmt.Sprintf("%011o\x00%011o\x00", size, 0)) // the only fragment is empty, at the end
	copy(h[483:], fmt.Sprintf("%011o\x00", size))
	sum := 0
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return h
}

// A directory that claims a million entries, and one that has more than allowed.
func TestZipDirectoryLies(t *testing.T) {
	data := buildZip(t, entry{name: "a", content: "1"})
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	claim := bytes.Clone(data)
	binary.LittleEndian.PutUint16(claim[end+8:], 0xfffe)
	binary.LittleEndian.PutUint16(claim[end+10:], 0xfffe)
	var zip64 []byte
	zip64 = append(zip64, data[:end]...)
	zip64 = append(zip64, zip64End(uint64(end), 1_000_000, data, end)...)
	for name, data := range map[string][]byte{"16 bits": claim, "64 bits": zip64} {
		_, err := Open(t.Context(), writeFile(t, "x.zip", data), Options{PURL: somePURL})
		var broken *ArchiveError
		if !errors.As(err, &broken) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// zip64End replaces the end record of a small zip by a 64-bit one.
func zip64End(at, claimed uint64, data []byte, end int) []byte {
	dirSize, dirOff := binary.LittleEndian.Uint32(data[end+12:]), binary.LittleEndian.Uint32(data[end+16:])
	var b []byte
	le := binary.LittleEndian
	b = le.AppendUint32(b, 0x06064b50)
	b = le.AppendUint64(b, 44)
	b = le.AppendUint16(b, 45)
	b = le.AppendUint16(b, 45)
	b = le.AppendUint64(b, 0)
	b = le.AppendUint64(b, claimed)
	b = le.AppendUint64(b, claimed)
	b = le.AppendUint64(b, uint64(dirSize))
	b = le.AppendUint64(b, uint64(dirOff))
	b = le.AppendUint32(b, 0x07064b50)
	b = le.AppendUint32(b, 0)
	b = le.AppendUint64(b, at)
	b = le.AppendUint32(b, 1)
	b = le.AppendUint32(b, 0x06054b50)
	b = le.AppendUint32(b, 0)
	b = le.AppendUint16(b, 0xffff)
	b = le.AppendUint16(b, 0xffff)
	b = le.AppendUint32(b, 0xffffffff)
	b = le.AppendUint32(b, 0xffffffff)
	return le.AppendUint16(b, 0)
}

// If a directory has too many entries, it is not read to its end.
func TestZipDirectoryTooLarge(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range 30_000 {
		_, err := z.CreateRaw(&zip.FileHeader{Name: fmt.Sprint(i)})
		must(t, err)
	}
	must(t, z.Close())
	_, err := Open(t.Context(), writeFile(t, "x.zip", b.Bytes()), Options{PURL: somePURL, Limits: Limits{Entries: 10}})
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Limit != "entries" || limit.Max != 10 {
		t.Errorf("got %v", err)
	}
}

// An entry unpacks to more than its directory record says, which bombs do to pass checks of sizes.
func TestZipSizeLies(t *testing.T) {
	content := strings.Repeat("a", 1000)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateRaw(&zip.FileHeader{Name: "a", Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte(content)), CompressedSize64: 1000, UncompressedSize64: 10})
	must(t, err)
	_, err = io.WriteString(w, content)
	must(t, err)
	must(t, z.Close())
	_, err = tryWalk(openOne(t, writeFile(t, "x.zip", b.Bytes()), Options{PURL: somePURL}), Limits{})
	var broken *ArchiveError
	if !errors.As(err, &broken) || broken.Entry != "a" {
		t.Errorf("got %v", err)
	}
}

func TestDamage(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 1000)
	z := buildZip(t, entry{name: "p/a", content: long}, entry{name: "p/b", content: "2"})
	tgz := gzipped(t, buildTar(t, entry{name: "p/a", content: long}, entry{name: "p/b", content: "2"}))
	plain := buildTar(t, entry{name: "p/a", content: "1"}, entry{name: "p/b", content: "2"})
	with := func(b []byte, at int, bits byte) []byte {
		b = bytes.Clone(b)
		b[at] ^= bits
		return b
	}
	flipped := with(z, 60, 0xff)
	cut := buildTar(t, entry{name: "data.tar.gz", content: string(tgz)}, entry{name: "checksums.yaml.gz", content: "1"})
	cut = cut[:len(cut)-2048] // without the last entry's content and the end
	for name, c := range map[string]struct {
		file string
		data []byte
	}{
		"truncated zip": {"x.zip", z[:len(z)/2]},
		"flipped zip":   {"x.zip", flipped},
		"truncated tgz": {"x.tgz", tgz[:len(tgz)/2]},
		"tgz, checksum": {"x.tgz", with(tgz, len(tgz)-8, 1)},
		"tgz, length":   {"x.tgz", with(tgz, len(tgz)-1, 1)},
		"tgz, no end":   {"x.tgz", tgz[:len(tgz)-8]},
		"tgz and more":  {"x.tgz", append(bytes.Clone(tgz), "more"...)},
		"second member": {"x.tgz", append(bytes.Clone(tgz), with(tgz, len(tgz)-8, 1)...)},
		"gem, checksum": {"x.gem", buildTar(t, entry{name: "data.tar.gz", content: string(with(tgz, len(tgz)-8, 1))})},
		"truncated tar": {"x.tar", plain[:len(plain)-1024]},
		"zip, name":     {"x.zip", with(z, bytes.LastIndex(z, []byte("p/b"))+2, 1)},
		"gzip of text":  {"x.tgz", gzipped(t, []byte(long))},
		"gem of no gem": {"x.gem", buildTar(t, entry{name: "a"})},
		"gem, no end":   {"x.gem", cut},
		"gem as zip":    {"x.gem", z},
	} {
		pkgs, err := Open(t.Context(), writeFile(t, c.file, c.data), Options{PURL: somePURL})
		if err == nil {
			_, err = tryWalk(pkgs[0], Limits{})
		}
		var broken *ArchiveError
		if !errors.As(err, &broken) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Bytes behind the end of a tar or of a gzip member that are not damage.
func TestArchiveEnds(t *testing.T) {
	plain := buildTar(t, entry{name: "p/a", content: "1"})
	tgz := gzipped(t, plain)
	for name, data := range map[string][]byte{
		"zeros behind gzip":  append(bytes.Clone(tgz), make([]byte, 3000)...),
		"two members":        append(gzipped(t, plain[:700]), gzipped(t, plain[700:])...),
		"no mark, but whole": gzipped(t, plain[:1024]),
		"zeros behind tar":   append(bytes.Clone(plain), make([]byte, 9216)...),
	} {
		r := walk(t, openOne(t, writeFile(t, "x.tgz", data), Options{PURL: somePURL}), Limits{})
		same(t, name, r.files, map[string]string{"a": "1"})
	}
}

// No flipped bit of an archive changes the result without a message. There is an error, or a skip with a reason, or no
// change. A plain tar is excluded, since it has no checksum of its contents.
func TestEveryBitOfArchives(t *testing.T) {
	text := "package a\n\nfunc f(a, b int) int { return a*b + a }\n"
	entries := []entry{{name: "p/a.go", content: text}, {name: "p/b.go", content: text + text}, {name: "p/dir/c.go", content: "x"}}
	lim := DefaultLimits()
	for name, whole := range map[string][]byte{"x.tgz": gzipped(t, buildTar(t, entries...)), "x.zip": buildZip(t, entries...)} {
		read := func(data []byte) (string, error) {
			a := files.Blob{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
			var all strings.Builder
			v := &files.Visit{Limits: lim, File: func(p string, data []byte) error {
				fmt.Fprintf(&all, "%q %q\n", p, data)
				return nil
			}, Skipped: func(p, reason, detail string) { all.WriteString("skipped\n") }}
			err := files.WalkArchive(t.Context(), a, name, files.Form{Strip: true}, v)
			return all.String(), err
		}
		want, err := read(whole)
		must(t, err)
		noticed := 0
		for bit := range 8 * len(whole) {
			b := bytes.Clone(whole)
			b[bit/8] ^= 1 << (bit % 8)
			got, err := read(b)
			if err != nil || strings.Contains(got, "skipped") {
				noticed++
			} else if got != want {
				t.Errorf("%s: bit %d of byte %d: %s", name, bit%8, bit/8, got)
			}
		}
		t.Logf("%s: %d of %d flipped bits noticed, the others change nothing", name, noticed, 8*len(whole))
	}
}

func TestZipMethods(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, h := range []*zip.FileHeader{{Name: "bzip2", Method: 12}, {Name: "secret", Flags: 1}} {
		w, err := z.CreateRaw(h)
		must(t, err)
		_, err = io.WriteString(w, "x")
		must(t, err)
	}
	must(t, z.Close())
	r := walk(t, openOne(t, writeFile(t, "x.zip", b.Bytes()), Options{PURL: somePURL}), Limits{})
	same(t, "skipped", r.skipped, map[string]string{"bzip2": files.ReasonMethod, "secret": files.ReasonMethod})
}

func TestArchiveMetadata(t *testing.T) {
	gem := buildTar(t,
		entry{name: "metadata.gz", content: string(gzipped(t, []byte("--- !ruby/object:Gem::Specification\nname: rake\nversion: !ruby/object:Gem::Version\n  version: 13.0.6\ndate: 2021-07-09 00:00:00.000000000 Z\nlicenses:\n- MIT\n")))},
		entry{name: "data.tar.gz", content: string(gzipped(t, buildTar(t, entry{name: "lib/rake.rb", content: "1"})))},
		entry{name: "checksums.yaml.gz", content: "x"})
	toml := "# made by cargo\n[package]\nname = \"serde\"\nversion = '1.0.0'\nlicense = \"MIT OR Apache-2.0\"\n[lib]\nname = \"other\"\n"
	for name, c := range map[string]struct {
		file     string
		data     []byte
		purl     string
		license  string
		released string
		path     string // a path that must be there
	}{
		"npm":         {"b-1.tgz", gzipped(t, buildTar(t, entry{name: "package/package.json", content: `{"name":"b","version":"1","license":{"type":"ISC"}}`})), "pkg:npm/b@1", "ISC", "", "package.json"},
		"npm, zip":    {"b-1.zip", buildZip(t, entry{name: "package/package.json", content: `{"name":"b","version":"1"}`}), "pkg:npm/b@1", "", "", "package.json"},
		"nested only": {"b-1.tgz", gzipped(t, buildTar(t, entry{name: "p/q/package.json", content: `{"name":"b","version":"1"}`}, entry{name: "p/r"})), "", "", "", ""},
		"crate":       {"serde-1.0.0.crate", gzipped(t, buildTar(t, entry{name: "serde-1.0.0/Cargo.toml", content: toml})), "pkg:cargo/serde@1.0.0", "MIT OR Apache-2.0", "", "Cargo.toml"},
		"rust zip":    {"x.zip", buildZip(t, entry{name: "x/Cargo.toml", content: toml}), "", "", "", ""},
		"sdist":       {"x.tar.gz", gzipped(t, buildTar(t, entry{name: "Py_Thing-2/PKG-INFO", content: "Metadata-Version: 2.1\nName: Py_Thing\nVersion: 2\nLicense: UNKNOWN\n\nName: no\n"})), "pkg:pypi/py-thing@2", "", "", "PKG-INFO"},
		"wheel":       {"x.whl", buildZip(t, entry{name: "x/a.py"}, entry{name: "x-2.dist-info/METADATA", content: "Name: x\nVersion: 2\nLicense: BSD\nLicense-Expression: MIT\n"}), "pkg:pypi/x@2", "MIT", "", "x/a.py"},
		"nupkg":       {"x.nupkg", buildZip(t, entry{name: "a.nuspec", content: "<package><metadata><id>A.B</id><version>1.0</version><license type=\"expression\">MIT</license></metadata></package>"}, entry{name: "src/a.cs"}), "pkg:nuget/A.B@1.0", "MIT", "", "src/a.cs"},
		"jar":         {"x.jar", buildZip(t, entry{name: "META-INF/maven/g/a/pom.properties", content: "#x\nversion=1.2\ngroupId=org.g\nartifactId=a\n"}), "pkg:maven/org.g/a@1.2", "", "", "META-INF/maven/g/a/pom.properties"},
		"gem":         {"rake.gem", gem, "pkg:gem/rake@13.0.6", "MIT", "2021-07-09", "lib/rake.rb"},
		"go":          {"v1.0.0.zip", buildZip(t, entry{name: "a.b/C@v1.0.0/go.mod", content: "module a.b/C"}, entry{name: "a.b/C@v1.0.0/d/e.go"}), "pkg:golang/a.b/C@v1.0.0", "", "", "d/e.go"},
		"go, pseudo":  {"v.zip", buildZip(t, entry{name: "a.b/c@v0.0.0-20200102030405-123456789012/a.go"}), "pkg:golang/a.b/c@v0.0.0-20200102030405-123456789012", "", "2020-01-02", "a.go"},
		"go, not":     {"v1.zip", buildZip(t, entry{name: "a.b/c@v1.0.0/a.go"}, entry{name: "else"}), "", "", "", ""},
		"nothing":     {"v.zip", buildZip(t, entry{name: "a"}), "", "", "", ""},
	} {
		pkgs, err := Open(t.Context(), writeFile(t, c.file, c.data), Options{})
		if c.purl == "" {
			var need *NeedPURLError
			if !errors.As(err, &need) {
				t.Errorf("%s: got %v, %v", name, purls(pkgs), err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p := pkgs[0]
		released := ""
		if !p.Released.IsZero() {
			released = p.Released.Format("2006-01-02")
		}
		same(t, name, []string{p.PURL, p.License, released}, []string{c.purl, c.license, c.released})
		if _, ok := walk(t, p, Limits{}).files[c.path]; !ok {
			t.Errorf("%s: no file %s", name, c.path)
		}
	}
}

// A zip of a module proxy with files of other modules is refused.
func TestGoZipOutside(t *testing.T) {
	data := buildZip(t, entry{name: "a.b/c@v1.0.0/a.go", content: "1"}, entry{name: "a.b/d@v1.0.0/b.go"})
	name := writeFile(t, "x.zip", data)
	r := result{files: map[string]string{}, skipped: map[string]string{}}
	v := &files.Visit{Limits: DefaultLimits(), File: func(p string, d []byte) error { r.files[p] = string(d); return nil }, Skipped: func(p, reason, _ string) { r.skipped[p] = reason }}
	must(t, files.WalkArchiveFile(t.Context(), name, name, files.Form{Prefix: "a.b/c@v1.0.0/"}, v))
	same(t, "files", r.files, map[string]string{"a.go": "1"})
	same(t, "skipped", r.skipped, map[string]string{"a.b/d@v1.0.0/b.go": files.ReasonUnsafePath})
}

// No files are left in the temporary directory, whatever happens.
func TestNoTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	tgz := gzipped(t, buildTar(t, entry{name: "p/a", content: strings.Repeat("x", 1<<20)}))
	for _, data := range [][]byte{tgz, tgz[:len(tgz)/2]} {
		f := files.Form{Strip: true}
		v := &files.Visit{Limits: DefaultLimits(), File: func(string, []byte) error { return errors.New("stop") }}
		if err := files.WalkArchive(t.Context(), files.Blob{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}, "x", f, v); err == nil {
			t.Error("no error")
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// FuzzArchive reads any input as an archive: no panic, no unsafe path, no data beyond the limits, files in order, and
// the same result the second time.
func FuzzArchive(f *testing.F) {
	entries := []entry{{name: "p/a", content: "1"}, {name: "p/vendor/b"}, {name: "../c"}, {name: "p/d", mode: fs.ModeSymlink, content: "a"}}
	f.Add(buildZip(f, entries...), false)
	f.Add(buildTar(f, entries...), false)
	f.Add(gzipped(f, buildTar(f, entries...)), false)
	f.Add(sparseEntry("p/s", 4096), false)
	f.Add(phar(f), false)
	f.Add(buildTar(f, entry{name: "data.tar.gz", content: string(gzipped(f, buildTar(f, entries...)))}, entry{name: "metadata.gz", content: string(gzipped(f, []byte("name: x")))}), true)
	lim := Limits{FileBytes: 1 << 16, TotalBytes: 1 << 20, Entries: 100}.WithDefaults()
	if _, err := os.Stat("/dev/shm"); err == nil {
		f.Setenv("TMPDIR", "/dev/shm") // without a disk, the fuzzer is faster
	}
	f.Fuzz(func(t *testing.T, data []byte, gem bool) {
		a := files.Blob{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
		name := "x.tgz"
		if gem {
			name = "x.gem"
		}
		m, fm, err := files.Inspect(t.Context(), a, name, lim)
		if err == nil && m.PURL != "" && !strings.HasPrefix(m.PURL, "pkg:") {
			t.Fatalf("purl %q", m.PURL)
		}
		first, err1 := fuzzWalk(t, a, fm, lim)
		second, err2 := fuzzWalk(t, a, fm, lim)
		if first != second || (err1 == nil) != (err2 == nil) {
			t.Fatalf("%q, %v, then %q, %v", first, err1, second, err2)
		}
	})
}

func fuzzWalk(t *testing.T, a files.Blob, fm files.Form, lim Limits) (string, error) {
	var all strings.Builder
	last, total := "", 0
	v := &files.Visit{Limits: lim, File: func(p string, data []byte) error {
		total += len(data)
		if !fs.ValidPath(p) || p <= last && last != "" || len(data) > 1<<16 || total > 1<<20+1<<16 {
			t.Fatalf("path %q after %q, %d bytes of %d", p, last, len(data), total)
		}
		last = p
		fmt.Fprintf(&all, "%q %q\n", p, data)
		return nil
	}, Skipped: func(p, reason, detail string) { fmt.Fprintf(&all, "%q %s %s\n", p, reason, detail) }}
	err := files.WalkArchive(t.Context(), a, "x", fm, v)
	return all.String(), err
}

// TestPacked: the latest date of a file is the date of an archive, unless a tool set the dates or they are after the
// release.
func TestPacked(t *testing.T) {
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		must(t, err)
		return d
	}
	for want, dates := range map[string][2]string{
		"2014-05-19": {"2013-01-01", "2014-05-19"},
		"2013-01-02": {"1985-10-26", "2013-01-02"},
		"":           {"1985-10-26", "1985-10-26"},
		"none":       {"2013-01-01", "2025-01-01"},
	} {
		data := gzipped(t, buildTar(t, entry{name: "p/a.js", content: "1", made: day(dates[1]).Add(time.Hour)}, entry{name: "p/b.js", content: "2", made: day(dates[0])}))
		p := openOne(t, writeFile(t, "p.tgz", data), Options{PURL: "pkg:npm/p@1.0.0", Released: day("2024-12-04")})
		must(t, p.Walk(t.Context(), Limits{}, func(string, []byte) error { return nil }, nil))
		got := ""
		if at := p.Packed(); !at.IsZero() {
			got = at.Format(time.DateOnly)
		}
		if got != strings.TrimPrefix(want, "none") {
			t.Errorf("files of %v: made on %q", dates, got)
		}
	}
}
