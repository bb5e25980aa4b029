package disk

// Range is a range of bytes of a file.
type Range struct{ Off, Len uint64 }

// Parts is a file that can be mapped before all of it is on this machine.
type Parts interface {
	Name() string
	// Data returns the whole file. Ranges that were not fetched with Need have undefined content.
	Data() []byte
	// Need fetches ranges. It ignores parts outside the file.
	Need(rs ...Range) error
	ReadAt(p []byte, off int64) (int, error)
	Close() error
}

// UnreachableError reports that a part could not be fetched. The part may still be undamaged.
type UnreachableError struct{ Err error }

func (e *UnreachableError) Error() string { return e.Err.Error() }
func (e *UnreachableError) Unwrap() error { return e.Err }
