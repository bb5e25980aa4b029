//go:build !unix

package object

// withoutWaiting has no effect on systems where directories contain no pipes.
const withoutWaiting = 0

// IsNotDirectory recognises the error for a path below a file. These systems say that the path does not exist.
func IsNotDirectory(error) bool { return false }
