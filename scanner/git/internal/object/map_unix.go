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
