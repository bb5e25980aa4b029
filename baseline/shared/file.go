package shared

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// haveSize is the size of a chunk's entry in the list, in bytes.
const haveSize = 8

// File is an open object and a disk.Parts. Safe for concurrent use, but Close must be the last call.
type File struct {
	object Object
	remote *Remote
	chunk  int64
	f      *disk.File // sparse
	data   []byte     // f, mapped
	have   *disk.File
	listed []byte          // have, mapped
	seen   []atomic.Uint64 // a bit for each chunk that this program has found here and checked
	users  int             // guarded by the remote's mutex

	// chunks received but not yet written; used only by the goroutine that asks the store
	first    int // number of the first chunk
	pending  []byte
	checksum []byte // their entries in the list
}

// Name returns the path of the cache file.
func (f *File) Name() string { return f.f.Name() }

// Size returns the object's size.
func (f *File) Size() (int64, error) { return f.object.Size, nil }

// Data returns the whole object. Ranges that were not fetched with Need have undefined content.
func (f *File) Data() []byte { return f.data }

// Close unmaps the file when the last user closes it. Fetched chunks stay in the cache.
func (f *File) Close() error {
	if !f.remote.left(f) {
		return nil
	}
	err := disk.Unmap(f.data)
	disk.Unmap(f.listed)
	f.f.Close() // written chunks can be fetched again
	f.have.Close()
	f.data, f.listed = nil, nil
	return err
}

// chunks returns the number of chunks of an object.
func chunks(o Object, chunk int64) int64 { return (o.Size + chunk - 1) / chunk }

// Need fetches ranges of the object.
func (f *File) Need(rs ...disk.Range) error {
	var missing []int
	size := uint64(f.object.Size)
	for _, r := range rs {
		if r.Off >= size || r.Len == 0 {
			continue
		}
		last := (r.Off + min(r.Len, size-r.Off) - 1) / uint64(f.chunk)
		for i := r.Off / uint64(f.chunk); i <= last; i++ {
			if !f.has(i) && !f.ready(int(i)) {
				missing = append(missing, int(i))
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return f.remote.fetch(f, missing)
}

// has reports whether this program has already checked that a chunk is here.
func (f *File) has(i uint64) bool { return f.seen[i>>6].Load()>>(i&63)&1 == 1 }

// ready reports whether a chunk is here with the right checksum.
func (f *File) ready(i int) bool {
	if f.has(uint64(i)) {
		return true
	}
	whole := false
	err := disk.Guard(func() error {
		is := binary.LittleEndian.Uint64(f.listed[i*haveSize:])
		whole = is == entry(f.span(i))
		return nil
	})
	if err != nil || !whole {
		return false
	}
	f.seen[i>>6].Or(1 << (i & 63))
	return true
}

// entry returns the entry of a chunk in the list.
func entry(data []byte) uint64 { return 1<<32 | uint64(crc32.Checksum(data, castagnoli)) }

// span returns the bytes of a chunk in the mapped file.
func (f *File) span(i int) []byte {
	from := int64(i) * f.chunk
	return f.data[from:min(from+f.chunk, f.object.Size)]
}

// maxPending bounds the bytes that are written at once.
const maxPending = 256 << 10

// put stores a chunk, together with the chunks before it if they are consecutive.
func (f *File) put(i int, data []byte) error {
	if want := len(f.span(i)); len(data) != want {
		return fmt.Errorf("chunk %d of %q has %d bytes, want %d", i, f.object.Name, len(data), want)
	}
	if n := len(f.checksum) / haveSize; n > 0 && (i != f.first+n || len(f.pending) >= maxPending) {
		if err := f.flush(); err != nil {
			return err
		}
	}
	if len(f.checksum) == 0 {
		f.first = i
	}
	f.pending = append(f.pending, data...)
	f.checksum = binary.LittleEndian.AppendUint64(f.checksum, entry(data))
	return nil
}

// flush writes the pending chunks: first the data, then their entries in the list.
func (f *File) flush() error {
	data, list := f.pending, f.checksum
	f.pending, f.checksum = data[:0], list[:0]
	if len(list) == 0 {
		return nil
	}
	if _, err := f.f.WriteAt(data, int64(f.first)*f.chunk); err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	if _, err := f.have.WriteAt(list, int64(f.first)*haveSize); err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	if !disk.Maps { // data and listed are copies, not maps
		copy(f.data[int64(f.first)*f.chunk:], data)
		copy(f.listed[f.first*haveSize:], list)
	}
	return nil
}

// ReadAt reads from the object.
func (f *File) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 || off >= f.object.Size {
		return 0, io.EOF
	}
	if err := f.Need(disk.Range{Off: uint64(off), Len: uint64(len(p))}); err != nil {
		return 0, err
	}
	err = disk.Guard(func() error {
		n = copy(p, f.data[off:])
		return nil
	})
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}
