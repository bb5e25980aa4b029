package disk

// Range is a stretch of a file.
type Range struct{ Off, Len uint64 }

// Parts is a file that can be mapped before all of it is on this machine.
type Parts interface {
	Name() string
	// Data is the whole file. What was not asked for by Need holds anything.
	Data() []byte
	// Need brings stretches here. What lies outside of the file is left out.
	Need(rs ...Range) error
	ReadAt(p []byte, off int64) (int, error)
	Close() error
}

// UnreachableError says that a part could not be brought here, which says nothing of
// whether it is sound.
type UnreachableError struct{ Err error }

func (e *UnreachableError) Error() string { return e.Err.Error() }
func (e *UnreachableError) Unwrap() error { return e.Err }
