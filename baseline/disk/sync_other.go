//go:build !unix

package disk

// SyncDir does nothing: directories cannot be synced here.
func SyncDir(dir string) error { return allow("sync", dir) }
