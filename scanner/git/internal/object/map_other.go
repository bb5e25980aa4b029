//go:build !unix

package object

// withoutWaiting is of no use where no pipe lies in a directory.
const withoutWaiting = 0

// IsNotDirectory recognizes what lies below a file, for which other systems say that it does not exist.
func IsNotDirectory(error) bool { return false }
