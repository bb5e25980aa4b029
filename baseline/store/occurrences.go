package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"sort"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// Occurrences calls fn for each occurrence of the content, in the table's order.
func (r *Reader) Occurrences(h Hash, fn func(Occurrence)) error {
	return disk.Guard(func() error { return r.occurrencesOf(h, fn) })
}

func (r *Reader) occurrencesOf(h Hash, fn func(Occurrence)) error {
	n := r.Occs()
	if err := r.needAround(h); err != nil {
		return err
	}
	var bad error
	i, _ := sort.Find(n, func(i int) int {
		bad = cmp.Or(bad, r.checkOcc(i))
		return bytes.Compare(h[:], r.occs[i*occSize:][:32])
	})
	if bad != nil {
		return bad
	}
	for ; i < n; i++ {
		o, err := r.Occurrence(i)
		if err != nil {
			return err
		}
		if o.Hash != h {
			return nil
		}
		fn(o)
	}
	return nil
}

// needAround fetches the part of the table where the occurrences of a content are expected, since hashes are spread
// evenly. Without it, a search would fetch the table piece by piece.
func (r *Reader) needAround(h Hash) error {
	if r.parts == nil {
		return nil
	}
	n := r.h.occs
	at, _ := bits.Mul64(binary.BigEndian.Uint64(h[:]), n)
	slack := 2*uint64(math.Sqrt(float64(n))) + 8
	from, to := at-min(at, slack), min(n, at+slack)
	return r.need(disk.Range{Off: r.h.occOff + from*occSize, Len: (to - from) * occSize})
}

// AllOccurrences calls fn for each occurrence in the table's order.
func (r *Reader) AllOccurrences(fn func(Occurrence)) error {
	return disk.Guard(func() error { return r.allOccurrences(fn) })
}

func (r *Reader) allOccurrences(fn func(Occurrence)) error {
	if err := r.FetchTables(); err != nil {
		return err
	}
	for i := range r.Occs() {
		o, err := r.Occurrence(i)
		if err != nil {
			return err
		}
		fn(o)
	}
	return nil
}

// Occs returns the number of occurrences in the file.
func (r *Reader) Occs() int { return int(r.h.occs) }

// Occurrence returns the i-th occurrence in the table's order. It reads a mapped file, so call it within a disk.Guard.
// The same holds for Occurs and Path.
func (r *Reader) Occurrence(i int) (o Occurrence, err error) {
	if o.Hash, o.Package, err = r.Occurs(i); err != nil {
		return o, err
	}
	path, err := r.Path(i)
	o.Path = string(path)
	return o, err
}

// Occurs returns the content of the i-th occurrence and the package that has it.
func (r *Reader) Occurs(i int) (h Hash, pkg uint32, err error) {
	if err := r.checkOcc(i); err != nil {
		return h, 0, err
	}
	n, err := r.PackageCount()
	if err != nil {
		return h, 0, err
	}
	b := r.occs[i*occSize:][:occSize]
	if pkg = binary.LittleEndian.Uint32(b[32:]); int(pkg) >= n {
		return h, 0, &CorruptError{r.path, "occurrences", errTruncated}
	}
	return Hash(b[:32]), pkg, nil
}

// Path returns the path of the i-th occurrence, valid until Close.
func (r *Reader) Path(i int) ([]byte, error) {
	if err := r.checkOcc(i); err != nil {
		return nil, err
	}
	b := r.occs[i*occSize:][:occSize]
	off, n := binary.LittleEndian.Uint64(b[36:]), uint64(binary.LittleEndian.Uint32(b[44:]))
	if off > uint64(len(r.strs)) || n > uint64(len(r.strs))-off {
		return nil, &CorruptError{r.path, "occurrences", errTruncated}
	}
	path := r.strs[off : off+n]
	if err := r.need(disk.Range{Off: r.h.strOff + off, Len: n}); err != nil {
		return nil, err
	}
	if crc32.Checksum(path, castagnoli) != binary.LittleEndian.Uint32(b[occSize-8:]) {
		return nil, &CorruptError{r.path, fmt.Sprintf("path of occurrence %d", i), errChecksum}
	}
	return path, nil
}
