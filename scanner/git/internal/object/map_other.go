//go:build !unix

package object

// IsNotDirectory recognises the error for a path below a file. These systems say that the path does not exist.
func IsNotDirectory(error) bool { return false }
