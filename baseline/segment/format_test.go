package segment

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var tinyOptions = Options{Scheme: "tiny", Keys: 2, MaxPostings: 64}

// tinyLists are the example of the package comment.
var tinyLists = []list{
	{0x0000000000100000, 1, []uint64{5}},
	{0xFFFFFFFFFFF00000, 9, []uint64{3, 4, 7}},
}

// tinyFile spells out their file, as the package comment describes the format. Spaces and text behind a # are ignored;
// "zeros to N" fills up to offset N.
const tinyFile = `
	47 50 53 45 47 0D 0A 00  # magic
	01 00 00 00              # version 1
	2C 00 40 00              # key bits 44, bucket bits 0, most postings 64
	02 00 00 00 00 00 00 00  # keys
	04 00 00 00 00 00 00 00  # stored postings
	0A 00 00 00 00 00 00 00  # true counts: 1 + 9
	2A 10 00 00 00 00 00 00  # directory at 4096 + 30 + 12
	5A 10 00 00 00 00 00 00  # file of 4138 + 40 + 2*4 bytes
	5F E1 02 1A              # CRC of the directory
	04 74 69 6E 79           # scheme id: 4 bytes, "tiny"
	zeros to 4092
	5A 21 48 31              # CRC of the header

	# block
	02 03 03
	01 00 00 00 00 00 00 00 05
	00 00 00 00 FA FF FF FF FF 07
	07 06 02 43
	35 82 2B EB              # its CRC

	# filter: 3 segments of 4 bytes
	00 00 00 00  00 00 00 00  00 00 3E 71

	# directory
	00 10 00 00 00 00 00 00  # blocks at 4096
	1E 10 00 00 00 00 00 00  # filter at 4126
	C1 5C 02 89 EC 2D 0A 91  # seed
	04 00 00 00 01 00 00 00  # segments of 4 bytes, 1 of them holds first bytes
	5A E2 06 1C 00 00 00 00  # CRC of the filter
	00 00 00 00 1E 00 00 00  # block 0 starts at 0, ends at 30
`

func spell(t *testing.T, text string) []byte {
	t.Helper()
	var out []byte
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if line == "zeros to 4092" {
			out = append(out, make([]byte, 4092-len(out))...)
			continue
		}
		b, err := hex.DecodeString(strings.ReplaceAll(line, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b...)
	}
	return out
}

func TestSpelledFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiny")
	build(t, path, tinyOptions, tinyLists)
	want := spell(t, tinyFile)
	if got := mustRead(t, path); !bytes.Equal(got, want) {
		t.Errorf("written:\n% X\nwant:\n% X", got[4080:], want[4080:])
	}
	if got := all(t, open(t, path)); !sameLists(got, tinyLists) {
		t.Errorf("read: %v", got)
	}
	if got, want := open(t, path).Info(), (Info{1, "tiny", 44, 0, 64, 2, 4, 10, int64(len(want))}); got != want {
		t.Errorf("Info() = %+v, want %+v", got, want)
	}
}

var update = flag.Bool("update", false, "write testdata/v1.seg anew; only before the version is released")

// releasedLists returns the lists in each testdata/v*.seg: keys for 9 buckets, with lists that are short, long, and
// longer than the stored part.
func releasedLists() []list {
	var lists []list
	for i := range uint64(600) {
		l := list{fp: (i*0x9E3779B97F4A7C15>>34 | i<<54) &^ (1<<20 - 1), count: 1}
		if i%7 == 0 {
			l.count = i%5*30 + 2
		}
		for j := range l.count {
			l.postings = append(l.postings, i*1000+j*j)
		}
		lists = append(lists, l)
	}
	return lists
}

// TestReleasedVersions opens one file of each released version, and builds the newest again, byte for byte.
func TestReleasedVersions(t *testing.T) {
	o := Options{Scheme: "released", Keys: 600}
	lists := releasedLists()
	path := filepath.Join(t.TempDir(), "s")
	build(t, path, o, lists)
	if *update {
		if err := os.WriteFile("testdata/v1.seg", mustRead(t, path), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("testdata/v*.seg")
	if err != nil || len(files) != Version {
		t.Fatalf("%d files of %d versions: %v", len(files), Version, err)
	}
	for _, file := range files {
		r := open(t, file)
		if err := r.Verify(context.Background()); err != nil {
			t.Error(err)
		}
		if got := all(t, r); !sameLists(got, stored(lists, 64)) {
			t.Errorf("%s holds other lists", file)
		}
	}
	if !bytes.Equal(mustRead(t, path), mustRead(t, files[Version-1])) {
		t.Error("the same lists are no longer written as the same bytes")
	}
}

// openBytes writes data to a file, opens it and reads everything in every way.
func openBytes(t testing.TB, data []byte) error {
	path := filepath.Join(t.TempDir(), "s")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	return errors.Join(readAll(r), r.Verify(context.Background()))
}

func readAll(r *Reader) error {
	var fps []uint64
	all := r.All(context.Background(), func(fp, _ uint64, _ []uint64) error {
		if n := len(fps); n == 0 || fps[n-1] < fp {
			fps = append(fps, fp)
		}
		return nil
	})
	for i := range uint64(256) {
		fps = append(fps, i<<56|0xFFFFFFFFFFFFFF)
	}
	sortUnique(&fps)
	return errors.Join(all, r.Lookup(context.Background(), fps, func(int, uint64, []uint64) error { return nil }))
}

func checkTyped(t testing.TB, err error) {
	t.Helper()
	var corrupt *CorruptError
	var version *VersionError
	if !errors.As(err, &corrupt) && !errors.As(err, &version) {
		t.Errorf("error %v has no type that says so", err)
	}
}

// TestEveryBitCounts: every flipped bit and every cut of the file is noticed.
func TestEveryBitCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("flips every bit")
	}
	data := spell(t, tinyFile)
	if err := openBytes(t, data); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		if i >= 80 && i < 4080 && i%100 != 0 {
			continue // zeros of the header
		}
		rotten := bytes.Clone(data)
		rotten[i] ^= 1 << (i % 8)
		err := openBytes(t, rotten)
		if err == nil {
			t.Fatalf("bit %d of byte %d is flipped and nobody notices", i%8, i)
		}
		checkTyped(t, err)
	}
	for n := 0; n < len(data); n = max(n+1, min(4000, n*2)) {
		err := openBytes(t, data[:n])
		if err == nil {
			t.Fatalf("cut to %d bytes and nobody notices", n)
		}
		checkTyped(t, err)
	}
	if err := openBytes(t, append(data, 0)); err == nil {
		t.Fatal("a byte is appended and nobody notices")
	}
}

func TestErrorsHoldFacts(t *testing.T) {
	data := spell(t, tinyFile)
	change := func(at int, b byte) []byte {
		c := bytes.Clone(data)
		c[at] = b
		return c
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "not a segment file"},
		{"foreign", []byte("SQLite format 3\x00"), "not a segment file"},
		{"text mode", bytes.Replace(data, []byte("\r\n"), []byte("\n"), 1), "not a segment file"},
		{"newer", change(8, 2), "format version 2, want 1"},
		{"header", change(70, 1), "corrupt header at offset 0: checksum mismatch"},
		{"directory", change(4140, 1), "corrupt directory at offset 4138: checksum mismatch"},
		{"block", change(4100, 1), "corrupt block at offset 4096: checksum mismatch"},
		{"filter", change(4130, 1), "corrupt filter at offset 4126: checksum mismatch"},
		{"cut", data[:4150], "another length than was written"},
	} {
		err := openBytes(t, c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("open of no file: %v", err)
	}
}

// reseal corrects all CRCs, as far as the file can be parsed. A hostile author could have written the remaining damage.
func reseal(data view) {
	le := binary.LittleEndian
	if len(data) < headerSize {
		return
	}
	copy(data, magic)
	le.PutUint32(data[8:], Version)
	le.PutUint64(data[48:], uint64(len(data)))
	g := geometry{int(data[12]), int(data[13])}
	if g.bucketBits <= 16 && g.keyBits >= g.bucketBits+highBits {
		resealDirectory(data, g)
	}
	le.PutUint32(data[headerSize-4:], crc32.Checksum(data[:headerSize-4], castagnoli))
}

func resealDirectory(data view, g geometry) {
	le := binary.LittleEndian
	d, ok := data.span(le.Uint64(data[40:]), g.directorySize())
	if !ok {
		return
	}
	starts := d[g.shards()*shardEntrySize:]
	for i := range g.shards() {
		entry := d[i*shardEntrySize:]
		start, end := le.Uint64(entry), le.Uint64(entry[8:])
		f := filter{length: uint64(le.Uint32(entry[24:])), count: uint64(le.Uint32(entry[28:]))}
		if bytes, ok := data.span(end, f.size()); ok {
			le.PutUint32(entry[32:], crc32.Checksum(bytes, castagnoli))
		}
		for range g.perShard() {
			a, b := start+uint64(le.Uint32(starts)), start+uint64(le.Uint32(starts[4:]))
			if block, ok := data.span(a, b-a); ok && len(block) >= 4 {
				le.PutUint32(block[len(block)-4:], crc32.Checksum(block[:len(block)-4], castagnoli))
			}
			starts = starts[4:]
		}
		starts = starts[4:]
	}
	le.PutUint32(data[56:], crc32.Checksum(d, castagnoli))
}

// Damage that no CRC catches must be caught by the values themselves.
func TestHostileFiles(t *testing.T) {
	const block, filter, directory = 4096, 4126, 4138
	for _, c := range []struct {
		name    string
		changes map[int]byte
		want    string
	}{
		{"key bits", map[int]byte{12: 58}, "parameters out of bounds"},
		{"bucket bits", map[int]byte{13: 39}, "parameters out of bounds"},
		{"many buckets", map[int]byte{13: 16}, "does not end the file"},
		{"no postings", map[int]byte{14: 0}, "parameters out of bounds"},
		{"many postings", map[int]byte{15: 5}, "parameters out of bounds"},
		{"few postings", map[int]byte{14: 2}, "a list lies outside"},
		{"keys", map[int]byte{16: 3}, "counts other lists"},
		{"directory", map[int]byte{41: 0xFF}, "does not end the file"},
		{"shard start", map[int]byte{directory: 1}, "shard 0 is not where it should be"},
		{"shard end", map[int]byte{directory + 8: 1}, "shard 0 is not where it should be"},
		{"filter seed", map[int]byte{directory + 16: 1}, "a key does not pass"},
		{"filter length 3", map[int]byte{directory + 24: 3}, "shard 0 is not where it should be"},
		{"filter length 1", map[int]byte{directory + 24: 1}, "do not end where it starts"},
		{"filter count", map[int]byte{directory + 28: 0xFF}, "shard 0 is not where it should be"},
		{"filter", map[int]byte{filter + 10: 1}, "a key does not pass"},
		{"block starts", map[int]byte{directory + 40: 1}, "shard 0 is not where it should be"},
		{"no keys", map[int]byte{block: 0}, "inconsistent lengths"},
		{"many keys", map[int]byte{block: 100}, "inconsistent lengths"},
		{"more keys", map[int]byte{block: 3}, "corrupt block"},
		{"posting bits", map[int]byte{block + 1: 60}, "inconsistent lengths"},
		{"slot bits", map[int]byte{block + 2: 57}, "inconsistent lengths"},
		{"key order", map[int]byte{block + 3: 3, block + 11: 4, block + 15: 0xFF, block + 20: 0}, "keys do not ascend"},
		{"list offset", map[int]byte{block + 21: 0x3F}, "a list lies outside"},
		{"stored 0", map[int]byte{block + 22: 1}, "a list lies outside"},
		{"stored 65", map[int]byte{block + 22: 131, block + 23: 1}, "a list lies outside"},
		{"delta bits", map[int]byte{block + 24: 57}, "a list lies outside"},
	} {
		data := spell(t, tinyFile)
		for at, b := range c.changes {
			data[at] = b
		}
		reseal(data)
		err := openBytes(t, data)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
			continue
		}
		checkTyped(t, err)
	}
}

// FuzzHostileFile changes bytes of a valid file, corrects the CRCs, and reads it: errors are fine, but panics or
// unbounded memory are not.
func FuzzHostileFile(f *testing.F) {
	valid := mustRead(f, "testdata/v1.seg")
	f.Add([]byte{}, true)
	f.Add([]byte{0, 12, 0xFF, 0, 13, 26, 0, 14, 0}, true)
	f.Add([]byte{0x10, 0, 0xFF, 0x10, 1, 56, 0x10, 2, 56}, true)
	f.Add([]byte{0x40, 0, 1}, false)
	f.Fuzz(func(t *testing.T, changes []byte, sealed bool) {
		data := bytes.Clone(valid)
		for ; len(changes) >= 3; changes = changes[3:] {
			data[int(binary.BigEndian.Uint16(changes))%len(data)] = changes[2]
		}
		if sealed {
			reseal(data)
		}
		r := &Reader{path: "memory", data: data} // without a disk, the fuzzer is faster
		err := r.load()
		if err == nil {
			err = errors.Join(readAll(r), r.Verify(context.Background()))
		}
		if err != nil {
			checkTyped(t, err)
		}
	})
}

// inMemory returns a directory in memory, if the system has one.
func inMemory(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "segment-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// FuzzRoundTrip builds a file from arbitrary lists and reads it back.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("some lists"), uint64(1), uint8(3))
	f.Add(bytes.Repeat([]byte{0, 0, 0, 0, 0xFF}, 40), uint64(1<<12), uint8(64))
	path := filepath.Join(inMemory(f), "s")
	f.Fuzz(func(t *testing.T, data []byte, keys uint64, most uint8) {
		o := Options{Keys: keys % (1 << 14), MaxPostings: int(most)}
		var lists []list
		fp := uint64(0)
		for len(data) >= 5 {
			fp += uint64(binary.LittleEndian.Uint32(data))<<28 | 1<<20
			if len(lists) > 0 && fp <= lists[len(lists)-1].fp {
				break
			}
			fp &^= 1<<20 - 1
			n := min(int(data[4]), len(data)-5)
			l := list{fp: fp, count: uint64(n) + 1, postings: []uint64{uint64(n)}}
			for i, b := range data[5 : 5+n] {
				l.postings = append(l.postings, l.postings[i]+1+uint64(b)<<(b%48))
			}
			data = data[5+n:]
			if l.postings[n] <= MaxPosting {
				lists = append(lists, l)
			}
		}
		build(t, path, o, lists)
		r := open(t, path)
		if got := all(t, r); !sameLists(got, stored(lists, r.Info().MaxPostings)) {
			t.Errorf("read %v, wrote %v", got, lists)
		}
		if err := errors.Join(readAll(r), r.Verify(context.Background())); err != nil {
			t.Error(err)
		}
	})
}
