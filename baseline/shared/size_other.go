//go:build !unix

package shared

import "io/fs"

// allocated returns the bytes that a file takes on disk.
func allocated(in fs.FileInfo) int64 { return in.Size() }
