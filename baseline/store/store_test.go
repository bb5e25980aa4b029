package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

var update = flag.Bool("update", false, "write testdata/v7.docs anew")

// sample is the content of a small file.
type sample struct {
	texts    []string // one document each
	licenses []string
	packages []Package
	occs     []Occurrence
}

// splitter is reused: making a new one takes longer than reading a short text.
var splitter = sync.OnceValue(func() *lang.Tokenizer { return lang.NewTokenizer(lang.Limits{}) })

func words(t testing.TB, text string) []lang.Token {
	t.Helper()
	s, err := splitter().Tokenize(lang.Words(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(s.Tokens)
}

func newSample() sample {
	s := sample{
		texts:    []string{"alpha beta 1234\ngamma\n", "one two three\nfour 55555 six seven", "répéter répéter\n\n\nfin\n"},
		licenses: []string{"", "MIT", "Apache-2.0 OR MIT"},
		packages: []Package{
			{PURL: "pkg:golang/a@v1", License: "MIT", Released: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), From: "a", Digest: "sha256:1", Files: 2, Skipped: map[string]int{"empty": 1}, Licenses: []string{"LICENSE"}},
			{PURL: "pkg:golang/b@v1", Digest: "sha256:2", Files: 3},
		},
	}
	for i, t := range s.texts {
		s.occs = append(s.occs, Occurrence{Sum([]byte(t)), uint32(i % 2), fmt.Sprintf("dir/%d.txt", i)}, Occurrence{Sum([]byte(t)), 1, "same.txt"})
	}
	s.occs = append(s.occs, Occurrence{Sum([]byte("of another segment")), 0, "elsewhere.txt"})
	return s
}

var encoder = sync.OnceValues(NewEncoder)

func entries(t testing.TB, s sample) []Entry {
	t.Helper()
	enc, err := encoder()
	if err != nil {
		t.Fatal(err)
	}
	var out []Entry
	for i, text := range s.texts {
		b := []byte(text)
		e := enc.Entry(Content{Hash: Sum(b), Language: "text", License: s.licenses[i], Text: b, Tokens: named(words(t, text)), Lines: lang.Lines(b)})
		e.Unit = uint32(100 + i)
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Entry) int { return bytes.Compare(a.Hash[:], b.Hash[:]) })
	return out
}

// named turns words into identifiers, so that the documents have names.
func named(toks []lang.Token) []lang.Token {
	for i := range toks {
		if toks[i].Class == lang.Word {
			toks[i].Class = lang.Identifier
		}
	}
	return toks
}

func write(t testing.TB, path string, s sample) {
	t.Helper()
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, e := range entries(t, s) {
		w.Add(&e)
	}
	if err := w.Close(s.packages, s.occs); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, path string) *Reader {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func check(t *testing.T, r *Reader, s sample) {
	t.Helper()
	if r.Docs() != len(s.texts) {
		t.Fatalf("%d documents, want %d", r.Docs(), len(s.texts))
	}
	pos := uint64(0)
	for i := range r.Docs() {
		d, err := r.Doc(i)
		if err != nil {
			t.Fatal(err)
		}
		n := slices.IndexFunc(s.texts, func(text string) bool { return Sum([]byte(text)) == d.Hash })
		if n < 0 {
			t.Fatalf("document %d is none of those written", i)
		}
		text := s.texts[n]
		want := named(words(t, text))
		if d.Language != "text" || d.License != s.licenses[n] || int(d.Size) != len(text) || int(d.Tokens) != len(want) || d.Base != pos || d.Unit != uint32(100+n) || r.Unit(i) != d.Unit {
			t.Errorf("record of %q: %+v", text, d)
		}
		toks, lines, err := r.Stream(d)
		if err != nil {
			t.Fatal(err)
		}
		index := lang.Lines([]byte(text))
		for j := range want {
			if toks[j] != want[j] || int(lines[j]) != index.Line(want[j].Start) {
				t.Errorf("token %d of %q: %+v on line %d, want %+v", j, text, toks[j], lines[j], want[j])
			}
			if at, tok, ok := r.Locate(pos + uint64(j)); !ok || at != i || int(tok) != j {
				t.Errorf("Locate(%d) = %d, %d, %v, want %d, %d", pos+uint64(j), at, tok, ok, i, j)
			}
		}
		pos += uint64(len(want))
		if b, err := r.Text(d); err != nil || string(b) != text {
			t.Errorf("Text = %q, %v, want %q", b, err, text)
		}
		names, err := r.Names(i)
		if err != nil {
			t.Fatal(err)
		}
		for _, tok := range want {
			if HasName(tok) && !names.Has(model.NameHash([]byte(text[tok.Start:tok.End]))) {
				t.Errorf("%q: name %q is missing", text, text[tok.Start:tok.End])
			}
		}
		if at, ok, err := r.Find(d.Hash); !ok || err != nil || at != i {
			t.Errorf("Find(%s) = %d, %v, %v, want %d", d.Hash, at, ok, err, i)
		}
	}
	if r.Tokens() != pos {
		t.Errorf("Tokens = %d, want %d", r.Tokens(), pos)
	}
	if _, _, ok := r.Locate(pos); ok {
		t.Error("Locate finds a position behind the last token")
	}
	if _, ok, _ := r.Find(Sum([]byte("nobody wrote this"))); ok {
		t.Error("Find finds what is not there")
	}
	pkgs, err := r.Packages()
	if err != nil || !reflect.DeepEqual(pkgs, s.packages) {
		t.Errorf("Packages = %+v, %v, want %+v", pkgs, err, s.packages)
	}
	want := slices.SortedFunc(slices.Values(s.occs), CompareOccurrences)
	var all, some []Occurrence
	if err := r.AllOccurrences(func(o Occurrence) { all = append(all, o) }); err != nil || !slices.Equal(all, want) {
		t.Errorf("AllOccurrences = %v, %v, want %v", all, err, want)
	}
	for i, o := range want {
		if i > 0 && want[i-1].Hash == o.Hash {
			continue
		}
		if err := r.Occurrences(o.Hash, func(o Occurrence) { some = append(some, o) }); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(some, want) {
		t.Errorf("Occurrences of each content = %v, want %v", some, want)
	}
	if err := r.Verify(); err != nil {
		t.Errorf("Verify: %v", err)
	}
}

func TestFileRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.docs")
	s := newSample()
	write(t, path, s)
	check(t, open(t, path), s)
	if _, err := os.Stat(path + ".tmp"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("temporary file: %v", err)
	}
	again := filepath.Join(t.TempDir(), "b.docs")
	write(t, again, s)
	if !bytes.Equal(read(t, path), read(t, again)) {
		t.Error("the same input made two files")
	}
}

// FuzzFileRoundTrip writes documents cut from a text, as plan says, and reads all of them. Four bytes of the plan describe
// a document: its length, how often it is repeated, its licence, its package and path.
func FuzzFileRoundTrip(f *testing.F) {
	shm := "/dev/shm" // memory
	if _, err := os.Stat(shm); err != nil {
		shm = ""
	}
	dir, err := os.MkdirTemp(shm, "documents")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "a.docs")
	f.Add("alpha beta 1234\ngamma\n", []byte{6, 1, 0, 0, 9, 1, 1, 1})
	f.Add("a a\x00\xff\n\n", []byte{2, 255, 3, 2, 0, 0, 0, 0, 9, 1, 9, 8})
	f.Fuzz(func(t *testing.T, text string, plan []byte) {
		if len(text) > 1000 || len(plan) > 24 {
			return
		}
		s := planned(text, plan)
		write(t, path, s)
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		check(t, r, s)
	})
}

func planned(text string, plan []byte) sample {
	s := sample{packages: []Package{{PURL: "pkg:generic/a@1", License: "MIT", Files: len(plan)}, {PURL: strings.ToValidUTF8("pkg:generic/"+text, "?"), Skipped: map[string]int{"empty": 1}}}}
	for ; len(plan) >= 4; plan = plan[4:] {
		n := min(int(plan[0]), len(text))
		part := strings.Repeat(text[:n], int(plan[1]%32)+1)
		if text = text[n:]; slices.Contains(s.texts, part) {
			continue
		}
		s.texts = append(s.texts, part)
		s.licenses = append(s.licenses, []string{"", "MIT", "ISC", strings.ToValidUTF8(part[:min(9, len(part))], "")}[plan[2]%4])
		for i := range plan[3] % 3 {
			s.occs = append(s.occs, Occurrence{Sum([]byte(part)), uint32(plan[3]) / 3 % 2, fmt.Sprintf("%d/%s", i, part[:min(20, len(part))])})
		}
	}
	return s
}

func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.docs")
	write(t, path, sample{})
	check(t, open(t, path), sample{})
}

// Entries copied from one file make the same file again.
func TestEntriesCopied(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "a.docs"), filepath.Join(t.TempDir(), "b.docs")
	s := newSample()
	write(t, from, s)
	r := open(t, from)
	w, err := Create(to)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Docs() {
		e, err := r.Entry(i)
		if err != nil {
			t.Fatal(err)
		}
		w.Add(e)
	}
	if err := w.Close(s.packages, s.occs); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, from), read(t, to)) {
		t.Error("the copy differs")
	}
}

// testdata/v3.docs was written by the third version, v5.docs by the fifth; every later one
// reads them, and makes their tokens and sets of names anew where it copies them.
// v1.docs was written by the first, whose tables nothing guards, v2.docs by the
// second, whose tokens are not in blocks: they are refused.
func TestVersions(t *testing.T) {
	path := filepath.Join("testdata", "v7.docs")
	if *update {
		write(t, path, newSample())
	}
	check(t, open(t, path), newSample())
	made := entries(t, newSample())
	for _, before := range []string{"v3.docs", "v5.docs"} {
		old := open(t, filepath.Join("testdata", before))
		check(t, old, newSample())
		for i := range old.Docs() {
			e, err := old.Entry(i)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(e.TokBlob, made[i].TokBlob) || !bytes.Equal(e.Names.Bits, made[i].Names.Bits) {
				t.Errorf("%s: %s is not copied as it would be made", before, e.Hash)
			}
		}
	}
	var newer *VersionError
	if !errors.As((&header{}).unmarshal("x", []byte("GPDOCS09")), &newer) || !newer.Newer() {
		t.Errorf("a later version: %v", newer)
	}
	for _, refused := range []string{"v1.docs", "v2.docs"} {
		var version *VersionError
		if _, err := Open(filepath.Join("testdata", refused)); !errors.As(err, &version) || version.Newer() {
			t.Errorf("%s: %v", refused, err)
		}
	}
}

// The header and the tables, field by field as the package comment describes them.
func TestLayout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.docs")
	s := newSample()
	write(t, path, s)
	b := read(t, path)
	u64 := func(at uint64) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	u32 := func(at uint64) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	docs, occs := uint64(len(s.texts)), uint64(len(s.occs))
	docOff, occOff, strOff, metaOff, end := u64(32), u64(40), u64(48), u64(56), u64(64)
	es := entries(t, s)
	tokens := uint64(0)
	blobs := uint64(4096)
	var listing Writer // numbers shapes
	for i, e := range es {
		at := docOff + uint64(i)*104
		head, body := listing.head(&e, 0)
		tokLen := uint64(len(head) + len(body))
		for name, f := range map[string][2]uint64{
			"base": {u64(at + 32), tokens}, "token blob": {u64(at + 40), blobs}, "text blob": {u64(at + 48), blobs + tokLen},
			"token length": {uint64(u32(at + 56)), tokLen}, "text length": {uint64(u32(at + 60)), uint64(len(e.TxtBlob))},
			"names length": {uint64(u32(at + 64)), uint64(len(e.Names.Bits))}, "tokens": {uint64(u32(at + 68)), uint64(e.Tokens)},
			"lines": {uint64(u32(at + 72)), uint64(e.Lines)}, "size": {uint64(u32(at + 76)), uint64(e.Size)}, "unit": {uint64(u32(at + 84)), uint64(e.Unit)},
		} {
			if f[0] != f[1] {
				t.Errorf("document %d: %s is %d, want %d", i, name, f[0], f[1])
			}
		}
		if !bytes.Equal(b[at:at+32], e.Hash[:]) || u64(at+88) != 4<<48 || u32(at+96) != crc(e.Names.Bits) || u32(at+100) != crc(b[at:at+100]) {
			t.Errorf("document %d: hash or padding", i)
		}
		tokens += uint64(e.Tokens)
		blobs += tokLen + uint64(len(e.TxtBlob)+len(e.Names.Bits))
	}
	for name, f := range map[string][2]uint64{
		"magic": {u64(0), binary.LittleEndian.Uint64([]byte("GPDOCS07"))}, "documents": {u64(8), docs}, "occurrences": {u64(16), occs}, "tokens": {u64(24), tokens},
		"document table": {docOff, blobs}, "occurrence table": {occOff, docOff + 104*docs}, "strings": {strOff, occOff + 56*occs}, "end": {end, uint64(len(b))},
		"document CRC": {uint64(u32(72)), uint64(crc(b[docOff:occOff]))}, "occurrence CRC": {uint64(u32(76)), uint64(crc(b[occOff:strOff]))},
		"string CRC": {uint64(u32(80)), uint64(crc(b[strOff:metaOff]))}, "meta CRC": {uint64(u32(84)), uint64(crc(b[metaOff:end]))},
		"flags": {uint64(u32(88)), 0}, "header CRC": {uint64(u32(4092)), uint64(crc(b[:4092]))},
	} {
		if f[0] != f[1] {
			t.Errorf("header: %s is %d, want %d", name, f[0], f[1])
		}
	}
}

func crc(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWriterRefuses(t *testing.T) {
	s := newSample()
	es := entries(t, s)
	path := filepath.Join(t.TempDir(), "a.docs")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w.Add(&es[1])
	w.Add(&es[0])
	if err := w.Close(nil, nil); err == nil {
		t.Error("documents out of order are accepted")
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// use asks a reader for everything. Every answer without an error must be usable: no index of a token or a line may be out
// of range.
func use(r *Reader) (failed error) {
	note := func(err error) {
		if failed == nil {
			failed = err
		}
	}
	for i := range r.Docs() {
		d, err := r.Doc(i)
		note(err)
		names, err := r.Names(i)
		note(err)
		names.Has(0)
		names.Has(1<<32 - 1)
		_, err = r.Entry(i)
		note(err)
		note(r.Occurrences(r.Hash(i), func(Occurrence) {}))
		r.Find(r.Hash(i))
		if d.Language == "" {
			continue
		}
		text, textErr := r.Text(d)
		note(textErr)
		toks, _, err := r.Stream(d)
		note(err)
		if textErr == nil {
			for _, t := range toks {
				_ = text[t.Start:t.End]
				_ = t.Class.String()
			}
		}
	}
	for _, pos := range []uint64{0, 1, 7, r.Tokens() - 1, r.Tokens(), 1 << 63, 1<<64 - 1} {
		r.Locate(pos)
	}
	pkgs, err := r.Packages()
	note(err)
	note(r.AllOccurrences(func(o Occurrence) { _ = pkgs[o.Package] }))
	return failed
}

func TestEveryByteFlipped(t *testing.T) {
	if testing.Short() {
		t.Skip("flips every byte")
	}
	path := filepath.Join(t.TempDir(), "a.docs")
	write(t, path, newSample())
	b := read(t, path)
	bad := filepath.Join(t.TempDir(), "bad.docs")
	for at := range b {
		if at > 96 && at < headerSize-8 && at%16 != 0 {
			continue // zeros of the header, which have one checksum
		}
		for _, bits := range []byte{0x01, 0xFF} {
			c := slices.Clone(b)
			c[at] ^= bits
			if err := os.WriteFile(bad, c, 0o644); err != nil {
				t.Fatal(err)
			}
			r, err := Open(bad)
			if err != nil {
				continue
			}
			if use(r) == nil {
				t.Errorf("byte %d of %d changed: who reads everything is not told", at, len(b))
			}
			if r.Verify() == nil {
				t.Errorf("byte %d of %d changed: Verify finds nothing", at, len(b))
			}
			r.Close()
		}
	}
}

func TestTruncated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.docs")
	write(t, path, newSample())
	b := read(t, path)
	bad := filepath.Join(t.TempDir(), "bad.docs")
	for n := 0; n < len(b); n += 1 + min(63, len(b)-n-1) {
		if err := os.WriteFile(bad, b[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Open(bad)
		if err == nil {
			r.Close()
			t.Errorf("the first %d of %d bytes open", n, len(b))
		}
		var version *VersionError
		var corrupt *CorruptError
		if !errors.As(err, &version) && !errors.As(err, &corrupt) {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
}

// reseal corrects the checksums of header and tables.
func reseal(b []byte) {
	u64 := func(at int) uint64 { return min(binary.LittleEndian.Uint64(b[at:]), uint64(len(b))) }
	clip := func(off, n uint64) []byte {
		off = min(off, uint64(len(b)))
		return b[off:][:min(n, uint64(len(b))-off)]
	}
	records := func(from, to uint64, size int, refers func(record []byte) []byte) {
		for ; from <= to && to-from >= uint64(size); from += uint64(size) {
			r := b[from:][:size]
			binary.LittleEndian.PutUint32(r[size-8:], crc(refers(r)))
			binary.LittleEndian.PutUint32(r[size-4:], crc(r[:size-4]))
		}
	}
	le := binary.LittleEndian
	records(u64(32), u64(40), docSize, func(r []byte) []byte {
		return clip(le.Uint64(r[48:])+uint64(le.Uint32(r[60:])), uint64(le.Uint32(r[64:])))
	})
	records(u64(40), u64(48), occSize, func(r []byte) []byte {
		return clip(u64(48)+le.Uint64(r[36:]), uint64(le.Uint32(r[44:])))
	})
	for i := range 4 {
		from, to := u64(32+8*i), u64(40+8*i)
		if from <= to {
			binary.LittleEndian.PutUint32(b[72+4*i:], crc(b[from:to]))
		}
	}
	binary.LittleEndian.PutUint32(b[4092:], crc(b[:4092]))
}

// Hostile numbers with right checksums give errors or answers, no panic, and no excessive allocation.
func TestHostileNumbers(t *testing.T) {
	if testing.Short() {
		t.Skip("writes every number of a file anew")
	}
	path := filepath.Join(t.TempDir(), "a.docs")
	write(t, path, newSample())
	b := read(t, path)
	docOff, metaOff := binary.LittleEndian.Uint64(b[32:]), binary.LittleEndian.Uint64(b[56:])
	var at []int
	for i := 8; i < 96; i += 4 {
		at = append(at, i)
	}
	for i := int(docOff); i+4 <= int(metaOff); i += 4 {
		at = append(at, i)
	}
	bad := filepath.Join(t.TempDir(), "bad.docs")
	for _, i := range at {
		for _, v := range []uint64{0, 1, 95, 4095, 4096, 1<<28 + 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 58, 1 << 63, 1<<64 - 4096, 1<<64 - 96, 1<<64 - 1} {
			for _, width := range []int{4, 8} {
				c := slices.Clone(b)
				if width == 4 {
					binary.LittleEndian.PutUint32(c[i:], uint32(v))
				} else {
					binary.LittleEndian.PutUint64(c[i:], v)
				}
				reseal(c)
				if err := os.WriteFile(bad, c, 0o644); err != nil {
					t.Fatal(err)
				}
				r, err := Open(bad)
				if err != nil {
					continue
				}
				use(r)
				r.Verify()
				r.Close()
			}
		}
	}
}

// An offset and lengths that add up beyond 2^64.
func TestOffsetsWrap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.docs")
	write(t, path, newSample())
	b := read(t, path)
	at := binary.LittleEndian.Uint64(b[32:])
	off := uint64(1<<64 - 4096)
	binary.LittleEndian.PutUint64(b[at+40:], off)
	binary.LittleEndian.PutUint64(b[at+48:], off+100)
	binary.LittleEndian.PutUint32(b[at+56:], 100)
	binary.LittleEndian.PutUint32(b[at+60:], 100)
	binary.LittleEndian.PutUint32(b[at+64:], 4096)
	reseal(b)
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	r := open(t, path)
	var corrupt *CorruptError
	if _, err := r.Entry(0); !errors.As(err, &corrupt) {
		t.Errorf("Entry: %v", err)
	}
	if _, err := r.Names(0); !errors.As(err, &corrupt) {
		t.Errorf("Names: %v", err)
	}
	if err := use(r); !errors.As(err, &corrupt) {
		t.Errorf("use: %v", err)
	}
}

// Tokens that end before they start, beyond the text or on no line of it.
func TestSpansOutside(t *testing.T) {
	text := []byte("alpha beta\n")
	enc, err := NewEncoder()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		tok  lang.Token
		line uint32
		good bool
	}{
		"good": {lang.Token{Start: 6, End: 10}, 1, true}, "backwards": {lang.Token{Start: 6, End: 5}, 1, false},
		"beyond": {lang.Token{Start: 6, End: 12}, 1, false}, "line": {lang.Token{Start: 6, End: 10}, 7, false},
	} {
		e := enc.Entry(Content{Hash: Sum(text), Language: "text", Text: text, Lines: lang.Lines(text)})
		e.TokBlob, e.Tokens, e.Bare = enc.columns([]lang.Token{c.tok}, []uint32{c.line}), 1, true
		r, d := alone(t, &e)
		var corrupt *CorruptError
		if _, _, err := r.Stream(d); c.good != (err == nil) || err != nil && !errors.As(err, &corrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClassUnknown(t *testing.T) {
	h := tokenHead{tokens: 1, shapes: []lang.Shape{{Kind: 7, Class: lang.Word + 1}}, blocks: make([]tokenBlock, 1)}
	head := appendHead(nil, &h, nil)
	if _, err := decodeHead(head, 1, uint64(len(head)), nil); err == nil || !strings.Contains(err.Error(), "class") {
		t.Errorf("an unknown class: %v", err)
	}
}

// A blob that claims an impossible decompressed size is refused before memory is allocated for it.
func TestDecompressClaims(t *testing.T) {
	// a frame header: magic, single segment with an 8 byte size, 512 MiB
	b := append([]byte{0x28, 0xB5, 0x2F, 0xFD, 0xE0}, binary.LittleEndian.AppendUint64(nil, 512<<20)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, limit := range []uint64{100, 1 << 40} {
		if _, err := decompress(b, limit, nil); err == nil {
			t.Error("decompressed")
		}
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
		t.Errorf("%d bytes allocated", n)
	}
	zeros := make([]byte, 16<<20)
	enc, err := NewEncoder()
	if err != nil {
		t.Fatal(err)
	}
	z := enc.z.EncodeAll(zeros, nil)
	if out, err := decompress(z, uint64(len(zeros)), nil); err != nil || !bytes.Equal(out, zeros) {
		t.Errorf("16 MiB of zeros from %d bytes: %v", len(z), err)
	}
	if _, err := decompress(z, uint64(len(zeros))-1, nil); err == nil {
		t.Error("more than the limit is decompressed")
	}
}

// randomTokens makes streams like a tokeniser's, and worse: tokens that enclose the next ones, empty ones, any kind and
// flag.
func randomTokens(r *rand.Rand, size int) []lang.Token {
	toks := make([]lang.Token, r.IntN(200))
	at := 0
	for i := range toks {
		at = min(size, max(0, at+r.IntN(9)-2))
		end := min(size, at+r.IntN(8))
		toks[i] = lang.Token{Start: uint32(at), End: uint32(end), Kind: r.Uint32N(12) * 0x10204081, Class: lang.Class(r.IntN(int(lang.Word) + 1)), Flags: lang.Flags(r.IntN(2))}
		if r.IntN(10) > 0 {
			at = end
		}
	}
	return toks
}

// stored writes one document with some tokens and reads it back.
func stored(t testing.TB, text []byte, toks []lang.Token) (*Reader, Document) {
	t.Helper()
	enc, err := encoder()
	if err != nil {
		t.Fatal(err)
	}
	e := enc.Entry(Content{Hash: Sum(text), Language: "text", Text: text, Tokens: toks, Lines: lang.Lines(text)})
	return alone(t, &e)
}

// alone writes a file of one entry and returns the document in it.
func alone(t testing.TB, e *Entry) (*Reader, Document) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.docs")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w.Add(e)
	if err := w.Close(nil, nil); err != nil {
		t.Fatal(err)
	}
	r := open(t, path)
	d, err := r.Doc(0)
	if err != nil {
		t.Fatal(err)
	}
	return r, d
}

// manyTokens makes tokens of one byte each, which cycle through the kinds.
func manyTokens(tokens, kinds int) ([]byte, []lang.Token) {
	text := bytes.Repeat([]byte("a b\n"), tokens/2+1)
	toks := make([]lang.Token, tokens)
	for i := range toks {
		toks[i] = lang.Token{Start: uint32(2 * i), End: uint32(2*i + 1), Kind: uint32(i%kinds) * 2654435761, Class: lang.Word, Flags: lang.Flags(i % 2)}
	}
	return text, toks
}

func TestTokensRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compare := func(text []byte, want []lang.Token) {
		t.Helper()
		file, d := stored(t, text, want)
		toks, lines, err := file.Stream(d)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(toks, want) {
			t.Fatalf("tokens = %v, want %v", toks, want)
		}
		index, line := lang.Lines(text), 1
		for i, tok := range want {
			line = max(line, index.Line(tok.Start)) // lines never decrease
			if int(lines[i]) != line {
				t.Fatalf("token %d lies on line %d, want %d", i, lines[i], line)
			}
		}
		if again := BlocksOf(toks, lines, nil); !slices.Equal(again.All(), want) || !slices.Equal(again.Lines(), lines) {
			t.Fatal("blocks of decoded tokens differ")
		}
		for _, n := range []uint32{d.Tokens - 1, d.Tokens + 1} {
			other := d
			other.Tokens = n
			if _, _, err := file.Stream(other); err == nil {
				t.Fatalf("%d tokens are decoded as %d", len(want), n)
			}
		}
		other := d
		other.tokLen--
		if _, _, err := file.Stream(other); err == nil {
			t.Fatal("a truncated stream is decoded")
		}
	}
	for range 100 {
		text := make([]byte, 100+r.IntN(1400))
		for i := range text {
			text[i] = "ab \n"[r.IntN(4)]
		}
		compare(text, randomTokens(r, len(text)))
	}
	for _, c := range [][2]int{{1, 1}, {lang.BlockTokens, 200}, {lang.BlockTokens + 1, 256}, {3*lang.BlockTokens - 1, 257}, {2 * lang.BlockTokens, 2 * lang.BlockTokens}, {70_000, 70_000}} {
		compare(manyTokens(c[0], c[1]))
	}
}

// Reading one token of a long document decodes one block of kinds and one of spans.
func TestBlocksDecodedAsRead(t *testing.T) {
	r, d := stored(t, first(manyTokens(10*lang.BlockTokens, 50)), second(manyTokens(10*lang.BlockTokens, 50)))
	bytes := 0
	s, err := r.Blocks(d, nil, func(n int) { bytes += n }, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := uint32(5*lang.BlockTokens + 7)
	for range 3 {
		if got := s.Shape(at); got.Kind != uint32(int(at)%50)*2654435761 {
			t.Errorf("kind %d", got.Kind)
		}
	}
	if bytes < lang.BlockTokens || bytes > 3*lang.BlockTokens {
		t.Errorf("one kind takes %d bytes", bytes)
	}
	if got := s.At(at); got.Start != 2*at || s.Line(at) != int(at)/2+1 {
		t.Errorf("token %+v on line %d", got, s.Line(at))
	}
	if bytes > 20*lang.BlockTokens {
		t.Errorf("one token takes %d bytes", bytes)
	}
}

func first(text []byte, _ []lang.Token) []byte        { return text }
func second(_ []byte, toks []lang.Token) []lang.Token { return toks }

// A block that cannot be read is an error in the guard around the reading. The blocks before it are unchanged.
func TestBlockDamaged(t *testing.T) {
	r, d := stored(t, first(manyTokens(3*lang.BlockTokens, 50)), second(manyTokens(3*lang.BlockTokens, 50)))
	head, err := r.tokenHead(d)
	if err != nil {
		t.Fatal(err)
	}
	b := slices.Clone(r.all)
	b[d.tokOff+head.blocks[1].at+uint64(head.blocks[1].kinds)-1] ^= 1
	damaged, err := inMemory(b)
	if err != nil {
		t.Fatal(err)
	}
	s, err := damaged.Blocks(d, nil, nil, func(err error) error { return fmt.Errorf("blamed: %w", err) })
	if err != nil {
		t.Fatal(err)
	}
	read := func(i uint32) error {
		return disk.Guard(func() error {
			s.Shape(i)
			return nil
		})
	}
	if err := read(0); err != nil {
		t.Error(err)
	}
	var corrupt *CorruptError
	if err := read(lang.BlockTokens); !errors.As(err, &corrupt) || !strings.HasPrefix(err.Error(), "blamed: ") {
		t.Errorf("damage: %v", err)
	}
	if _, _, err := damaged.Stream(d); !errors.As(err, &corrupt) {
		t.Errorf("all of it: %v", err)
	}
}

func FuzzDecodeTokens(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	text := []byte("if (a == \"b\") { // c\n\treturn `d\\`; /* e */ 1.5e-3 }\n")
	for range 4 {
		toks := randomTokens(r, len(text))
		ids := make([]uint32, len(toks))
		h := tokenHead{tokens: len(toks), shapes: number(toks, ids), blocks: make([]tokenBlock, 1)}
		head := appendHead(nil, &h, nil)
		columns, _ := appendSpans(nil, toks, make([]uint32, len(toks)), 0, 0)
		f.Add(head[4:len(head)-4], appendKinds(nil, ids, 1), columns, text, len(toks))
		f.Add(head[4:len(head)-4], appendKinds(nil, ids, 1), appendWrong(nil, text, 3, toks, 0), text, len(toks))
	}
	f.Add([]byte{0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1, 0, 0, 0, 0, 0}, []byte{0}, []byte{1}, []byte{}, 1<<32-1)
	f.Fuzz(func(t *testing.T, body, kinds, spans, text []byte, want int) {
		if want < 0 || want > 1<<31 {
			return
		}
		head := append(make([]byte, 4), body...)
		head = binary.LittleEndian.AppendUint32(head, crc(head))
		h, err := decodeHead(head, want, uint64(len(head)+18), []lang.Shape{{Kind: 1}})
		old, oldErr := decodeOldHead(head, want, uint64(len(head)+18))
		if max(len(h.shapes), len(old.shapes)) > len(body) || max(len(h.blocks), len(old.blocks)) > len(body)+1 {
			t.Fatalf("%d and %d shapes, %d and %d blocks from %d bytes", len(h.shapes), len(old.shapes), len(h.blocks), len(old.blocks), len(body))
		}
		if err != nil && oldErr == nil {
			h, err = old, nil
		}
		if err != nil { // the spans are read in any case
			h = tokenHead{tokens: min(want, lang.BlockTokens), shapes: make([]lang.Shape, 3), blocks: make([]tokenBlock, 1)}
		}
		if len(h.blocks) == 0 {
			return
		}
		n := h.length(0)
		if h.checkKinds(kinds, 0) == nil && len(kinds) != n*lang.ShapeWidth(len(h.shapes)) {
			t.Fatalf("%d bytes of kinds for %d tokens", len(kinds), n)
		}
		k, out := h.blocks[0], make([]lang.Span, n)
		if lines, err := decodeSpans(out, spans, k, uint32(len(text)), 20); err == nil {
			if n > len(spans) {
				t.Fatalf("%d spans from %d bytes", n, len(spans))
			}
			checkSpans(t, out, len(text))
			checkLines(t, out, lines, 21)
		}
		if guessSpans(out, spans, k, h.comments, text) == nil {
			checkSpans(t, out, len(text))
			checkLines(t, out, linesOf(out, text, int(k.end-k.back), k.line), k.line+newlines(text))
		}
	})
}

func checkLines(t *testing.T, spans []lang.Span, lines []uint32, most uint32) {
	t.Helper()
	if len(lines) != len(spans) {
		t.Fatalf("%d lines of %d spans", len(lines), len(spans))
	}
	if len(lines) > 0 && slices.Max(lines) > most {
		t.Fatalf("line %d of %d", slices.Max(lines), most)
	}
}

func checkSpans(t *testing.T, got []lang.Span, size int) {
	t.Helper()
	for _, s := range got {
		if s.Start > s.End || int(s.End) > size {
			t.Fatalf("span %+v lies outside", s)
		}
	}
}

// memory is a file without a disk, which makes a fuzzer faster.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

// ReadAt reads nothing at the end without an error, like a file.
func (m memory) ReadAt(b []byte, off int64) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	return m.Reader.ReadAt(b, off)
}

// inMemory opens the content of a file like Open.
func inMemory(b []byte) (*Reader, error) {
	r := &Reader{path: "memory", f: memory{bytes.NewReader(b)}, size: uint64(len(b)), all: b}
	if err := r.h.unmarshal(r.path, b); err != nil {
		return nil, err
	}
	if err := r.checkOffsets(); err != nil {
		return nil, err
	}
	r.openTables()
	return r, nil
}

// FuzzReader changes bytes of a sound file; each change is a position and a byte. It corrects the checksums if the input
// says so. With wrong checksums, a complete reading reports an error, unless another change undid the first. With right
// ones, there are errors or usable answers.
func FuzzReader(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.docs")
	write(f, path, newSample())
	sound := read(f, path)
	whole, err := inMemory(sound)
	if err != nil || use(whole) != nil {
		f.Fatal(err)
	}
	f.Add([]byte{}, true)
	f.Add([]byte{0, 8, 1}, true)
	f.Add([]byte{0x10, 0x20, 0xFF, 0x10, 0x80, 3}, false)
	for field := byte(8); field < 72; field += 8 {
		f.Add([]byte{0, field, 0xFF, 0, field + 7, 0x80}, true)
	}
	f.Fuzz(func(t *testing.T, changes []byte, sealed bool) {
		c := bytes.Clone(sound)
		for ; len(changes) >= 3; changes = changes[3:] {
			c[int(binary.BigEndian.Uint16(changes))%len(c)] = changes[2]
		}
		same := bytes.Equal(c, sound)
		if sealed {
			reseal(c)
		}
		r, err := inMemory(c)
		if err == nil {
			err = use(r)
		}
		if !sealed && (err == nil) != same {
			t.Fatalf("changed: %v, reading everything: %v", !same, err)
		}
		var corrupt *CorruptError
		var version *VersionError
		if err != nil && !errors.As(err, &corrupt) && !errors.As(err, &version) {
			t.Fatalf("an error of no type: %v", err)
		}
	})
}

func TestNameSet(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 2, 7, 100, 5000} {
		var text []byte
		var toks []lang.Token
		has := make(map[string]bool)
		for range n {
			name := fmt.Sprintf("name%d", r.IntN(1_000_000))
			has[name] = true
			toks = append(toks, lang.Token{Start: uint32(len(text)), End: uint32(len(text) + len(name)), Class: []lang.Class{lang.Identifier, lang.String, lang.Number}[r.IntN(3)]})
			text = append(append(text, name...), ' ')
		}
		var e Encoder
		set := e.names(text, toks)
		for name := range has {
			if !set.Has(model.NameHash([]byte(name))) {
				t.Fatalf("%d names: %q is missing", n, name)
			}
		}
		wrong := 0
		for i := range 10_000 {
			if set.Has(model.NameHash(fmt.Appendf(nil, "other%d", i))) {
				wrong++
			}
		}
		if wrong > 200 {
			t.Errorf("%d names: %d of 10000 others pass", n, wrong)
		}
	}
}

func TestHasName(t *testing.T) {
	for _, c := range []struct {
		class lang.Class
		n     uint32
		want  bool
	}{{lang.Identifier, 3, true}, {lang.Identifier, 2, false}, {lang.String, 5, true}, {lang.Number, 4, true}, {lang.Keyword, 6, false}, {lang.Word, 6, false}} {
		if got := HasName(lang.Token{Start: 4, End: 4 + c.n, Class: c.class}); got != c.want {
			t.Errorf("HasName(%s of %d bytes) = %v", c.class, c.n, got)
		}
	}
}

// A position is found in the same document whether its table is guessed in or sampled, at every border of the samples.
func TestSampledSearch(t *testing.T) {
	for _, docs := range []int{1, 7, 8, 9, 16, 41} {
		var s sample
		for i := range docs {
			s.texts = append(s.texts, strings.Repeat(fmt.Sprintf("word%d ", i), 1+i*i%23))
			s.licenses = append(s.licenses, "")
		}
		path := filepath.Join(t.TempDir(), "a.docs")
		write(t, path, s)
		guessing, sampling := open(t, path), open(t, path)
		sampling.searches.Store(sampledAfter)
		for pos := range guessing.Tokens() {
			if got, want := sampling.search(pos), guessing.search(pos); got != want {
				t.Fatalf("%d documents: position %d is in document %d, want %d", docs, pos, got, want)
			}
			guessing.searches.Store(0)
		}
		if sampling.begins.Load() == nil || guessing.begins.Load() != nil {
			t.Errorf("%d documents: sampled %t and %t", docs, sampling.begins.Load() != nil, guessing.begins.Load() != nil)
		}
	}
}
