//go:build !unix

package segment

import (
	"fmt"
	"io"
	"math"
	"os"
)

// mapFile reads the whole file where there is no portable mapping.
func mapFile(f *os.File, size int64) (view, error) {
	if size > math.MaxInt {
		return nil, fmt.Errorf("read %d bytes: more than this machine can address", size)
	}
	data := make(view, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	return data, nil
}

func unmapFile(view) error { return nil }

func willNeed(view, uint64, uint64) {}

// syncDir does nothing: directories cannot be synced here.
func syncDir(string) error { return nil }
