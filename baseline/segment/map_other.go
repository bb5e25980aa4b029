//go:build !unix

package segment

func readScattered(view) {}

func willNeed(view, uint64, uint64) {}

// syncDir does nothing: directories cannot be synced here.
func syncDir(string) error { return nil }
