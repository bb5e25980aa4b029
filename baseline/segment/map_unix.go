//go:build unix

package segment

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a whole file. Reads are as scattered as hashes: read-ahead
// would only evict what is useful.
func mapFile(f *os.File, size int64) (view, error) {
	if size == 0 {
		return nil, nil
	}
	if size > math.MaxInt {
		return nil, fmt.Errorf("map %d bytes: more than this machine can address", size)
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	_ = unix.Madvise(data, unix.MADV_RANDOM) // advice: no harm if refused
	return data, nil
}

func unmapFile(data view) error {
	if data == nil {
		return nil
	}
	return unix.Munmap(data)
}

var pageMask = uint64(os.Getpagesize() - 1)

// willNeed asks for a range to be read in the background.
func willNeed(data view, off, n uint64) {
	start := off &^ pageMask
	if part, ok := data.span(start, off-start+n); ok && n > 0 {
		_ = unix.Madvise(part, unix.MADV_WILLNEED)
	}
}

// syncDir makes a rename in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
