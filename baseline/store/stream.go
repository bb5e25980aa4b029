package store

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/disk"
	"github.com/git-provenance/git-provenance/lang"
)

// Stream decodes a document's token stream; lines has each token's first line.
func (r *Reader) Stream(d Document) (toks []lang.Token, lines []uint32, err error) {
	s, err := r.Blocks(d, nil, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	err = disk.Guard(func() error {
		toks, lines = s.All(), s.Lines()
		return nil
	})
	return toks, lines, err
}

// Blocks returns a document's token stream, which decodes its blocks when they are read. Read them before Close and within a
// disk.Guard. The guard returns read errors, after blame has wrapped them. Spans are made from the text, which text returns if the
// caller has it already; text may be nil. See lang.NewBlockStream for grown.
func (r *Reader) Blocks(d Document, text func() ([]byte, error), grown func(bytes int), blame func(error) error) (*lang.BlockStream, error) {
	head, err := r.tokenHead(d)
	if err != nil {
		return nil, r.damaged("tokens of "+d.Hash.String(), err)
	}
	if text == nil {
		text = sync.OnceValues(func() ([]byte, error) { return r.Text(d) })
	}
	return lang.NewBlockStream(head.tokens, head.shapes, &blocks{r, d, head, text, blame}, grown), nil
}

// firstRead is how many bytes of a blob of tokens are read before the length of its head is known. It covers most heads.
const firstRead = 2 << 10

func (r *Reader) tokenHead(d Document) (h tokenHead, err error) {
	if d.tokLen < 4 {
		return h, errTruncated
	}
	if err := r.need(disk.Range{Off: d.tokOff, Len: uint64(min(d.tokLen, whole))}); err != nil {
		return h, err
	}
	s := rooms.Get().(*room)
	defer rooms.Put(s)
	b, err := r.raw(d.tokOff, min(d.tokLen, firstRead), s)
	if err != nil {
		return h, err
	}
	size := binary.LittleEndian.Uint32(b)
	if size < 8 || size > d.tokLen {
		return h, errTruncated
	}
	if int(size) > len(b) {
		if b, err = r.raw(d.tokOff, size, s); err != nil {
			return h, err
		}
	}
	return r.decodeHead(b[:size], d)
}

// decodeHead decodes a head by the rules of the file's version.
func (r *Reader) decodeHead(b []byte, d Document) (h tokenHead, err error) {
	if r.h.columns {
		return decodeOldHead(b, int(d.Tokens), uint64(d.tokLen))
	}
	m, err := r.loadMeta()
	if err != nil {
		return h, err
	}
	var listed []lang.Shape
	if d.language < len(m.shapes) {
		listed = m.shapes[d.language]
	}
	h, err = decodeHead(b, int(d.Tokens), uint64(d.tokLen), listed)
	h.columns = d.Bare
	return h, err
}

// blocks reads the blocks of a document's tokens.
type blocks struct {
	r     *Reader
	d     Document
	head  tokenHead
	text  func() ([]byte, error)
	blame func(error) error
}

// fail aborts the reading with a panic that the surrounding disk.Guard returns as an error.
func (b *blocks) fail(err error) {
	err = b.r.damaged("tokens of "+b.d.Hash.String(), err)
	if b.blame != nil {
		err = b.blame(err)
	}
	panic(disk.Failure{Err: err})
}

func (b *blocks) Kinds(block int) []byte {
	k := b.head.blocks[block]
	s := rooms.Get().(*room)
	defer rooms.Put(s)
	out, err := b.r.blob(b.d.tokOff+k.at, k.kinds, uint64(4*b.head.length(block)), s, nil)
	if err == nil {
		err = b.head.checkKinds(out, block)
	}
	if err != nil {
		b.fail(err)
	}
	return out
}

func (b *blocks) Spans(dst []lang.Span, block int) []lang.Span {
	n := b.head.length(block)
	out := slices.Grow(dst, n)[:len(dst)+n]
	if _, err := b.readSpans(out[len(dst):], block); err != nil {
		b.fail(err)
	}
	return out
}

func (b *blocks) Lines(block int, spans []lang.Span) []uint32 {
	lines, err := b.readLines(block, spans)
	if err != nil {
		b.fail(err)
	}
	return lines
}

func (b *blocks) readLines(block int, spans []lang.Span) ([]uint32, error) {
	if b.head.columns {
		return b.readSpans(make([]lang.Span, len(spans)), block)
	}
	text, err := b.text()
	if err != nil {
		return nil, err
	}
	k := b.head.blocks[block]
	return linesOf(spans, text, int(k.end-k.back), k.line), nil
}

// readSpans sets the spans of a block. lines is nil if they are made from the text.
func (b *blocks) readSpans(out []lang.Span, block int) (lines []uint32, err error) {
	k := b.head.blocks[block]
	var text []byte
	if !b.head.columns {
		if text, err = b.text(); err != nil {
			return nil, err
		}
	}
	s := rooms.Get().(*room)
	defer rooms.Put(s)
	var in []byte
	if at := b.d.tokOff + k.at + uint64(k.kinds); k.packed {
		in, err = b.r.blob(at, k.spans, 3*binary.MaxVarintLen64*uint64(len(out)), s, s.out)
		s.out = in[:0]
	} else if k.spans > 0 {
		in, err = b.r.raw(at, k.spans, s)
		if err == nil {
			in, err = unsealed(in)
		}
	}
	if err != nil {
		return nil, err
	}
	if b.head.columns {
		return decodeSpans(out, in, k, b.d.Size, b.d.Lines)
	}
	return nil, guessSpans(out, in, k, b.head.comments, text)
}

// unsealed checks the checksum at the end of b and removes it.
func unsealed(b []byte) ([]byte, error) {
	n := len(b) - 4
	if n < 0 {
		return nil, errTruncated
	}
	if crc32.Checksum(b[:n], castagnoli) != binary.LittleEndian.Uint32(b[n:]) {
		return nil, errChecksum
	}
	return b[:n], nil
}
