package object

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// packIndex says at which offsets of a pack objects begin. It has the names in order, divided by their first byte, and
// the offsets. Offsets beyond 31 bits are in a table of their own. Like git, it does not verify the index's checksum,
// since that would read the whole file, of which otherwise only a few places are read. Every access is within the bounds
// that newPackIndex measured.
type packIndex struct {
	fanout, names, offsets, large []byte
}

// ErrIndexVersion is the error for a pack index that git can read and this package cannot.
var ErrIndexVersion = errors.New("version 1 of a pack index")

var errIndex = errors.New("malformed pack index")

// Sizes of the parts of an index, in bytes.
const (
	indexHead    = 8 + 256*4
	indexTrailer = 2 * len(Hash{})     // checksums of the pack and of the index
	indexObject  = len(Hash{}) + 4 + 4 // name, checksum, offset
	indexLarge   = 8                   // an offset beyond 31 bits
)

// newPackIndex divides a file of version 2 into its tables.
func newPackIndex(b []byte) (packIndex, error) {
	if !bytes.HasPrefix(b, []byte("\xfftOc")) {
		return packIndex{}, ErrIndexVersion // git stopped writing it in 2007
	}
	if len(b) < indexHead+indexTrailer || binary.BigEndian.Uint32(b[4:]) != 2 {
		return packIndex{}, errIndex
	}
	x := packIndex{fanout: b[8:indexHead]}
	n, before := 0, 0
	for i := range 256 {
		if n = x.upTo(i); n < before {
			return packIndex{}, errIndex
		}
		before = n
	}
	b = b[indexHead : len(b)-indexTrailer]
	if large := len(b) - n*indexObject; large < 0 || large%indexLarge != 0 || large/indexLarge > n {
		return packIndex{}, errIndex
	}
	x.names, b = b[:n*len(Hash{})], b[n*(len(Hash{})+4):] // between them are checksums of the packed bytes
	x.offsets, x.large = b[:4*n], b[4*n:]
	return x, nil
}

// upTo returns how many names begin with a byte of at most first.
func (x *packIndex) upTo(first int) int { return int(binary.BigEndian.Uint32(x.fanout[4*first:])) }

// bucket returns the range of names that begin with a byte.
func (x *packIndex) bucket(first byte) (low, high int) {
	if first > 0 {
		low = x.upTo(int(first) - 1)
	}
	return low, x.upTo(int(first))
}

func (x *packIndex) name(i int) []byte { return x.names[i*len(Hash{}):][:len(Hash{})] }

// before reports whether the name at i comes before h.
func (x *packIndex) before(i int, h *Hash, head uint64) bool {
	name := x.name(i)
	if v := binary.BigEndian.Uint64(name); v != head {
		return v < head
	}
	return bytes.Compare(name, h[:]) < 0
}

// search returns the index of h, or where it would be inserted. Names are spread evenly, so the search begins at the
// expected index. It continues one by one, since most names are found within eight, then in doubled steps. So names that
// are not spread cost at most two binary searches.
func (x *packIndex) search(h *Hash) int {
	low, high := x.bucket(h[0])
	if low == high {
		return low
	}
	head := binary.BigEndian.Uint64(h[:])
	at := low + int(uint64(high-low)*(head<<8>>32)>>32)
	if x.before(at, h, head) {
		low = at + 1
		for step, tries := 1, 1; low+step <= high; tries++ {
			if !x.before(low+step-1, h, head) {
				high = low + step - 1
				break
			}
			if low += step; tries >= 8 {
				step *= 2
			}
		}
	} else {
		high = at
		for step, tries := 1, 1; low+step <= high; tries++ {
			if x.before(high-step, h, head) {
				low = high - step + 1
				break
			}
			if high -= step; tries >= 8 {
				step *= 2
			}
		}
	}
	for low < high {
		if mid := int(uint(low+high) / 2); x.before(mid, h, head) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// find returns the offset in the pack at which an object begins.
func (p *pack) find(h Hash) (off int64, ok bool, err error) {
	i := p.idx.search(&h)
	if _, high := p.idx.bucket(h[0]); i >= high || Hash(p.idx.name(i)) != h {
		return 0, false, nil
	}
	off, err = p.offset(i)
	return off, err == nil, err
}

// offset reads an entry of the table of offsets, or the entry of the table of large ones that it points to.
func (p *pack) offset(i int) (int64, error) {
	const large = 1 << 31
	off := uint64(binary.BigEndian.Uint32(p.idx.offsets[4*i:]))
	if off&large == 0 {
		return int64(off), nil
	}
	at := 8 * (off &^ large)
	if at+8 > uint64(len(p.idx.large)) {
		return 0, &CorruptError{What: p.path, Offset: -1, Detail: "index without a large offset"}
	}
	off = binary.BigEndian.Uint64(p.idx.large[at:])
	if off > 1<<62 {
		return 0, &CorruptError{What: p.path, Offset: -1, Detail: "offset in the index"}
	}
	return int64(off), nil
}
