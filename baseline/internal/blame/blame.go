// Package blame finds the cause of an error in a file of a baseline: the file is damaged, the machine could not read it, or a later
// release wrote it. Package baseline returns these errors under its own names.
package blame

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/baseline/store"
)

// CorruptError reports that a part of a baseline is damaged.
type CorruptError struct {
	Path string
	Err  error
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("baseline %q is damaged: %v", e.Path, e.Err)
}
func (e *CorruptError) Unwrap() error { return e.Err }

// ReadError reports that a baseline could not be read. It may still be undamaged.
type ReadError struct {
	Path string
	Err  error
}

func (e *ReadError) Error() string { return fmt.Sprintf("read baseline %q: %v", e.Path, e.Err) }
func (e *ReadError) Unwrap() error { return e.Err }

// NewerError reports that a file of a baseline has a version that a later release writes.
type NewerError struct {
	Path string
	Err  error
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("baseline %q was made by a later release: %v", e.Path, e.Err)
}
func (e *NewerError) Unwrap() error { return e.Err }

// On classifies an error met in a file of the baseline at path: either the baseline is damaged, or the machine could not read it.
// A missing part counts as damage.
func On(path string, err error) error {
	_, corrupt := errors.AsType[*CorruptError](err)
	_, read := errors.AsType[*ReadError](err)
	if err == nil || corrupt || read || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	_, system := errors.AsType[syscall.Errno](err)
	_, cut := errors.AsType[*disk.FaultError](err)
	_, away := errors.AsType[*disk.UnreachableError](err)
	if cut || away || system && !errors.Is(err, fs.ErrNotExist) {
		return &ReadError{path, err}
	}
	if v, ok := errors.AsType[*store.VersionError](err); ok && v.Newer() {
		return &NewerError{path, err}
	}
	return &CorruptError{path, err}
}
