package files

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// maxWindow bounds the memory, in bytes, that a compressed stream may need: that of xz's highest level.
const maxWindow = 64 << 20

var errWindow = errors.New("unpacking it takes more memory than any customary level of compression")

// unpacked returns the decompressed stream.
func unpacked(r *bufio.Reader, kind string) (io.Reader, error) {
	switch kind {
	case "gzip":
		return newGunzip(r)
	case "bzip2":
		return bzip2.NewReader(r), nil
	case "zstd":
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, err
		}
		return zstdReader{z}, nil
	case "xz":
		return xz.NewReader(r)
	}
	return r, nil
}

// zstdReader frees its memory at the end of the stream.
type zstdReader struct{ *zstd.Decoder }

func (z zstdReader) Read(p []byte) (int, error) {
	n, err := z.Decoder.Read(p)
	if err != nil {
		z.Close()
	}
	return n, err
}

// checkXZ refuses an xz file that is cut off, or has a block header that asks for more memory than maxWindow. A header
// can begin at every fourth byte and has a checksum. Bytes with a valid checksum are taken for a header.
func checkXZ(a Blob) error {
	if err := endXZ(a); err != nil {
		return err
	}
	r := bufio.NewReaderSize(io.NewSectionReader(a, 0, a.Size), 1<<16)
	for {
		head, err := r.Peek(maxBlockHeader)
		if len(head) < 8 {
			if err == io.EOF {
				return nil
			}
			return err
		}
		if size, ok := blockWindow(head); ok && size > maxWindow {
			return errWindow
		}
		if _, err := r.Discard(4); err != nil {
			return err
		}
	}
}

// endXZ looks for the mark at the end of an xz file, since the library accepts some files that are cut off. Zeros may
// follow, in multiples of four bytes.
func endXZ(a Blob) error {
	word := make([]byte, 4)
	for at := a.Size - 4; at >= 0; at -= 4 {
		if _, err := a.ReadAt(word, at); err != nil {
			return err
		}
		if !allZero(word) {
			break
		}
	}
	if a.Size%4 != 0 || word[2] != 'Y' || word[3] != 'Z' {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// maxBlockHeader is the size of the longest block header, in bytes.
const maxBlockHeader = 1024

// usualHeader has room for two sizes and four filters, in bytes; the rest must be zeros.
const usualHeader = 128

func allZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// blockWindow reads a block header: its size in words minus 1, flags, two optional sizes, filters, zeros, CRC. LZMA2 is
// the last filter and has one byte of properties.
func blockWindow(b []byte) (window int64, ok bool) {
	const reserved, lzma2 = 0x3c, 0x21
	n := (int(b[0]) + 1) * 4
	if b[0] == 0 || b[1]&reserved != 0 || n > len(b) || n > usualHeader && !allZero(b[usualHeader:n-4]) || crc32.ChecksumIEEE(b[:n-4]) != binary.LittleEndian.Uint32(b[n-4:n]) {
		return 0, false
	}
	i := bytes.LastIndex(b[2:n-4], []byte{lzma2, 1})
	if i < 0 || 2+i+2 >= n-4 {
		return 0, false
	}
	bits := b[2+i+2]
	if bits > 40 {
		return 0, false // the reader refuses it
	}
	return int64(2|bits&1) << (bits/2 + 11), true
}
