package store

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/klauspost/compress/zstd"
)

// Verify reads everything: checksums of the tables, every token stream, every text. The text of a bare document cannot
// be compared with its hash, so only checksums protect it.
func (r *Reader) Verify() error { return disk.Guard(r.verify) }

func (r *Reader) verify() error {
	if err := r.FetchAll(); err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		b    []byte
		crc  uint32
	}{{"documents", r.docs, r.h.docCRC}, {"occurrences", r.occs, r.h.occCRC}, {"strings", r.strs, r.h.strCRC}} {
		if crc32.Checksum(s.b, castagnoli) != s.crc {
			return &CorruptError{r.path, s.name, errChecksum}
		}
	}
	if _, err := r.Packages(); err != nil {
		return err
	}
	if err := r.AllOccurrences(func(Occurrence) {}); err != nil {
		return err
	}
	var e Encoder
	base := uint64(0)
	for i := range r.Docs() {
		d, err := r.Doc(i)
		if err != nil {
			return err
		}
		if d.Base != base {
			return &CorruptError{r.path, "documents", fmt.Errorf("document %d starts at token %d, want %d", i, d.Base, base)}
		}
		if i > 0 && bytes.Compare(r.docs[(i-1)*docSize:][:32], d.Hash[:]) >= 0 {
			return &CorruptError{r.path, "documents", fmt.Errorf("document %d is out of order", i)}
		}
		base += uint64(d.Tokens)
		toks, _, err := r.Stream(d)
		if err != nil {
			return err
		}
		text, err := r.Text(d)
		if err != nil {
			return err
		}
		if !d.Bare && !d.Converted && Sum(text) != d.Hash {
			return &CorruptError{r.path, "text of " + d.Hash.String(), errChecksum}
		}
		if names, err := r.Names(i); err != nil {
			return err
		} else if !bytes.Equal(names.Bits, e.sameAs(names, text, toks).Bits) {
			return &CorruptError{r.path, "names of " + d.Hash.String(), errChecksum}
		}
	}
	if base != r.h.tokens {
		return &CorruptError{r.path, "documents", fmt.Errorf("%d tokens, want %d", base, r.h.tokens)}
	}
	return nil
}

var decoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxMeta))
	if err != nil {
		return err
	}
	return d
}}

// maxRatio is more than any frame can decompress by: a block of at most 128 KiB takes three bytes of header and one of
// content. It limits a claimed size by the size of the compressed data.
const maxRatio = 128 << 10 / 4

func decompress(b []byte, limit uint64, dst []byte) ([]byte, error) {
	var h zstd.Header
	if err := h.Decode(b); err != nil {
		return nil, err
	}
	limit = min(limit, uint64(len(b))*maxRatio)
	if !h.HasFCS || h.FrameContentSize > limit {
		return nil, fmt.Errorf("decompresses to %d bytes, limit %d", h.FrameContentSize, limit)
	}
	d, ok := decoders.Get().(*zstd.Decoder)
	if !ok {
		return nil, errors.New("start decompression")
	}
	defer decoders.Put(d)
	out, err := d.DecodeAll(b, slices.Grow(dst[:0], int(min(h.FrameContentSize, limit))))
	if err == nil && uint64(len(out)) > limit {
		err = fmt.Errorf("decompresses to %d bytes, limit %d", len(out), limit)
	}
	return out, err
}
