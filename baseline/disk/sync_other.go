//go:build !unix

package disk

// withoutWaiting has no effect on systems where directories contain no pipes.
const withoutWaiting = 0

// SyncDir does nothing: directories cannot be synced here.
func SyncDir(dir string) error { return allow("sync", dir) }
