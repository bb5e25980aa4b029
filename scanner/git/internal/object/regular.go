package object

import (
	"io/fs"
	"os"
)

// OpenRegular opens a file of a repository for reading. Anything else in its place, for example a device or a pipe that
// nobody writes to, is refused without waiting.
func OpenRegular(name string) (*os.File, fs.FileInfo, error) {
	return openRegular(name, os.Stat, os.OpenFile)
}

// OpenRegularIn is OpenRegular for a file of an open directory.
func OpenRegularIn(dir *os.Root, name string) (*os.File, fs.FileInfo, error) {
	return openRegular(name, dir.Stat, dir.OpenFile)
}

func openRegular(name string, stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error)) (*os.File, fs.FileInfo, error) {
	fi, err := stat(name)
	if err != nil {
		return nil, nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, nil, errIrregular(name, fi)
	}
	f, err := open(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, nil, err
	}
	if fi, err = f.Stat(); err == nil && !fi.Mode().IsRegular() {
		err = errIrregular(name, fi)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}

func errIrregular(name string, fi fs.FileInfo) error {
	return &CorruptError{What: name, Offset: -1, Detail: "no regular file: " + fi.Mode().Type().String()}
}
