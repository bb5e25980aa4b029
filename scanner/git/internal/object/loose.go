package object

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
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
	src, err := r.inflated(f)
	if err != nil {
		return 0, nil, looseError(path, err)
	}
	typ, size, err := looseHeader(src)
	if err != nil {
		return 0, nil, looseError(path, err)
	}
	if err := TooLarge(h, size, limit); err != nil {
		return typ, nil, err
	}
	b, err := readExactly(src, size)
	if err != nil {
		return 0, nil, looseError(path, err)
	}
	r.cache.keep(key, typ, b)
	return typ, b, nil
}

// inflated returns the inflated bytes of a loose object. They are valid until the next call.
func (r *Reader) inflated(f io.Reader) (*bufio.Reader, error) {
	var err error
	if z, ok := r.zlib.(zlib.Resetter); ok {
		err = z.Reset(f, nil)
	} else {
		r.zlib, err = zlib.NewReader(f)
	}
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(r.zlib, maxLooseHeader), nil
}

// maxLooseHeader bounds the header of a loose object, in bytes: a type and a size of at most 19 digits.
const maxLooseHeader = 32

// looseHeader reads the header of a loose object, such as "blob 12" and a NUL.
func looseHeader(src *bufio.Reader) (Type, int64, error) {
	b, err := src.Peek(maxLooseHeader)
	if err != nil && err != io.EOF {
		return 0, 0, err
	}
	head, _, ok := bytes.Cut(b, []byte{0})
	name, digits, _ := bytes.Cut(head, []byte{' '})
	typ := TypeNamed(string(name))
	size, err := strconv.ParseInt(string(digits), 10, 64)
	if !ok || typ == 0 || err != nil {
		return 0, 0, errors.New("invalid header")
	}
	_, err = src.Discard(len(head) + 1)
	return typ, size, err
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
