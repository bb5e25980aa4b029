//go:build unix

package disk

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// Maps reports whether Map really maps; otherwise it reads whole files.
const Maps = true

func mapFile(f *os.File, size int64) ([]byte, error) {
	if size < 0 || size > math.MaxInt {
		return nil, fmt.Errorf("%d bytes: more than this machine can address", size)
	}
	return unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
}

func unmapFile(data []byte) error { return unix.Munmap(data) }

// GiveBack gives back the memory of a map. Later reads come from the file again, mostly from the page cache. If the
// system refuses, nothing changes.
func GiveBack(data []byte) {
	if len(data) > 0 {
		_ = unix.Madvise(data, unix.MADV_DONTNEED)
	}
}
