//go:build unix

package shared

import (
	"io/fs"
	"syscall"
)

// allocated returns the bytes that a file takes on disk: less than its size if it has holes.
func allocated(in fs.FileInfo) int64 {
	if st, ok := in.Sys().(*syscall.Stat_t); ok {
		return int64(st.Blocks) * 512
	}
	return in.Size()
}
