package object

import (
	"errors"
	"io/fs"
	"os"

	"github.com/git-provenance/git-provenance/baseline/disk"
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
	f, fi, err := disk.OpenRegular(name, stat, open)
	if errors.Is(err, disk.ErrIrregular) {
		err = &CorruptError{What: name, Offset: -1, Detail: "no regular file: " + fi.Mode().Type().String()}
	}
	return f, fi, err
}
