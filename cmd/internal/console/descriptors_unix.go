//go:build unix

package console

import (
	"context"
	"fmt"
	"io"
	"syscall"

	"golang.org/x/sys/unix"
)

// leastFiles is the number of files that a run must be able to open. With fewer the Go runtime ends the program when it
// starts to poll, instead of returning an error.
const leastFiles = 16

// LimitError says that the system allows too few open files.
type LimitError struct {
	allowed int
	err     error
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("at most %d more files can be opened, and %d are needed: %v", e.allowed, leastFiles, e.err)
}
func (e *LimitError) Unwrap() error { return e.err }

// EnoughFiles checks that enough files can be opened. It duplicates a descriptor, which starts nothing in the runtime.
func EnoughFiles() error {
	var open []int
	defer func() {
		for _, fd := range open {
			unix.Close(fd)
		}
	}()
	for n := range leastFiles {
		fd, err := unix.FcntlInt(2, unix.F_DUPFD_CLOEXEC, 3)
		if err == unix.EBADF { // the program was started without stderr: there is no descriptor to duplicate
			return nil
		}
		if err != nil {
			return &LimitError{n, unix.EMFILE}
		}
		open = append(open, fd)
	}
	return nil
}

// askEvery is how long one call waits for the reader of a pipe to leave, in milliseconds.
const askEvery = 250

// WhileRead returns a context that ends when nobody can read w any more: the other end of its pipe or socket is closed. Other outputs are
// read as long as ctx lasts.
func WhileRead(ctx context.Context, w io.Writer) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	f, ok := w.(syscall.Conn)
	if !ok {
		return ctx, cancel
	}
	c, err := f.SyscallConn()
	if err != nil {
		return ctx, cancel
	}
	go func() {
		for watching := true; watching && ctx.Err() == nil; {
			err := c.Control(func(fd uintptr) {
				out := []unix.PollFd{{Fd: int32(fd)}} // no events: poll always reports errors and the end of the connection
				n, err := unix.Poll(out, askEvery)
				watching = n == 0 || err == unix.EINTR
				if err == nil && out[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
					cancel()
				}
			})
			watching = watching && err == nil
		}
	}()
	return ctx, cancel
}
