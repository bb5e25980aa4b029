package git

import (
	"bytes"
	"encoding/binary"
)

// find returns where in its pack an object begins. The library's own lookup also fills a map for the way back, which
// costs more than the search.
func (p *pack) find(h Hash) (off int64, ok bool, err error) {
	bucket := p.idx.FanoutMapping[h[0]]
	if bucket < 0 || bucket >= len(p.idx.Names) {
		return 0, false, nil
	}
	names := p.idx.Names[bucket]
	want := binary.BigEndian.Uint64(h[:])
	low, high := 0, len(names)/len(h)
	for low < high {
		mid := int(uint(low+high) / 2)
		name := names[mid*len(h):][:len(h)]
		switch head := binary.BigEndian.Uint64(name); {
		case head < want:
			low = mid + 1
		case head > want:
			high = mid
		default:
			order := bytes.Compare(name, h[:])
			if order == 0 {
				off, err := p.offset(bucket, mid)
				return off, err == nil, err
			}
			if order < 0 {
				low = mid + 1
			} else {
				high = mid
			}
		}
	}
	return 0, false, nil
}

// offset reads an entry of the table of offsets, or of that of large ones it points into.
func (p *pack) offset(bucket, i int) (int64, error) {
	const large = 1 << 31
	table := p.idx.Offset32[bucket]
	if 4*i+4 > len(table) {
		return 0, &CorruptError{What: p.path, Offset: -1, Detail: "index without an offset"}
	}
	off := uint64(binary.BigEndian.Uint32(table[4*i:]))
	if off&large == 0 {
		return int64(off), nil
	}
	at := 8 * (off &^ large)
	if at+8 > uint64(len(p.idx.Offset64)) {
		return 0, &CorruptError{What: p.path, Offset: -1, Detail: "index without a large offset"}
	}
	off = binary.BigEndian.Uint64(p.idx.Offset64[at:])
	if off > 1<<62 {
		return 0, &CorruptError{What: p.path, Offset: -1, Detail: "offset in the index"}
	}
	return int64(off), nil
}
