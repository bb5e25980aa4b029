package disk

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"unsafe"
)

// A FaultError says that a mapped part of a file could not be read: somebody
// cut the file short after it was opened, or its device failed.
type FaultError struct {
	Path string
	Size int64 // of the file when it was mapped
	Now  int64 // of the file that has the path now; -1 when there is none
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

// Cut is the error for a file that ends before the size it had when it was opened.
func Cut(path string, size int64) *FaultError {
	e := &FaultError{Path: path, Size: size, Now: -1}
	if st, err := os.Stat(path); err == nil {
		e.Now = st.Size()
	}
	return e
}

// mapping is what a fault has to be explained by.
type mapping struct {
	path string
	size int64
}

var (
	mappingsMu sync.Mutex
	mappings   = map[uintptr]mapping{} // by first address
)

// Map maps the first size bytes of a file for reading. Where the system has no
// maps, it reads them. Reads belong into a Guard; Unmap ends them.
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
	delete(mappings, address(data)) // first: the address may be given out again
	mappingsMu.Unlock()
	return unmapFile(data)
}

func address(data []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(data))) }

// Guard runs read, which reads mapped files. A fault in one of them is returned
// as a *FaultError instead of ending the program. It holds for the goroutine
// that calls it and not for those read starts. Guards nest. One costs some
// nanoseconds, so it belongs around a loop and not into it. read must hold no
// lock when it may fault, as it is left by a panic. A panic with a Failure is
// returned as its error.
func Guard(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			if err = fault(r); err == nil {
				panic(r) // not about a mapped file
			}
		}
	}()
	return read()
}

// Failure is what a reader panics with that is asked too often to return errors.
type Failure struct{ Err error }

// fault returns the error that a panic stands for, nil if it is another one.
func fault(r any) error {
	if f, ok := r.(Failure); ok {
		return f.Err
	}
	at, ok := r.(interface{ Addr() uintptr }) // of the runtime, by debug.SetPanicOnFault
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
