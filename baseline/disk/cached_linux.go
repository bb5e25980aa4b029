package disk

import (
	"io"

	"golang.org/x/sys/unix"
)

// readCached reads from the memory of the system. It fails if it would have to wait for the disk.
func (f *File) readCached(p []byte, off int64) (int, error) {
	part, err := allowed("read", f.f.Name(), p)
	if err != nil {
		return 0, err
	}
	n, err := unix.Preadv2(int(f.f.Fd()), [][]byte{part}, off, unix.RWF_NOWAIT)
	if err == nil && n < len(p) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
