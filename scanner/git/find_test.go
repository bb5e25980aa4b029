package git

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// TestFind: offsets of 31 and of 63 bits, names that differ late, and tables
// that end too early.
func TestFind(t *testing.T) {
	p := &pack{path: "p.pack", idx: idxfile.NewMemoryIndex()}
	for i := range p.idx.FanoutMapping {
		p.idx.FanoutMapping[i] = -1
	}
	p.idx.FanoutMapping[7] = 0
	var names, offsets []byte
	name := func(i int) Hash {
		h := Hash{7}
		binary.BigEndian.PutUint16(h[1:], uint16(i/3)) // threes that differ in the last byte alone
		h[19] = byte(i % 3)
		return h
	}
	const n = 300
	for i := range n {
		h := name(i)
		names = append(names, h[:]...)
		offsets = binary.BigEndian.AppendUint32(offsets, uint32(12+i))
	}
	binary.BigEndian.PutUint32(offsets[4*100:], 1<<31|1)
	binary.BigEndian.PutUint32(offsets[4*101:], 1<<31|2)
	binary.BigEndian.PutUint32(offsets[4*102:], 1<<31)
	p.idx.Names, p.idx.Offset32 = [][]byte{names}, [][]byte{offsets}
	p.idx.Offset64 = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, 1<<63), 5<<32)
	for i := range n {
		off, ok, err := p.find(name(i))
		switch want := int64(12 + i); {
		case i == 101 || i == 102:
			if bad, is := errors.AsType[*CorruptError](err); !is || ok {
				t.Errorf("%d: %d, %v, %v", i, off, ok, bad)
			}
		case i == 100 && (off != 5<<32 || !ok) || i != 100 && (off != want || !ok) || err != nil:
			t.Errorf("%d: %d, %v, %v", i, off, ok, err)
		}
	}
	p.idx.Offset32[0] = offsets[:10]
	if _, ok, err := p.find(name(2)); ok || err == nil {
		t.Error("an offset beyond the table")
	}
	for _, h := range []Hash{{8}, {7, 0xff}, {7, 0, 1, 1}, {7, 0, 0, 0, 19: 9}} {
		if _, ok, err := p.find(h); ok || err != nil {
			t.Errorf("%s: %v, %v", h, ok, err)
		}
	}
}
