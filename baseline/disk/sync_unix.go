//go:build unix

package disk

import (
	"os"
	"syscall"
)

// withoutWaiting makes opening a pipe return at once, even if nobody writes to it.
const withoutWaiting = syscall.O_NONBLOCK

// SyncDir makes renames and removals in a directory durable.
func SyncDir(dir string) error {
	if err := allow("sync", dir); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
