//go:build unix

package object

import (
	"errors"

	"golang.org/x/sys/unix"
)

// withoutWaiting opens a pipe that nobody writes to at once.
const withoutWaiting = unix.O_NONBLOCK

// IsNotDirectory recognizes what lies below a file.
func IsNotDirectory(err error) bool { return errors.Is(err, unix.ENOTDIR) }

// dropPages gives the memory of a map back; what is read again comes from the file. Failing to, it stays as it is.
func dropPages(data []byte) {
	if len(data) > 0 {
		unix.Madvise(data, unix.MADV_DONTNEED)
	}
}
