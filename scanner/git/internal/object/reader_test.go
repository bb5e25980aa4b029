package object

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/scanner/git/gittest"
)

// packObject is an object of a pack made by hand: data is deflated behind the header, or raw is taken as it is.
type packObject struct {
	name   Hash
	typ    Type
	size   int // what the header says; 0 is the truth
	prefix []byte
	data   []byte
	raw    []byte
}

func packHeader(typ Type, size int) []byte {
	c := byte(typ)<<4 | byte(size&15)
	var out []byte
	for size >>= 4; size > 0; size >>= 7 {
		out = append(out, c|0x80)
		c = byte(size & 0x7f)
	}
	return append(out, c)
}

func deflated(b []byte) []byte {
	var buf bytes.Buffer
	w := zlib.NewWriter(&buf)
	w.Write(b)
	w.Close()
	return buf.Bytes()
}

// makePack writes a pack and its index and returns the object directory.
func makePack(t testing.TB, objects []packObject) string {
	t.Helper()
	pack := append([]byte("PACK\x00\x00\x00\x02"), binary.BigEndian.AppendUint32(nil, uint32(len(objects)))...)
	offsets := map[Hash]int{}
	for _, o := range objects {
		offsets[o.name] = len(pack)
		size := o.size
		if size == 0 {
			size = len(o.data)
		}
		pack = append(append(pack, packHeader(o.typ, size)...), o.prefix...)
		if o.raw == nil {
			o.raw = deflated(o.data)
		}
		pack = append(pack, o.raw...)
	}
	sum := sha1.Sum(pack)
	pack = append(pack, sum[:]...)
	return writePack(t, pack, makeIndex(objects, offsets, sum))
}

func makeIndex(objects []packObject, offsets map[Hash]int, packSum [20]byte) []byte {
	slices.SortFunc(objects, func(a, b packObject) int { return Compare(a.name, b.name) })
	idx := []byte("\xfftOc\x00\x00\x00\x02")
	n := 0
	for first := range 256 {
		for n < len(objects) && int(objects[n].name[0]) <= first {
			n++
		}
		idx = binary.BigEndian.AppendUint32(idx, uint32(n))
	}
	for _, o := range objects {
		idx = append(idx, o.name[:]...)
	}
	idx = append(idx, make([]byte, 4*len(objects))...) // checksums nobody reads
	for _, o := range objects {
		idx = binary.BigEndian.AppendUint32(idx, uint32(offsets[o.name]))
	}
	idx = append(idx, packSum[:]...)
	sum := sha1.Sum(idx)
	return append(idx, sum[:]...)
}

func writePack(t testing.TB, pack, idx []byte) string {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "pack", "pack-"+strings.Repeat("1", 40))
	if err := os.Mkdir(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	for ext, b := range map[string][]byte{".pack": pack, ".idx": idx} {
		if err := os.WriteFile(name+ext, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// delta makes a delta that copies the first n bytes of a base of size source, times times.
func delta(source, n, times int) []byte {
	d := binary.AppendUvarint(nil, uint64(source))
	d = binary.AppendUvarint(d, uint64(n*times))
	for range times {
		d = append(d, 0x80|0x10|0x20|0x40, byte(n), byte(n>>8), byte(n>>16))
	}
	return d
}

func TestHostilePacks(t *testing.T) {
	a, b, c := Hash{1}, Hash{2}, Hash{3}
	mega := bytes.Repeat([]byte("x"), 1<<20)
	tests := map[string]struct {
		objects []packObject
		check   func(err error) bool
	}{
		"circle of references": {[]packObject{
			{name: a, typ: refDelta, prefix: b[:], data: delta(5, 5, 1)},
			{name: b, typ: refDelta, prefix: a[:], data: delta(5, 5, 1)}}, IsCorrupt},
		"itself as base": {[]packObject{{name: a, typ: refDelta, prefix: a[:], data: delta(5, 5, 1)}}, IsCorrupt},
		"base elsewhere": {[]packObject{{name: a, typ: refDelta, prefix: c[:], data: delta(5, 5, 1)}}, IsCorrupt},
		"base before the pack": {[]packObject{{name: a, typ: ofsDelta, prefix: []byte{0x7f}, data: delta(5, 5, 1)}},
			IsCorrupt},
		"no offset": {[]packObject{{name: a, typ: ofsDelta, prefix: []byte{0}, data: delta(5, 5, 1)}}, IsCorrupt},
		"endless offset": {[]packObject{{name: a, typ: ofsDelta, prefix: bytes.Repeat([]byte{0xff}, 30), data: nil}},
			IsCorrupt},
		"unknown type":   {[]packObject{{name: a, typ: 5, data: []byte("x")}}, IsCorrupt},
		"size too small": {[]packObject{{name: a, typ: Blob, size: 3, data: []byte("12345")}}, IsCorrupt},
		"size too large": {[]packObject{{name: a, typ: Blob, size: 9, data: []byte("12345")}}, IsCorrupt},
		"size a lie":     {[]packObject{{name: a, typ: Blob, size: 1 << 28, data: []byte("12345")}}, isLarge},
		"size absurd":    {[]packObject{{name: a, typ: Blob, size: 1 << 60, data: []byte("12345")}}, isLarge},
		"not deflated":   {[]packObject{{name: a, typ: Blob, size: 5, raw: []byte("123456789")}}, IsCorrupt},
		"damaged":        {[]packObject{{name: a, typ: Blob, size: 1 << 20, raw: deflated(mega)[:500]}}, IsCorrupt},
		"delta bomb": {[]packObject{
			{name: b, typ: Blob, data: mega},
			{name: a, typ: refDelta, prefix: b[:], data: delta(1<<20, 1<<20, 100_000)}}, isLarge},
		"delta bomb below a small delta": {[]packObject{
			{name: c, typ: Blob, data: mega},
			{name: b, typ: refDelta, prefix: c[:], data: delta(1<<20, 1<<20, 1000)},
			{name: a, typ: refDelta, prefix: b[:], data: delta(1000<<20, 5, 1)}}, IsCorrupt},
		"delta of another base": {[]packObject{
			{name: b, typ: Blob, data: mega},
			{name: a, typ: refDelta, prefix: b[:], data: delta(77, 5, 1)}}, IsCorrupt},
		"empty delta": {[]packObject{
			{name: b, typ: Blob, data: mega},
			{name: a, typ: refDelta, prefix: b[:], data: nil}}, IsCorrupt},
		"a tree": {[]packObject{{name: a, typ: Tree, data: []byte("12345")}}, IsCorrupt},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			db, err := Open([]string{makePack(t, test.objects)})
			if err != nil {
				t.Fatal(err)
			}
			rd := NewReader(db, false)
			defer rd.Close()
			for _, limit := range []int64{100 << 20, MaxObject, 1 << 62} {
				if _, err := rd.Blob(a, limit); !test.check(err) {
					t.Errorf("limit %d: got %v", limit, err)
				}
			}
		})
	}
}

func isLarge(err error) bool {
	var large *TooLargeError
	return errors.As(err, &large) || IsCorrupt(err)
}

func TestLongDeltaChain(t *testing.T) {
	data := []byte("hello")
	objects := []packObject{{name: Hash{0, 0, 1}, typ: Blob, data: data}}
	const links = 3000
	for i := range links {
		base := objects[i].name
		n := i + 2
		objects = append(objects, packObject{name: Hash{byte(n >> 16), byte(n >> 8), byte(n)}, typ: refDelta,
			prefix: base[:], data: delta(5, 5, 1)})
	}
	last := objects[links].name
	db, err := Open([]string{makePack(t, objects)})
	if err != nil {
		t.Fatal(err)
	}
	rd := NewReader(db, false)
	defer rd.Close()
	if b, err := rd.Blob(last, 5); err != nil || string(b) != "hello" {
		t.Errorf("got %q, %v", b, err)
	}
	if n, err := rd.Size(last); err != nil || n != 5 {
		t.Errorf("size %d, %v", n, err)
	}
	var large *TooLargeError
	if _, err := NewReader(db, false).Blob(last, 4); !errors.As(err, &large) || large.Size != 5 {
		t.Errorf("limit: %v", err)
	}
}

func TestHostileLooseObjects(t *testing.T) {
	dir := t.TempDir()
	h := Hash{0xab}
	name := filepath.Join(dir, h.String()[:2], h.String()[2:])
	os.Mkdir(filepath.Dir(name), 0o777)
	for what, b := range map[string][]byte{
		"empty":          {},
		"not deflated":   []byte("blob 5\x0012345"),
		"no header":      deflated([]byte("12345")),
		"negative":       deflated([]byte("blob -5\x0012345")),
		"too short":      deflated([]byte("blob 6\x0012345")),
		"too long":       deflated([]byte("blob 4\x0012345")),
		"announces much": deflated([]byte("blob 99999999\x0012345")),
		"truncated":      deflated([]byte("blob 5\x0012345"))[:12],
		"a tree":         deflated([]byte("tree 5\x0012345")),
		"of no type":     deflated([]byte("ball 5\x0012345")),
		"a delta":        deflated([]byte("ofs-delta 5\x0012345")),
	} {
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
		rd := NewReader(&DB{dirs: []string{dir}}, false)
		if b, err := rd.Blob(h, 1<<30); err == nil || IsMissing(err) {
			t.Errorf("%s: got %q, %v", what, b, err)
		}
	}
}

// endless gives one byte for ever.
type endless byte

func (e endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

// TestLooseHeader: a header that does not end is given up, and one that is as long as headers get is read.
func TestLooseHeader(t *testing.T) {
	for _, begin := range []string{"", "blob ", "blob 1"} {
		src := bufio.NewReaderSize(io.MultiReader(strings.NewReader(begin), endless('1')), maxLooseHeader)
		if _, _, err := looseHeader(src); err == nil {
			t.Errorf("%q without an end: no error", begin)
		}
	}
	src := bufio.NewReaderSize(strings.NewReader("commit 9223372036854775807\x00rest"), maxLooseHeader)
	if typ, size, err := looseHeader(src); typ != Commit || size != 1<<63-1 || err != nil {
		t.Errorf("got %v of %d bytes, %v", typ, size, err)
	}
	if rest, _ := io.ReadAll(src); string(rest) != "rest" {
		t.Errorf("behind the header: %q", rest)
	}
}

// newRepo has git pack versions of a file and returns the object directory.
func newRepo(t testing.TB, depth int, versions ...string) string {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) {
		gittest.Run(t, dir, []string{"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000"}, args...)
	}
	git("init", "-q")
	for i, v := range versions {
		if err := os.WriteFile(filepath.Join(dir, "a"), []byte(v), 0o666); err != nil {
			t.Fatal(err)
		}
		git("add", "a")
		git("commit", "-q", "--allow-empty", "-m", strings.Repeat("c", 500+i))
	}
	git("repack", "-q", "-adf", fmt.Sprintf("--depth=%d", depth))
	git("prune-packed")
	return filepath.Join(dir, ".git/objects")
}

// onlyPack opens the one pack of an object directory.
func onlyPack(t testing.TB, dir string) (db *DB, p *pack) {
	t.Helper()
	db, err := Open([]string{dir})
	if err != nil || len(db.packs) != 1 {
		t.Fatal(err, db)
	}
	return db, db.packs[0]
}

// FuzzPack damages a real pack in one place.
func FuzzPack(f *testing.F) {
	text := strings.Repeat("some text that makes deltas\n", 100)
	var versions []string
	for i := range 5 {
		versions = append(versions, text+strings.Repeat("x", i*50))
	}
	db, of := onlyPack(f, newRepo(f, 50, versions...))
	whole, err := os.ReadFile(of.path)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { runtime.KeepAlive(db) }) // which keeps the index mapped
	x := of.idx
	sound := map[Hash]string{}
	rd := NewReader(db, false)
	for i := range x.upTo(255) {
		_, b, err := rd.Object(Hash(x.name(i)), 1<<16)
		if err != nil {
			f.Fatal(err)
		}
		sound[Hash(x.name(i))] = string(b)
	}
	f.Add(uint16(20), []byte{0xff, 0xff})
	f.Add(uint16(200), []byte{0x7f})
	f.Fuzz(func(t *testing.T, at uint16, patch []byte) {
		damaged := slices.Clone(whole)
		copy(damaged[int(at)%len(damaged):], patch)
		p := &pack{path: "p.pack", number: 1, size: int64(len(damaged)), data: damaged, idx: x, touched: newResidency(int64(len(damaged)))}
		rd := NewReader(&DB{packs: []*pack{p}, opened: 1}, false)
		for i := range x.upTo(255) {
			h := Hash(x.name(i))
			kind, b, err := rd.Object(h, 1<<16)
			if whole, known := sound[h]; err == nil && rd.Check(h, kind, b) == nil && (!known || string(b) != whole) {
				t.Fatalf("%s is another object: %q", h, b)
			}
		}
	})
}

// TestUnmapped: a pack that has to be read gives what a mapped one gives.
func TestUnmapped(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 300<<10) // its deflated bytes are more than its bytes
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	versions := []string{string(noise)}
	for i := range 30 {
		versions = append(versions, strings.Repeat("a line of text\n", 50+i))
	}
	dir := newRepo(t, 50, versions...)
	db, p := onlyPack(t, dir)
	other := &DB{dirs: []string{dir}, read: true}
	if _, err := other.refresh(); err != nil {
		t.Fatal(err)
	}
	mapped, unmapped := NewReader(db, false), NewReader(other, false)
	defer unmapped.Close()
	if disk.Maps && p.data == nil || other.packs[0].data != nil {
		t.Fatalf("mapped: %v, %v", p.data != nil, other.packs[0].data != nil)
	}
	for i := range p.idx.upTo(255) {
		h := Hash(p.idx.name(i))
		aType, a, err := mapped.Object(h, MaxObject)
		bType, b, err2 := unmapped.Object(h, MaxObject)
		if err != nil || err2 != nil || aType != bType || !bytes.Equal(a, b) {
			t.Fatalf("%s: %v, %v", h, err, err2)
		}
		if nameOf(aType, a) != h {
			t.Fatalf("%s has another content", h)
		}
	}
	if n := p.idx.upTo(255); n < 90 {
		t.Errorf("%d objects", n)
	}
}

// nameOf returns the name of an object with the given content.
func nameOf(t Type, content []byte) Hash {
	return Hash(sha1.Sum(append(Head(nil, t, len(content)), content...)))
}
