package model

import (
	"encoding/binary"
	"math/bits"
)

// table maps the hash of an n-gram or a name to its level. It is asked as it lies in the file:
//
//	uvarint number of entries; if there are any:
//	  u8 width: the first bits of a hash choose its bucket
//	  u32 for each bucket: entries before it; once more all entries
//	  u32 for each entry, ascending by hash: the bits of the hash behind the first, 24 with zeros behind them; 8 bits units, see level
//
// Hashes are spread evenly, so that a bucket has few entries. Numbers that are not uvarint are little-endian.
type table struct {
	width   uint8
	starts  []byte
	entries []byte
}

const (
	perBucket = 8 // entries, about
	minWidth  = 8 // so that the rest of a hash has 24 bits
	maxWidth  = 24
)

// entry is a hash and its level.
type entry struct {
	hash  uint32
	level uint8
}

// pack makes a table of entries that ascend by hash.
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

// append writes the table.
func (t *table) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(t.len()))
	if t.len() == 0 {
		return b
	}
	b = append(b, t.width)
	b = append(b, t.starts...)
	return append(b, t.entries...)
}

// table takes one off. Its entries are not looked at: they may be wrong, but harm nobody.
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

// bucket is where the entries lie that a hash may be among: from, and in the upper half behind.
type bucket uint64

// bucket returns that of a hash. The table has entries.
func (t *table) bucket(h uint32) bucket {
	return bucket(binary.LittleEndian.Uint64(t.starts[4*(h>>(32-t.width)):]))
}

// in returns the level of a hash, 0 for none, that would be in this bucket.
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

// get returns the level of a hash, 0 for none.
func (t *table) get(h uint32) uint8 {
	if t.len() == 0 {
		return 0
	}
	return t.in(t.bucket(h), h)
}

// all returns the entries. It fails if the table is none that pack made.
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
