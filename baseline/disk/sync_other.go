//go:build !unix

package disk

// withoutWaiting is needed where a directory can have pipes.
const withoutWaiting = 0

// SyncDir does nothing: directories cannot be synced here.
func SyncDir(dir string) error { return allow("sync", dir) }
