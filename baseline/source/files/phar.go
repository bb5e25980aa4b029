package files

import (
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"strings"
)

// Bounds of a phar, in bytes. A phar is a PHP program, then a manifest, the contents of its files, and a signature.
// Phars that are a zip or a tar are read as such.

const (
	maxStub     = 4 << 20  // of the program in front; real ones have a few kilobytes
	maxManifest = 64 << 20 // 250,000 entries with names of 200 bytes
)

var halt = []byte("__HALT_COMPILER();")

// pharEntry is the position of a file's content.
type pharEntry struct {
	off, packed int64
	sum, flags  uint32
}

// pharStart returns where the manifest of a phar begins, or 0 if f is not a phar.
func pharStart(f io.ReaderAt, size int64) int64 {
	head := make([]byte, min(size, maxStub))
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return 0
	}
	head = head[:n]
	for from := 0; ; {
		i := bytes.Index(head[from:], halt)
		if i < 0 {
			return 0
		}
		from += i + len(halt)
		at := from
		for _, s := range []string{" ", "?>", "\r", "\n"} {
			if bytes.HasPrefix(head[at:], []byte(s)) {
				at += len(s)
			}
		}
		if plausible(head[at:], size-int64(at)) {
			return int64(at)
		}
	}
}

// plausible reports whether a manifest can begin here: its length, number of files and version must be valid.
func plausible(b []byte, left int64) bool {
	if len(b) < 10 {
		return false
	}
	length, files := int64(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint32(b[4:]))
	return length >= 14 && length <= min(left-4, maxManifest) && files*28 <= length && b[8]>>4 == 1
}

var errManifest = errors.New("its manifest is cut off")

// pharItems lists the files of a phar and checks its signature.
func pharItems(a Blob, b *budget) ([]item, error) {
	start := pharStart(a, a.Size)
	if start == 0 {
		return nil, b.broken("", errManifest)
	}
	length := make([]byte, 4)
	if _, err := a.ReadAt(length, start); err != nil {
		return nil, b.broken("", err)
	}
	m := fields{b: make([]byte, binary.LittleEndian.Uint32(length))}
	if _, err := a.ReadAt(m.b, start+4); err != nil {
		return nil, b.broken("", err)
	}
	n := m.number()
	m.next(2)
	flags := m.number()
	m.next(int(m.number())) // the name by which programs include it
	m.next(int(m.number()))
	off, items := start+4+int64(len(m.b)), []item{}
	for range n {
		if err := b.entry(); err != nil {
			return nil, err
		}
		name, size := string(m.next(int(m.number()))), m.number()
		m.next(4) // a time
		e := &pharEntry{off: off, packed: int64(m.number()), sum: m.number(), flags: m.number()}
		m.next(int(m.number()))
		if off += e.packed; m.short || off > a.Size {
			return nil, b.broken("", errManifest)
		}
		if strings.HasSuffix(name, "/") {
			continue
		}
		it := newItem(name, int64(size))
		it.phar = e
		it.checkSize(b.lim.FileBytes)
		items = append(items, it)
	}
	const signed = 0x10000
	tail := make([]byte, 4)
	if _, err := a.ReadAt(tail, max(a.Size-4, 0)); flags&signed != 0 || err == nil && string(tail) == "GBMB" {
		if err := checkSignature(a); err != nil {
			return nil, b.broken("", err)
		}
	}
	return items, nil
}

// fields reads consecutive numbers and texts.
type fields struct {
	b     []byte
	at    int
	short bool
}

func (f *fields) next(n int) []byte {
	if n < 0 || n > len(f.b)-f.at {
		f.short = true
		return nil
	}
	f.at += n
	return f.b[f.at-n : f.at]
}

func (f *fields) number() uint32 {
	if p := f.next(4); p != nil {
		return binary.LittleEndian.Uint32(p)
	}
	return 0
}

// checkSignature compares the hash at the end of a phar. Signatures with a key are not checked: the key is beside the
// file and no safer than it.
func checkSignature(a Blob) error {
	tail := make([]byte, 8)
	if _, err := a.ReadAt(tail, max(a.Size-8, 0)); err != nil || string(tail[4:]) != "GBMB" {
		return errors.New("its signature is missing")
	}
	kinds := map[uint32]func() hash.Hash{1: md5.New, 2: sha1.New, 3: sha256.New, 4: sha512.New}
	sum := kinds[binary.LittleEndian.Uint32(tail)]
	if sum == nil {
		if byKey := tail[0] >= 0x10 && tail[0] <= 0x12 && tail[1]|tail[2]|tail[3] == 0; byKey {
			return nil
		}
		return errors.New("its signature is of no known kind")
	}
	h := sum()
	end := a.Size - 8 - int64(h.Size())
	want := make([]byte, h.Size())
	if _, err := a.ReadAt(want, max(end, 0)); err != nil || end < 0 {
		return errors.New("its signature is cut off")
	}
	if _, err := io.Copy(h, io.NewSectionReader(a, 0, end)); err != nil {
		return err
	}
	if !bytes.Equal(h.Sum(nil), want) {
		return errors.New("its signature does not fit its content")
	}
	return nil
}

// readPhar reads a file of a phar.
func readPhar(a Blob, it item, b *budget) ([]byte, error) {
	const deflated, bzipped = 0x1000, 0x2000
	var r io.Reader = io.NewSectionReader(a, it.phar.off, it.phar.packed)
	switch {
	case it.phar.flags&deflated != 0:
		r = flate.NewReader(r)
	case it.phar.flags&bzipped != 0:
		r = bzip2.NewReader(r)
	}
	data, err := ReadBounded(metered{r, b}, min(it.size, firstRead), it.size)
	switch {
	case errors.Is(err, ErrTooLarge):
		return nil, errLonger
	case err != nil:
		return nil, err
	case int64(len(data)) != it.size:
		return nil, fmt.Errorf("%d bytes, where the manifest says %d", len(data), it.size)
	case crc32.ChecksumIEEE(data) != it.phar.sum:
		return nil, errors.New("its checksum is not that of the manifest")
	}
	return data, nil
}
