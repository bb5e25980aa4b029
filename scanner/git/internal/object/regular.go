package object

import (
	"io/fs"
	"os"
)

// OpenRegular opens a file of a repository for reading. Anything else in its place, such as a pipe nobody writes to or a
// device, is refused without waiting for it.
func OpenRegular(name string) (*os.File, fs.FileInfo, error) {
	fi, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, nil, errIrregular(name, fi)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
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
