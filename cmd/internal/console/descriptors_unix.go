//go:build unix

package console

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// leastFiles is how many files a run may have open, at least: with fewer the Go
// runtime ends the program when it starts to poll, instead of returning an error.
const leastFiles = 16

// LimitError says that the system allows too few open files to begin with.
type LimitError struct {
	allowed int
	err     error
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("at most %d more files can be opened, and %d are needed: %v", e.allowed, leastFiles, e.err)
}
func (e *LimitError) Unwrap() error { return e.err }

// EnoughFiles tries whether so many files can be open. It duplicates a descriptor,
// since that starts nothing in the runtime.
func EnoughFiles() error {
	var open []int
	defer func() {
		for _, fd := range open {
			unix.Close(fd)
		}
	}()
	for n := range leastFiles {
		fd, err := unix.FcntlInt(2, unix.F_DUPFD_CLOEXEC, 3)
		if err == unix.EBADF { // started without stderr: there is nothing to duplicate
			return nil
		}
		if err != nil {
			return &LimitError{n, unix.EMFILE}
		}
		open = append(open, fd)
	}
	return nil
}
