package git

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// packObject is an object of a pack made by hand: data is deflated behind the header, or raw is taken as it is.
type packObject struct {
	name   Hash
	typ    objectType
	size   int // what the header says; 0 is the truth
	prefix []byte
	data   []byte
	raw    []byte
}

func packHeader(typ objectType, size int) []byte {
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
	slices.SortFunc(objects, func(a, b packObject) int { return compareHash(a.name, b.name) })
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
			{name: a, typ: typeRefDelta, prefix: b[:], data: delta(5, 5, 1)},
			{name: b, typ: typeRefDelta, prefix: a[:], data: delta(5, 5, 1)}}, isCorrupt},
		"itself as base": {[]packObject{{name: a, typ: typeRefDelta, prefix: a[:], data: delta(5, 5, 1)}}, isCorrupt},
		"base elsewhere": {[]packObject{{name: a, typ: typeRefDelta, prefix: c[:], data: delta(5, 5, 1)}}, isCorrupt},
		"base before the pack": {[]packObject{{name: a, typ: typeOfsDelta, prefix: []byte{0x7f}, data: delta(5, 5, 1)}},
			isCorrupt},
		"no offset": {[]packObject{{name: a, typ: typeOfsDelta, prefix: []byte{0}, data: delta(5, 5, 1)}}, isCorrupt},
		"endless offset": {[]packObject{{name: a, typ: typeOfsDelta, prefix: bytes.Repeat([]byte{0xff}, 30), data: nil}},
			isCorrupt},
		"unknown type":   {[]packObject{{name: a, typ: 5, data: []byte("x")}}, isCorrupt},
		"size too small": {[]packObject{{name: a, typ: typeBlob, size: 3, data: []byte("12345")}}, isCorrupt},
		"size too large": {[]packObject{{name: a, typ: typeBlob, size: 9, data: []byte("12345")}}, isCorrupt},
		"size a lie":     {[]packObject{{name: a, typ: typeBlob, size: 1 << 28, data: []byte("12345")}}, isLarge},
		"size absurd":    {[]packObject{{name: a, typ: typeBlob, size: 1 << 60, data: []byte("12345")}}, isLarge},
		"not deflated":   {[]packObject{{name: a, typ: typeBlob, size: 5, raw: []byte("123456789")}}, isCorrupt},
		"damaged":        {[]packObject{{name: a, typ: typeBlob, size: 1 << 20, raw: deflated(mega)[:500]}}, isCorrupt},
		"delta bomb": {[]packObject{
			{name: b, typ: typeBlob, data: mega},
			{name: a, typ: typeRefDelta, prefix: b[:], data: delta(1<<20, 1<<20, 100_000)}}, isLarge},
		"delta bomb below a small delta": {[]packObject{
			{name: c, typ: typeBlob, data: mega},
			{name: b, typ: typeRefDelta, prefix: c[:], data: delta(1<<20, 1<<20, 1000)},
			{name: a, typ: typeRefDelta, prefix: b[:], data: delta(1000<<20, 5, 1)}}, isCorrupt},
		"delta of another base": {[]packObject{
			{name: b, typ: typeBlob, data: mega},
			{name: a, typ: typeRefDelta, prefix: b[:], data: delta(77, 5, 1)}}, isCorrupt},
		"empty delta": {[]packObject{
			{name: b, typ: typeBlob, data: mega},
			{name: a, typ: typeRefDelta, prefix: b[:], data: nil}}, isCorrupt},
		"a tree": {[]packObject{{name: a, typ: typeTree, data: []byte("12345")}}, isCorrupt},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			db, err := openObjectDB([]string{makePack(t, test.objects)})
			if err != nil {
				t.Fatal(err)
			}
			rd := newReader(db, false)
			defer rd.close()
			for _, limit := range []int64{100 << 20, maxObject, 1 << 62} {
				if _, err := rd.blob(a, limit); !test.check(err) {
					t.Errorf("limit %d: got %v", limit, err)
				}
			}
		})
	}
}

func isLarge(err error) bool {
	var large *TooLargeError
	return errors.As(err, &large) || isCorrupt(err)
}

func TestLongDeltaChain(t *testing.T) {
	data := []byte("hello")
	objects := []packObject{{name: Hash{0, 0, 1}, typ: typeBlob, data: data}}
	const links = 3000
	for i := range links {
		base := objects[i].name
		n := i + 2
		objects = append(objects, packObject{name: Hash{byte(n >> 16), byte(n >> 8), byte(n)}, typ: typeRefDelta,
			prefix: base[:], data: delta(5, 5, 1)})
	}
	last := objects[links].name
	db, err := openObjectDB([]string{makePack(t, objects)})
	if err != nil {
		t.Fatal(err)
	}
	rd := newReader(db, false)
	defer rd.close()
	if b, err := rd.blob(last, 5); err != nil || string(b) != "hello" {
		t.Errorf("got %q, %v", b, err)
	}
	if n, err := rd.size(last); err != nil || n != 5 {
		t.Errorf("size %d, %v", n, err)
	}
	var large *TooLargeError
	if _, err := newReader(db, false).blob(last, 4); !errors.As(err, &large) || large.Size != 5 {
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
	} {
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
		rd := newReader(&objectDB{dirs: []string{dir}}, false)
		if b, err := rd.blob(h, 1<<30); err == nil || isMissing(err) {
			t.Errorf("%s: got %q, %v", what, b, err)
		}
	}
}

func TestTreeBomb(t *testing.T) {
	// Ten entries a level, forty levels: 10^40 files in 40 objects.
	leaf := nameOf(typeBlob, []byte("x"))
	objects := []packObject{{name: leaf, typ: typeBlob, data: []byte("x")}}
	child, mode := leaf, "100644"
	for range 40 {
		var tree []byte
		for i := range 10 {
			tree = append(append(tree, mode+" "+string(rune('0'+i))+"\x00"...), child[:]...)
		}
		child, mode = nameOf(typeTree, tree), "40000"
		objects = append(objects, packObject{name: child, typ: typeTree, data: tree})
	}
	dir := makePack(t, objects)
	db, err := openObjectDB([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	rd := newReader(db, false)
	defer rd.close()
	if _, err := rd.compare(t.Context(), Hash{}, child, nil); err == nil {
		t.Error("comparison: no error")
	}
	h := history{repo: &Repo{}, rd: rd, seen: map[Hash]bool{}, seenTrees: map[Hash]bool{}, reported: map[string]bool{}, trees: map[Hash]Hash{}}
	if err := h.learnTree(t.Context(), child); err != nil || len(h.seen) != 1 {
		t.Errorf("history: %d blobs, %v", len(h.seen), err)
	}
}

// FuzzPack damages a real pack in one place.
func FuzzPack(f *testing.F) {
	r := newRepo(f)
	text := strings.Repeat("some text that makes deltas\n", 100)
	for i := range 5 {
		r.write("a", text+strings.Repeat("x", i*50))
		r.commit("c")
	}
	r.git("repack", "-q", "-adf")
	dir := filepath.Join(r.dir, ".git/objects")
	packs, err := filepath.Glob(filepath.Join(dir, "pack", "*.pack"))
	if err != nil || len(packs) != 1 {
		f.Fatalf("%q, %v", packs, err)
	}
	whole, err := os.ReadFile(packs[0])
	if err != nil {
		f.Fatal(err)
	}
	idx, err := os.ReadFile(strings.TrimSuffix(packs[0], ".pack") + ".idx")
	if err != nil {
		f.Fatal(err)
	}
	x, err := newPackIndex(idx)
	if err != nil {
		f.Fatal(err)
	}
	sound := map[Hash]string{}
	rd := r.open().acquire()
	for i := range x.upTo(255) {
		_, b, err := rd.object(Hash(x.name(i)), 1<<16)
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
		rd := newReader(&objectDB{packs: []*pack{p}, opened: 1}, false)
		for i := range x.upTo(255) {
			h := Hash(x.name(i))
			kind, b, err := rd.object(h, 1<<16)
			if whole, known := sound[h]; err == nil && rd.check(h, kind, b) == nil && (!known || string(b) != whole) {
				t.Fatalf("%s is another object: %q", h, b)
			}
		}
	})
}

// TestUnmapped: a pack that has to be read gives what a mapped one gives.
func TestUnmapped(t *testing.T) {
	r := generated(t, 200, 5)
	r.git("checkout", "-q", "-f", "main")
	r.write("noise", noise(300<<10)) // its deflated bytes are more than its bytes
	r.commit("noise")
	r.git("repack", "-q", "-adf", "--depth=50")
	repo := r.open()
	mapped := newReader(repo.objects, false)
	db := &objectDB{dirs: repo.objects.dirs, read: true}
	if _, err := db.refresh(); err != nil {
		t.Fatal(err)
	}
	unmapped := newReader(db, false)
	defer unmapped.close()
	if len(db.packs) != 1 || db.packs[0].data != nil {
		t.Fatalf("%d packs, mapped: %v", len(db.packs), db.packs[0].data != nil)
	}
	objects := 0
	for l := range strings.Lines(r.git("cat-file", "--batch-all-objects", "--batch-check")) {
		h, err := ParseHash(l[:40])
		if err != nil {
			t.Fatal(err)
		}
		aType, a, err := mapped.object(h, maxObject)
		bType, b, err2 := unmapped.object(h, maxObject)
		if err != nil || err2 != nil || aType != bType || !bytes.Equal(a, b) {
			t.Fatalf("%s: %v, %v", h, err, err2)
		}
		if sum := sha1.Sum(append(fmt.Appendf(nil, "%s %d\x00", strings.Fields(l)[1], len(a)), a...)); Hash(sum) != h {
			t.Fatalf("%s has the content of %x", h, sum)
		}
		objects++
	}
	if objects < 400 {
		t.Errorf("%d objects", objects)
	}
}

func noise(n int) string {
	rng := rand.New(rand.NewPCG(9, 9))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return string(b)
}
