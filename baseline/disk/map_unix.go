//go:build unix

package disk

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// Maps tells that Map maps, and does not read whole files.
const Maps = true

func mapFile(f *os.File, size int64) ([]byte, error) {
	if size < 0 || size > math.MaxInt {
		return nil, fmt.Errorf("%d bytes: more than this machine can address", size)
	}
	return unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
}

func unmapFile(data []byte) error { return unix.Munmap(data) }

// GiveBack gives the memory of a map back; what is read again comes from the file, mostly out of the page cache. A system
// that refuses leaves it as it is.
func GiveBack(data []byte) {
	if len(data) > 0 {
		_ = unix.Madvise(data, unix.MADV_DONTNEED)
	}
}
