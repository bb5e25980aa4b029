//go:build !unix

package git

// withoutWaiting is of no use where no pipe lies in a directory.
const withoutWaiting = 0

// isNotDirectory recognizes what lies below a file, for which other systems say that it does not exist.
func isNotDirectory(error) bool { return false }

func dropPages([]byte) {}
