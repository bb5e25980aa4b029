package object

import (
	"errors"
	"fmt"
)

// TooLargeError says that an object is larger than the given limit.
type TooLargeError struct {
	Object Hash
	Size   int64
	Limit  int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("read object %s: %d bytes exceed the limit of %d", e.Object, e.Size, e.Limit)
}

// MissingObjectError says that an object is not in the repository. Partial tells that a partial clone left it out.
type MissingObjectError struct {
	Object  Hash
	Partial bool
	Remedy  string
}

func (e *MissingObjectError) Error() string {
	s := fmt.Sprintf("read object %s: not in the repository", e.Object)
	if e.Remedy != "" {
		s += ": " + e.Remedy
	}
	return s
}

// CorruptError says that something in the repository is malformed.
type CorruptError struct {
	What   string // the file or object
	Offset int64  // offset in it, -1 if there is none
	Detail string
}

func (e *CorruptError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("read %s: malformed: %s", e.What, e.Detail)
	}
	return fmt.Sprintf("read %s: malformed at offset %d: %s", e.What, e.Offset, e.Detail)
}

// IsMissing reports whether err says that an object does not exist.
func IsMissing(err error) bool {
	if err == nil {
		return false // answered without an allocation
	}
	var missing *MissingObjectError
	return errors.As(err, &missing)
}

// IsCorrupt reports whether err says that something is malformed.
func IsCorrupt(err error) bool {
	var corrupt *CorruptError
	return errors.As(err, &corrupt)
}

// TooLarge returns an error if an object is larger than a limit, nil otherwise.
func TooLarge(h Hash, size, limit int64) error {
	if size > limit {
		return &TooLargeError{Object: h, Size: size, Limit: limit}
	}
	return nil
}
