package object

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// indexOf makes an index file of version 2.
func indexOf(names []Hash, offsets []uint32, large []uint64) []byte {
	b := []byte("\xfftOc\x00\x00\x00\x02")
	for first := range 256 {
		n := 0
		for _, h := range names {
			if int(h[0]) <= first {
				n++
			}
		}
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	for _, h := range names {
		b = append(b, h[:]...)
	}
	b = append(b, make([]byte, 4*len(names))...)
	for _, off := range offsets {
		b = binary.BigEndian.AppendUint32(b, off)
	}
	for _, off := range large {
		b = binary.BigEndian.AppendUint64(b, off)
	}
	return append(b, make([]byte, 40)...)
}

// TestFind: offsets of 31 and of 63 bits, names that are spread and names that
// differ late, so that none stands where it is looked for first.
func TestFind(t *testing.T) {
	var names []Hash
	for i := range 300 {
		h := Hash{7}
		binary.BigEndian.PutUint16(h[1:], uint16(i/3)) // threes that differ in the last byte alone
		h[19] = byte(i % 3)
		names = append(names, h)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		var h Hash
		for i := range h {
			h[i] = byte(rng.Uint32())
		}
		h[0] |= 1 // every other byte begins no name
		names = append(names, h)
	}
	slices.SortFunc(names, Compare)
	offsets := make([]uint32, len(names))
	for i := range offsets {
		offsets[i] = uint32(12 + i)
	}
	offsets[100], offsets[101], offsets[102] = 1<<31|1, 1<<31|2, 1<<31
	idx, err := newPackIndex(indexOf(names, offsets, []uint64{1 << 63, 5 << 32}))
	if err != nil {
		t.Fatal(err)
	}
	p := &pack{path: "p.pack", idx: idx}
	for i, h := range names {
		off, ok, err := p.find(h)
		switch want := int64(12 + i); {
		case i == 101 || i == 102:
			if bad, is := errors.AsType[*CorruptError](err); !is || ok {
				t.Errorf("%d: %d, %v, %v", i, off, ok, bad)
			}
		case i == 100 && (off != 5<<32 || !ok) || i != 100 && (off != want || !ok) || err != nil:
			t.Errorf("%d: %d, %v, %v", i, off, ok, err)
		}
		h[19]++
		_, there := slices.BinarySearchFunc(names, h, Compare)
		if _, ok, _ := p.find(h); ok != there && !(i >= 100 && i <= 102) {
			t.Errorf("%s: %v", h, ok)
		}
	}
	for _, h := range []Hash{{}, {8}, {7, 0xff}, {7, 0, 1, 1}, {7, 0, 0, 0, 19: 9}, Hash(bytes.Repeat([]byte{0xff}, 20))} {
		if _, ok, err := p.find(h); ok || err != nil {
			t.Errorf("%s: %v, %v", h, ok, err)
		}
	}
}

// FuzzPackIndex: an index of any bytes is refused or stays within them.
func FuzzPackIndex(f *testing.F) {
	names := []Hash{{1}, {1, 2}, {1, 2, 3}, {9}, {0xff}}
	whole := indexOf(names, []uint32{12, 1 << 31, 13, 1<<31 | 1, 14}, []uint64{1 << 40})
	f.Add(uint16(0), []byte{})
	f.Add(uint16(9), []byte{0xff})
	f.Add(uint16(1031), []byte{6})
	f.Fuzz(func(t *testing.T, at uint16, patch []byte) {
		b := slices.Clone(whole)
		copy(b[int(at)%len(b):], patch)
		for _, b := range [][]byte{b, b[:int(at)%len(b)]} {
			idx, err := newPackIndex(b)
			if err != nil {
				continue
			}
			p := &pack{path: "p.pack", idx: idx}
			for _, h := range append(names, Hash{}, Hash{1, 2, 3, 4}) {
				p.find(h)
			}
			for _, prefix := range []string{"00", "01", "ff"} {
				p.withPrefix(prefix)
			}
		}
	})
}

// TestSizeOfIndex: an index that is larger than its objects need is refused before it is read, if it cannot be mapped.
func TestSizeOfIndex(t *testing.T) {
	dir := makePack(t, []packObject{{name: Hash{1}, typ: Blob, data: []byte("x")}})
	found, err := filepath.Glob(filepath.Join(dir, "pack", "*.idx"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	for _, read := range []bool{false, true} {
		db := &DB{dirs: []string{dir}, read: read}
		if _, err := db.refresh(); err != nil || len(db.packs) != 1 {
			t.Fatalf("a sound index: %v", err)
		}
	}
	st, err := os.Stat(found[0])
	if err == nil {
		err = os.Truncate(found[0], st.Size()+1<<32) // a hole that takes no space
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, read := range []bool{false, true} {
		db := &DB{dirs: []string{dir}, read: read}
		if _, err := db.refresh(); !errors.Is(err, errIndex) {
			t.Errorf("read: %v: %v", read, err)
		}
	}
	if b, err := readIndex(found[0], st.Size()+1<<32); err != nil || len(b) != indexHead {
		t.Errorf("%d bytes are read, %v", len(b), err)
	}
}
