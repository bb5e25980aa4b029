//go:build !unix

package git

import "os"

// mapFile tells that packs are read, not mapped.
func mapFile(*os.File, int64) []byte { return nil }

func unmapFile([]byte) {}

func dropPages([]byte) {}
