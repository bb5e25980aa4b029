package disk

import (
	"errors"
	"io/fs"
	"os"
)

// ErrIrregular says that something else is in the place of a regular file.
var ErrIrregular = errors.New("no regular file")

// OpenRegular opens a regular file for reading, also through a link. It refuses anything else with ErrIrregular: a pipe would wait
// for a writer, a device may never end. stat and open are the functions of package os or of an os.Root.
func OpenRegular(path string, stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error)) (*os.File, fs.FileInfo, error) {
	fi, err := stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, fi, irregular(path)
	}
	f, err := open(path, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, nil, err
	}
	if fi, err = f.Stat(); err == nil && !fi.Mode().IsRegular() { // it was replaced
		err = irregular(path)
	}
	if err != nil {
		f.Close()
		return nil, fi, err
	}
	return f, fi, nil
}

func irregular(path string) error { return &fs.PathError{Op: "open", Path: path, Err: ErrIrregular} }
