//go:build !linux

package disk

import "errors"

// readCached fails, since this system does not report which parts are in memory.
func (f *File) readCached([]byte, int64) (int, error) { return 0, errors.ErrUnsupported }
