package disk

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"unsafe"
)

// A FaultError reports that a mapped part of a file could not be read. The file was cut short after it was opened, or
// its device failed.
type FaultError struct {
	Path string
	Size int64 // size of the file when it was mapped
	Now  int64 // size of the file that now has the path; -1 if there is none
}

func (e *FaultError) Error() string {
	switch {
	case e.Now < 0:
		return fmt.Sprintf("read %q: a part that was mapped cannot be read, and the file is gone", e.Path)
	case e.Now < e.Size:
		return fmt.Sprintf("read %q: the file was cut from %d to %d bytes while it was in use", e.Path, e.Size, e.Now)
	}
	return fmt.Sprintf("read %q: input/output error in a mapped part", e.Path)
}

// Cut returns the error for a file that is shorter than when it was opened.
func Cut(path string, size int64) *FaultError {
	e := &FaultError{Path: path, Size: size, Now: -1}
	if st, err := os.Stat(path); err == nil {
		e.Now = st.Size()
	}
	return e
}

// mapping has the path and size that a fault in it must report.
type mapping struct {
	path string
	size int64
}

var (
	mappingsMu sync.Mutex
	mappings   = map[uintptr]mapping{} // by first address
)

// Map maps the first size bytes of a file for reading. If the system cannot map, Map reads them into memory. Read them
// within a Guard, and release them with Unmap.
func Map(f *os.File, size int64) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	data, err := mapFile(f, size)
	if err != nil {
		return nil, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	mappingsMu.Lock()
	defer mappingsMu.Unlock()
	mappings[address(data)] = mapping{f.Name(), size}
	return data, nil
}

// Unmap releases what Map returned.
func Unmap(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	mappingsMu.Lock()
	delete(mappings, address(data)) // before unmapping, since the address may be reused
	mappingsMu.Unlock()
	return unmapFile(data)
}

func address(data []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(data))) }

// Guard runs read, which reads mapped files. A fault in one of them is returned as a *FaultError and does not end the
// program. Guard covers only the goroutine that calls it, not those that read starts. Guards can be nested. A guard
// costs some nanoseconds, so put it around a loop and not inside it. read must hold no lock when it may fault, since a
// panic leaves it. A panic with a Failure is returned as its error.
func Guard(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			if err = fault(r); err == nil {
				panic(r) // the panic has another cause
			}
		}
	}()
	return read()
}

// Failure is a panic value for readers that are called too often to return errors.
type Failure struct{ Err error }

// fault returns the error for a panic value, or nil if the panic has another cause.
func fault(r any) error {
	if f, ok := r.(Failure); ok {
		return f.Err
	}
	at, ok := r.(interface{ Addr() uintptr }) // made by the runtime after debug.SetPanicOnFault
	if !ok {
		return nil
	}
	mappingsMu.Lock()
	defer mappingsMu.Unlock()
	for first, m := range mappings {
		if addr := at.Addr(); addr >= first && addr-first < uintptr(m.size) {
			return Cut(m.path, m.size)
		}
	}
	return nil
}
