package disk

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
)

// A Call is an operation that is about to be done on a file or directory.
type Call struct {
	Op   string // open, create, read, write, sync, close, map, rename, remove, list, mkdir, chmod
	Path string
	Size int // bytes to read or write
}

// before is called ahead of each operation; it is nil in the program. Only tests set it, to inject faults between a baseline
// and its disk. So no interface for a file layer has to pass through every package above.
var before atomic.Pointer[func(Call) (most int, err error)]

// Intercept makes f run ahead of each call until restore is called. If f returns an error, the call is not made, but a read
// or write still moves the number of bytes given by most. If f returns no error, most limits the bytes of a read, and a read
// at an offset then reports the end of the file.
func Intercept(f func(Call) (most int, err error)) (restore func()) {
	old := before.Swap(&f)
	return func() { before.Store(old) }
}

// allow returns the error that the interceptor has for an operation.
func allow(op, path string) error {
	f := before.Load()
	if f == nil {
		return nil
	}
	if _, err := (*f)(Call{op, path, 0}); err != nil {
		return &fs.PathError{Op: op, Path: path, Err: err}
	}
	return nil
}

// allowed is allow for a read or write. It returns the part of p that may be moved.
func allowed(op, path string, p []byte) ([]byte, error) {
	f := before.Load()
	if f == nil {
		return p, nil
	}
	most, err := (*f)(Call{op, path, len(p)})
	if err != nil {
		err = &fs.PathError{Op: op, Path: path, Err: err}
	}
	return p[:min(most, len(p))], err
}

// File is an open file.
type File struct{ f *os.File }

// Open is OpenRegular.
func Open(path string) (*File, error) {
	if err := allow("open", path); err != nil {
		return nil, err
	}
	f, _, err := OpenRegular(path, os.Stat, os.OpenFile)
	return opened(f, err)
}

// Create opens a file for reading and writing. Flags are added to O_CREATE.
func Create(path string, flags int, perm fs.FileMode) (*File, error) {
	if err := allow("create", path); err != nil {
		return nil, err
	}
	return opened(os.OpenFile(path, os.O_RDWR|os.O_CREATE|flags, perm))
}

// CreateTemp is os.CreateTemp.
func CreateTemp(dir, pattern string) (*File, error) {
	if err := allow("create", filepath.Join(dir, pattern)); err != nil {
		return nil, err
	}
	return opened(os.CreateTemp(dir, pattern))
}

func opened(f *os.File, err error) (*File, error) {
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// Name returns the path the file was opened by.
func (f *File) Name() string { return f.f.Name() }

// Size returns the length of the file in bytes.
func (f *File) Size() (int64, error) {
	st, err := f.f.Stat()
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

func (f *File) Read(p []byte) (int, error) {
	p, err := allowed("read", f.f.Name(), p)
	if err != nil {
		return 0, err
	}
	return f.f.Read(p)
}

// mostNow is the number of bytes up to which ReadAt first asks the memory of the system. More would take so long that the
// scheduler has to know.
const mostNow = 64 << 10

// readCached reads from the memory of the system. It fails if it would have to wait for the disk.
func (f *File) readCached(p []byte, off int64) error {
	part, err := allowed("read", f.f.Name(), p)
	if err == nil {
		err = f.readNow(part, off)
	}
	if err == nil && len(part) < len(p) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (f *File) ReadAt(p []byte, off int64) (int, error) {
	part, err := allowed("read", f.f.Name(), p)
	if err != nil {
		return 0, err
	}
	n := len(part)
	if n > mostNow || f.readNow(part, off) != nil {
		n, err = f.f.ReadAt(part, off)
	}
	if err == nil && len(part) < len(p) {
		err = io.EOF
	}
	return n, err
}

func (f *File) Write(p []byte) (int, error) {
	part, fault := allowed("write", f.f.Name(), p)
	n, err := f.f.Write(part)
	return n, f.written(n, p, cmp.Or(err, fault))
}

func (f *File) WriteAt(p []byte, off int64) (int, error) {
	part, fault := allowed("write", f.f.Name(), p)
	n, err := f.f.WriteAt(part, off)
	return n, f.written(n, p, cmp.Or(err, fault))
}

// written returns the error of a write of p that moved n bytes.
func (f *File) written(n int, p []byte, err error) error {
	if err == nil && n < len(p) {
		err = &fs.PathError{Op: "write", Path: f.f.Name(), Err: io.ErrShortWrite}
	}
	return err
}

// Sync makes the content durable.
func (f *File) Sync() error {
	if err := allow("sync", f.f.Name()); err != nil {
		return err
	}
	return f.f.Sync()
}

// Close closes the file, even if it returns an error.
func (f *File) Close() error {
	fault := allow("close", f.f.Name())
	return errors.Join(f.f.Close(), fault)
}

// Map maps the first size bytes; see the function Map.
func (f *File) Map(size int64) ([]byte, error) {
	if err := allow("map", f.f.Name()); err != nil {
		return nil, err
	}
	return Map(f.f, size)
}

// Rename is os.Rename.
func Rename(from, to string) error {
	if err := allow("rename", to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Remove is os.Remove.
func Remove(path string) error {
	if err := allow("remove", path); err != nil {
		return err
	}
	return os.Remove(path)
}

// RemoveAll is os.RemoveAll.
func RemoveAll(path string) error {
	if err := allow("remove", path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// ReadFile is os.ReadFile for a regular file.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// MakeDirs is os.MkdirAll, for directories that need not be durable.
func MakeDirs(dir string, perm fs.FileMode) error {
	if err := allow("mkdir", dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, perm)
}

// List is os.ReadDir.
func List(dir string) ([]fs.DirEntry, error) {
	if err := allow("list", dir); err != nil {
		return nil, err
	}
	return os.ReadDir(dir)
}

// MakeDir makes a durable directory, with its parents.
func MakeDir(dir string) error {
	if err := allow("mkdir", dir); err != nil {
		return err
	}
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := MakeDir(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return SyncDir(parent)
}

// WriteFile writes a file in one durable step: it writes a temporary file beside it, syncs, renames, and syncs the directory.
func WriteFile(path, temp string, b []byte) (err error) {
	f, err := CreateTemp(filepath.Dir(path), temp)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			Remove(f.Name())
		}
	}()
	if _, err = f.Write(b); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = allow("chmod", f.Name()); err != nil {
		return err
	}
	if err = os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	if err = Rename(f.Name(), path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// WriteCache writes a file of a cache, complete or not at all: a temporary file beside it is renamed. It does not sync. So its reader has to
// recognise damage, by a checksum, after a power failure.
func WriteCache(path, temp string, b []byte) error {
	f, err := CreateTemp(filepath.Dir(path), temp)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err == nil {
		err = Rename(f.Name(), path)
	}
	if err != nil {
		Remove(f.Name())
	}
	return err
}

// DirSize returns the bytes of the regular files in and below a directory. Files that cannot be read, or disappear meanwhile,
// count as zero bytes.
func DirSize(dir string) (total int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if in, err := d.Info(); err == nil {
				total += in.Size()
			}
		}
		return nil
	})
	return total
}
