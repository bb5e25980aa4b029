//go:build !linux

package disk

import "errors"

// readNow is not supported.
func (*File) readNow([]byte, int64) error { return errors.ErrUnsupported }
