package model

import (
	"encoding/binary"
	"math/bits"
)

// table maps the hash of an n-gram or a name to its level. It is queried as stored in the file:
//
//	uvarint number of entries; if there are any:
//	  u8 width: the first bits of a hash choose its bucket
//	  u32 for each bucket: entries before it; then the number of all entries
//	  u32 for each entry, ascending by hash: the bits of the hash after the first, 24 with zeros after them; 8 bits units, see level
//
// Hashes are spread evenly, so each bucket has few entries. Numbers that are not uvarint are little-endian.
type table struct {
	width   uint8
	starts  []byte
	entries []byte
}

const (
	perBucket = 8 // approximate number of entries
	minWidth  = 8 // so that the rest of a hash fits in 24 bits
	maxWidth  = 24
)

// entry is a hash and its level.
type entry struct {
	hash  uint32
	level uint8
}

// pack makes a table of entries in ascending order of hash.
func pack(es []entry) table {
	if len(es) == 0 {
		return table{}
	}
	width := max(minWidth, min(maxWidth, bits.Len(uint(len(es)/perBucket))))
	t := table{width: uint8(width), starts: make([]byte, 0, startBytes(width)), entries: make([]byte, 0, 4*len(es))}
	for i, e := range es {
		for len(t.starts) <= 4*int(e.hash>>(32-width)) {
			t.starts = binary.LittleEndian.AppendUint32(t.starts, uint32(i))
		}
		t.entries = binary.LittleEndian.AppendUint32(t.entries, e.hash<<width&^0xff|uint32(e.level))
	}
	for len(t.starts) < startBytes(width) {
		t.starts = binary.LittleEndian.AppendUint32(t.starts, uint32(len(es)))
	}
	return t
}

func startBytes(width int) int { return 4 * (1<<width + 1) }

func (t *table) len() int { return len(t.entries) / 4 }

// append appends the table in its file format.
func (t *table) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(t.len()))
	if t.len() == 0 {
		return b
	}
	b = append(b, t.width)
	b = append(b, t.starts...)
	return append(b, t.entries...)
}

// table reads a table. It does not check the entries: wrong ones do no harm.
func (r *reader) table() (t table) {
	n := r.number()
	if r.bad || n == 0 {
		return t
	}
	if n > uint64(len(r.b))/4 || r.b[0] < minWidth || r.b[0] > maxWidth {
		r.b, r.bad = nil, true
		return t
	}
	t.width = r.take(1)[0]
	t.starts, t.entries = r.take(uint64(startBytes(int(t.width)))), r.take(4*n)
	return t
}

// bucket is a range of entries: the first in the lower half, the end in the upper half.
type bucket uint64

// bucket returns the bucket of a hash. The table must not be empty.
func (t *table) bucket(h uint32) bucket {
	return bucket(binary.LittleEndian.Uint64(t.starts[4*(h>>(32-t.width)):]))
}

// in returns the level of a hash within its bucket, or 0.
func (t *table) in(b bucket, h uint32) uint8 {
	rest := h << t.width >> 8
	for at, behind := int(uint32(b)), min(int(b>>32), t.len()); at < behind; at++ {
		if e := binary.LittleEndian.Uint32(t.entries[4*at:]); e>>8 >= rest {
			if e>>8 == rest {
				return uint8(e)
			}
			break
		}
	}
	return 0
}

// get returns the level of a hash, or 0.
func (t *table) get(h uint32) uint8 {
	if t.len() == 0 {
		return 0
	}
	return t.in(t.bucket(h), h)
}

// all returns the entries. ok is false if pack cannot have made the table.
func (t *table) all() (es []entry, ok bool) {
	if t.len() == 0 {
		return nil, true
	}
	es = make([]entry, 0, t.len())
	for b := range 1 << t.width {
		first := uint32(b) << (32 - t.width)
		lies := t.bucket(first)
		from, behind := int(uint32(lies)), int(lies>>32)
		if from != len(es) || behind < from || behind > t.len() {
			return nil, false
		}
		for ; from < behind; from++ {
			v := binary.LittleEndian.Uint32(t.entries[4*from:])
			e := entry{first | v&^0xff>>t.width, uint8(v)}
			if e.level == 0 || e.hash<<t.width&^0xff != v&^0xff || len(es) > 0 && e.hash <= es[len(es)-1].hash {
				return nil, false
			}
			es = append(es, e)
		}
	}
	return es, len(es) == t.len()
}
