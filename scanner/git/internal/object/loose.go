package object

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing/format/objfile"
)

func (r *Reader) loose(dir string, h Hash, limit int64) (Type, []byte, error) {
	key := cacheKey{name: h}
	if c, ok := r.cache.get(key); ok {
		return c.typ, c.data, TooLarge(h, int64(len(c.data)), limit)
	}
	name := h.String()
	path := filepath.Join(dir, name[:2], name[2:])
	f, _, err := OpenRegular(path)
	if err != nil {
		return 0, nil, fmt.Errorf("open object: %w", err)
	}
	defer f.Close()
	or, err := objfile.NewReader(f)
	if err != nil {
		return 0, nil, looseError(path, err)
	}
	defer or.Close()
	typ, size, err := or.Header()
	if err != nil {
		return 0, nil, looseError(path, err)
	}
	if err := TooLarge(h, size, limit); err != nil {
		return Type(typ), nil, err
	}
	b, err := readExactly(or, size)
	if err != nil {
		return 0, nil, looseError(path, err)
	}
	r.cache.keep(key, Type(typ), b)
	return Type(typ), b, nil
}

// looseError distinguishes damage from errors of the file system.
func looseError(path string, err error) error {
	if _, refused := errors.AsType[*fs.PathError](err); refused {
		return fmt.Errorf("read object %q: %w", path, err)
	}
	return &CorruptError{What: path, Offset: -1, Detail: err.Error()}
}

// TrustedSize is the size up to which memory is allocated as a header announces it. Beyond it, memory grows with the
// data.
const TrustedSize = 1 << 20

// readExactly reads size bytes and then expects the end.
func readExactly(src io.Reader, size int64) ([]byte, error) {
	if size < 0 {
		return nil, errors.New("negative size")
	}
	if size > TrustedSize {
		var b bytes.Buffer
		n, err := b.ReadFrom(io.LimitReader(src, size))
		if err == nil && n < size {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		return b.Bytes(), atEnd(src)
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(src, b); err != nil {
		return nil, err
	}
	return b, atEnd(src)
}

// atEnd reads once more. Data longer than announced are damaged, and the checksum is verified only at the end.
func atEnd(src io.Reader) error {
	var one [1]byte
	switch n, err := io.ReadFull(src, one[:]); {
	case n > 0:
		return errors.New("longer than announced")
	case err != io.EOF:
		return err
	}
	return nil
}
