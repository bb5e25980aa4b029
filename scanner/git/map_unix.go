//go:build unix

package git

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// withoutWaiting opens a pipe that nobody writes to at once.
const withoutWaiting = unix.O_NONBLOCK

// isNotDirectory recognizes what lies below a file.
func isNotDirectory(err error) bool { return errors.Is(err, unix.ENOTDIR) }

// mapFile maps a whole file, nil where that cannot be done.
func mapFile(f *os.File, size int64) []byte {
	if size <= 0 || size > math.MaxInt {
		return nil
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil
	}
	return data
}

func unmapFile(data []byte) { unix.Munmap(data) } // fails only for what was never mapped

// dropPages gives the memory of a map back; what is read again comes from the file. Failing to, it stays as it is.
func dropPages(data []byte) {
	if len(data) > 0 {
		unix.Madvise(data, unix.MADV_DONTNEED)
	}
}
