//go:build unix

package object

import (
	"errors"

	"golang.org/x/sys/unix"
)

// IsNotDirectory recognises the error for a path below a file.
func IsNotDirectory(err error) bool { return errors.Is(err, unix.ENOTDIR) }
