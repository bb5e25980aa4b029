//go:build unix

package object

import (
	"errors"

	"golang.org/x/sys/unix"
)

// withoutWaiting makes opening a pipe return at once, even if nobody writes to it.
const withoutWaiting = unix.O_NONBLOCK

// IsNotDirectory recognises the error for a path below a file.
func IsNotDirectory(err error) bool { return errors.Is(err, unix.ENOTDIR) }
