//go:build !unix

package disk

import (
	"fmt"
	"io"
	"math"
	"os"
)

// Maps reports whether Map really maps; otherwise it reads whole files.
const Maps = false

func mapFile(f *os.File, size int64) ([]byte, error) {
	if size < 0 || size > math.MaxInt {
		return nil, fmt.Errorf("%d bytes: more than this machine can address", size)
	}
	b := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(f, 0, size), b)
	return b, err
}

func unmapFile([]byte) error { return nil }

// GiveBack does nothing, since Map does not map here.
func GiveBack([]byte) {}
