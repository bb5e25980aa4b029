package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/git-provenance/git-provenance/lang"
)

var (
	errChecksum  = errors.New("checksum differs")
	errTruncated = errors.New("truncated")
)

// tokenHead is the head of a blob of tokens. With it, one block can be read without the others:
//
//	u32      length of the head
//	uvarint  number of tokens
//	uvarint  number of distinct (kind, class, flags), the shapes
//	         each: uvarint its number in the language's list in the file's JSON and 2,
//	         or 1 and the u32 kind of a word, or 0, u32 kind, u8 class and flags << 3
//	u8       which openers begin a comment (see spans.go): a bit each
//	         for each block of lang.BlockTokens tokens:
//	uvarint  length of its kinds
//	uvarint  twice the length of its spans, and 1 if they are compressed
//	         but for the first block:
//	uvarint  end of the token before it
//	uvarint  line of the token before it
//	uvarint  how many bytes before that end the latest token began, which that line belongs to
//	u32      CRC32C of all this
//
// Then come the blocks, each as zstd(kinds), spans. Kinds are the numbers of the tokens' shapes, each in
// lang.ShapeWidth bytes. Spans are the tokens that a guesser gets wrong (spans.go), with a CRC32C if there are any, or
// their zstd if it is shorter. In a bare document, and before version 7, spans are the zstd of columns:
//
//	per token: varint gap to the end of the token before
//	per token: uvarint length
//	per token: uvarint line minus line of the token before
//
// Columns compress better than records. A gap can be negative in principle (a string that encloses its embedded code),
// so gaps are zigzag coded.
//
// Before version 7 a shape was its u32 kind and u8, and there was no byte of openers. For each block the head had the
// plain length of its spans. Even the first block had the end and line of the token before it: 0 and 1.
type tokenHead struct {
	tokens   int
	shapes   []lang.Shape
	comments uint8
	columns  bool // the spans of the blocks are columns
	blocks   []tokenBlock
	size     int // bytes of the head
}

// tokenBlock is the position of a block in the blob, and the state after the token before it.
type tokenBlock struct {
	at           uint64
	kinds, spans uint32 // bytes
	packed       bool   // the spans are compressed
	end, line    uint32 // of the token before the block
	back         uint32 // bytes from end back to where line was counted
}

const (
	shapeSize = 5
	classBits = 3
)

// Numbers of shapes in a head.
const (
	shapeInFull = iota
	shapeOfWord
	shapesListed // this number and higher ones are in the language's list
)

// appendHead appends a head. listed returns the number of a shape in the language's list.
func appendHead(dst []byte, h *tokenHead, listed func(lang.Shape) (int, bool)) []byte {
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	dst = binary.AppendUvarint(dst, uint64(h.tokens))
	dst = binary.AppendUvarint(dst, uint64(len(h.shapes)))
	for _, s := range h.shapes {
		if s == (lang.Shape{Kind: s.Kind, Class: lang.Word}) {
			dst = binary.LittleEndian.AppendUint32(append(dst, shapeOfWord), s.Kind)
		} else if n, ok := numberIn(listed, s); ok {
			dst = binary.AppendUvarint(dst, uint64(n)+shapesListed)
		} else {
			dst = appendShape(append(dst, shapeInFull), s)
		}
	}
	dst = append(dst, h.comments)
	for i, k := range h.blocks {
		dst = binary.AppendUvarint(dst, uint64(k.kinds))
		dst = binary.AppendUvarint(dst, uint64(k.spans)<<1|uint64(bit(k.packed)))
		if i > 0 {
			dst = binary.AppendUvarint(dst, uint64(k.end))
			dst = binary.AppendUvarint(dst, uint64(k.line))
			dst = binary.AppendUvarint(dst, uint64(k.back))
		}
	}
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at+4))
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[at:], castagnoli))
}

func numberIn(listed func(lang.Shape) (int, bool), s lang.Shape) (int, bool) {
	if listed == nil {
		return 0, false
	}
	return listed(s)
}

func appendShape(dst []byte, s lang.Shape) []byte {
	return append(binary.LittleEndian.AppendUint32(dst, s.Kind), byte(s.Class)|byte(s.Flags)<<classBits)
}

// headSize returns the size in bytes of the head of a blob.
func headSize(blob []byte) (int, error) {
	if len(blob) < 8 {
		return 0, errTruncated
	}
	size := binary.LittleEndian.Uint32(blob)
	if size < 8 || int64(size) > int64(len(blob)) {
		return 0, errTruncated
	}
	return int(size), nil
}

// decodeHead reads the head b of a blob of blob bytes. It allocates no more than b can describe. listed has the shapes
// of the language.
func decodeHead(b []byte, want int, blob uint64, listed []lang.Shape) (h tokenHead, err error) {
	r, shapes, err := openHead(b, want)
	if err != nil {
		return h, err
	}
	h = tokenHead{tokens: want, size: len(b), shapes: make([]lang.Shape, shapes)}
	for i := range h.shapes {
		switch n := r.uvarint(); {
		case n == shapeInFull:
			h.shapes[i], err = decodeShape(r.take(shapeSize))
		case n == shapeOfWord:
			if w := r.take(4); w != nil {
				h.shapes[i] = lang.Shape{Kind: binary.LittleEndian.Uint32(w), Class: lang.Word}
			}
		case n-shapesListed < uint64(len(listed)):
			h.shapes[i] = listed[n-shapesListed]
		default:
			err = fmt.Errorf("shape %d of %d in the list", n-shapesListed, len(listed))
		}
		if err != nil {
			return h, err
		}
	}
	if c := r.take(1); c != nil {
		h.comments = c[0]
	}
	at, blocks := uint64(len(b)), (want+lang.BlockTokens-1)/lang.BlockTokens
	if blocks > r.left() {
		return h, errTruncated
	}
	h.blocks = make([]tokenBlock, blocks)
	for i := range h.blocks {
		k := tokenBlock{at: at, kinds: uint32(r.uvarint()), line: 1}
		spans := r.uvarint()
		if k.spans, k.packed = uint32(spans>>1), spans&1 == 1; i > 0 {
			k.end, k.line, k.back = uint32(r.uvarint()), uint32(r.uvarint()), uint32(r.uvarint())
		}
		at += uint64(k.kinds) + uint64(k.spans)
		h.blocks[i] = k
	}
	return h, r.endHead(at, blob)
}

// decodeOldHead is decodeHead for a file before version 7.
func decodeOldHead(b []byte, want int, blob uint64) (h tokenHead, err error) {
	r, shapes, err := openHead(b, want)
	if err != nil {
		return h, err
	}
	if shapes > r.left()/shapeSize {
		return h, errTruncated
	}
	h = tokenHead{tokens: want, size: len(b), columns: true, shapes: make([]lang.Shape, shapes)}
	for i := range h.shapes {
		if h.shapes[i], err = decodeShape(r.take(shapeSize)); err != nil {
			return h, err
		}
	}
	at, blocks := uint64(len(b)), (want+lang.BlockTokens-1)/lang.BlockTokens
	if blocks > r.left() {
		return h, errTruncated
	}
	h.blocks = make([]tokenBlock, blocks)
	for i := range h.blocks {
		k := tokenBlock{at: at, packed: true, kinds: uint32(r.uvarint()), spans: uint32(r.uvarint()), end: uint32(r.uvarint()), line: uint32(r.uvarint())}
		at += uint64(k.kinds) + uint64(k.spans)
		h.blocks[i] = k
	}
	return h, r.endHead(at, blob)
}

// openHead checks a head and reads the numbers of tokens and shapes. It returns a reader for the rest.
func openHead(b []byte, want int) (r reader, shapes int, err error) {
	body := len(b) - 4
	if crc32.Checksum(b[:body], castagnoli) != binary.LittleEndian.Uint32(b[body:]) {
		return r, 0, errChecksum
	}
	r = reader{b: b[4:body]}
	n, of := r.uvarint(), r.uvarint()
	if n != uint64(want) || of > n {
		return r, 0, fmt.Errorf("token count %d, want %d", n, want)
	}
	if of > uint64(r.left()) {
		return r, 0, errTruncated
	}
	return r, int(of), nil
}

func (r *reader) endHead(at, blob uint64) error {
	if r.left() > 0 || at != blob {
		r.fail(fmt.Errorf("blocks end at byte %d of %d", at, blob))
	}
	return r.err
}

// decodeShapes reads the list of shapes of a language.
func decodeShapes(b []byte) (out []lang.Shape, err error) {
	if len(b)%shapeSize > 0 {
		return nil, errTruncated
	}
	out = make([]lang.Shape, len(b)/shapeSize)
	for i := range out {
		if out[i], err = decodeShape(b[i*shapeSize:][:shapeSize]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func decodeShape(b []byte) (s lang.Shape, err error) {
	if b == nil {
		return s, errTruncated
	}
	s = lang.Shape{Kind: binary.LittleEndian.Uint32(b), Class: lang.Class(b[4] & (1<<classBits - 1)), Flags: lang.Flags(b[4] >> classBits)}
	if s.Class > lang.Word {
		err = fmt.Errorf("token class %d", s.Class)
	}
	return s, err
}

// length returns the number of tokens in a block.
func (h *tokenHead) length(block int) int {
	return min(lang.BlockTokens, h.tokens-block*lang.BlockTokens)
}

// reader reads numbers from a byte slice; its first failure sticks.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.at = len(r.b)
}

// left returns the number of bytes left.
func (r *reader) left() int { return len(r.b) - r.at }

func (r *reader) uvarint() uint64 {
	if r.at < len(r.b) && r.b[r.at] < 0x80 {
		r.at++
		return uint64(r.b[r.at-1])
	}
	v, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 {
		r.fail(errTruncated)
		return 0
	}
	r.at += n
	return v
}

func (r *reader) varint() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (r *reader) take(n int) []byte {
	if n > r.left() {
		r.fail(errTruncated)
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}
