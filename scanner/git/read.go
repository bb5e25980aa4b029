package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// errChanged says that a file is no longer the listed one.
var errChanged = errors.New("changed while it was read")

// ReadFile reads a regular file of the file system, at most limit + 1 bytes. It refuses anything that replaced the file in
// the meantime, since a link could lead to any device. Above limit it fails with *TooLargeError.
func ReadFile(name string, limit int64) ([]byte, error) {
	changed := &fs.PathError{Op: "read", Path: name, Err: errChanged}
	listed, err := os.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !listed.Mode().IsRegular():
		return nil, changed
	case listed.Size() > limit:
		return nil, &TooLargeError{Size: listed.Size(), Limit: limit}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(listed, st) {
		return nil, changed
	}
	b := bytes.NewBuffer(make([]byte, 0, listed.Size()+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil // a caller that uses it refuses a file that has grown beyond the limit
}

// ReadSmall reads a regular file of at most limit bytes. It returns nil otherwise.
func ReadSmall(name string, limit int64) []byte {
	b, err := ReadFile(name, limit)
	if err != nil || int64(len(b)) > limit {
		return nil
	}
	return b
}

// FileAt reads a file of a commit. It returns nil if the file does not exist or cannot be read.
func (r *Repo) FileAt(ctx context.Context, rev, name string, limit int64) ([]byte, error) {
	files, err := r.Dir(ctx, rev, name[:max(strings.LastIndexByte(name, '/'), 0)])
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(files, func(f File) bool { return f.Path == name })
	if i < 0 {
		return nil, nil
	}
	b, err := r.Blob(ctx, files[i].Blob, limit)
	if IsUnreadable(err) {
		return nil, nil
	}
	return b, err
}

// BlobHash returns git's name of a content.
func BlobHash(content []byte) Hash {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(content))
	h.Write(content)
	return Hash(h.Sum(nil))
}
