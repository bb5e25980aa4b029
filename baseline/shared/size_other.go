//go:build !unix

package shared

import "io/fs"

// allocated is what a file takes on disk.
func allocated(in fs.FileInfo) int64 { return in.Size() }
