//go:build unix

package segment

import (
	"os"

	"golang.org/x/sys/unix"
)

// readScattered tells the system that reads are as scattered as hashes. Read-ahead would only evict useful pages.
func readScattered(data view) {
	if len(data) > 0 {
		_ = unix.Madvise(data, unix.MADV_RANDOM) // this is only advice: a refusal does no harm
	}
}

var pageMask = uint64(os.Getpagesize() - 1)

// willNeed asks the system to read a range in the background.
func willNeed(data view, off, n uint64) {
	start := off &^ pageMask
	if part, ok := data.span(start, off-start+n); ok && n > 0 {
		_ = unix.Madvise(part, unix.MADV_WILLNEED)
	}
}
