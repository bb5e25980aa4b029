//go:build !unix

package git

import "os"

// withoutWaiting is of no use where no pipe lies in a directory.
const withoutWaiting = 0

// isNotDirectory recognizes what lies below a file, for which other systems say that it does not exist.
func isNotDirectory(error) bool { return false }

// mapFile tells that packs are read, not mapped.
func mapFile(*os.File, int64) []byte { return nil }

func unmapFile([]byte) {}

func dropPages([]byte) {}
