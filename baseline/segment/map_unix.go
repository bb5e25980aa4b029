//go:build unix

package segment

import (
	"os"

	"golang.org/x/sys/unix"
)

// readScattered says that reads are as scattered as hashes: read-ahead would
// only evict what is useful.
func readScattered(data view) {
	if len(data) > 0 {
		_ = unix.Madvise(data, unix.MADV_RANDOM) // advice: no harm if refused
	}
}

var pageMask = uint64(os.Getpagesize() - 1)

// willNeed asks for a range to be read in the background.
func willNeed(data view, off, n uint64) {
	start := off &^ pageMask
	if part, ok := data.span(start, off-start+n); ok && n > 0 {
		_ = unix.Madvise(part, unix.MADV_WILLNEED)
	}
}
