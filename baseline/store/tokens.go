package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

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

// tokens compresses a token stream block by block.
func (e *Encoder) tokens(text []byte, toks []lang.Token, lines lang.LineIndex) []byte {
	h := tokenHead{tokens: len(toks), comments: commentsOf(text, toks)}
	latest := uint32(0)
	return e.stream(h, toks, func(k *tokenBlock, in []lang.Token) {
		k.line, k.back = uint32(lines.Line(latest)), k.end-min(latest, k.end)
		for _, t := range in {
			latest = max(latest, t.Start)
		}
		e.buf = appendWrong(e.buf[:0], text, h.comments, in, k.end)
		at := len(e.body)
		if e.body = e.z.EncodeAll(e.buf, e.body); len(e.body)-at < len(e.buf)+4 {
			k.packed = true
		} else if e.body = append(e.body[:at], e.buf...); len(e.buf) > 0 {
			e.body = binary.LittleEndian.AppendUint32(e.body, crc32.Checksum(e.buf, castagnoli))
		}
	})
}

// columns is like tokens, for a document without its text.
func (e *Encoder) columns(toks []lang.Token, lines []uint32) []byte {
	line := uint32(1)
	return e.stream(tokenHead{tokens: len(toks), columns: true}, toks, func(k *tokenBlock, in []lang.Token) {
		k.line, k.packed = line, true
		e.buf, line = appendSpans(e.buf[:0], in, lines, k.end, line)
		e.body, lines = e.z.EncodeAll(e.buf, e.body), lines[len(in):]
	})
}

// stream makes a blob of tokens. It calls spans to append the spans of each block to the body.
func (e *Encoder) stream(h tokenHead, toks []lang.Token, spans func(k *tokenBlock, in []lang.Token)) []byte {
	e.ids = slices.Grow(e.ids[:0], len(toks))[:len(toks)]
	h.shapes = number(toks, e.ids)
	width := lang.ShapeWidth(len(h.shapes))
	e.body = e.body[:0]
	for from := 0; from < len(toks); from += lang.BlockTokens {
		to := min(from+lang.BlockTokens, len(toks))
		k := tokenBlock{line: 1}
		if from > 0 {
			k.end = toks[from-1].End
		}
		e.buf = appendKinds(e.buf[:0], e.ids[from:to], width)
		at := len(e.body)
		e.body = e.z.EncodeAll(e.buf, e.body)
		k.kinds = uint32(len(e.body) - at)
		spans(&k, toks[from:to])
		k.spans = uint32(len(e.body)-at) - k.kinds
		h.blocks = append(h.blocks, k)
	}
	e.head = appendHead(e.head[:0], &h, nil)
	return slices.Concat(e.head, e.body)
}

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

func appendKinds(dst []byte, ids []uint32, width int) []byte {
	for _, id := range ids {
		switch width {
		case 1:
			dst = append(dst, byte(id))
		case 2:
			dst = binary.LittleEndian.AppendUint16(dst, uint16(id))
		default:
			dst = binary.LittleEndian.AppendUint32(dst, id)
		}
	}
	return dst
}

// appendSpans also returns the line on which the last token begins.
func appendSpans(dst []byte, toks []lang.Token, lines []uint32, end, line uint32) ([]byte, uint32) {
	for _, t := range toks {
		dst = binary.AppendVarint(dst, int64(t.Start)-int64(end))
		end = t.End
	}
	for _, t := range toks {
		dst = binary.AppendUvarint(dst, uint64(t.End-t.Start))
	}
	for i := range toks {
		dst = binary.AppendUvarint(dst, uint64(lines[i]-line))
		line = lines[i]
	}
	return dst, line
}

// number gives each token the number of its shape, in the order of their first occurrence. There are millions of tokens
// and hundreds of shapes. A small cache by hash avoids nearly every map access.
func number(toks []lang.Token, ids []uint32) []lang.Shape {
	const slots = 1 << 10
	var cache [slots]uint32 // id + 1
	index := make(map[lang.Shape]uint32, 128)
	var shapes []lang.Shape
	for i, t := range toks {
		s := lang.Shape{Kind: t.Kind, Class: t.Class, Flags: t.Flags}
		slot := &cache[(t.Kind^t.Kind>>10^uint32(t.Flags)<<3)%slots]
		if *slot != 0 && shapes[*slot-1] == s {
			ids[i] = *slot - 1
			continue
		}
		id, ok := index[s]
		if !ok {
			id = uint32(len(shapes))
			index[s] = id
			shapes = append(shapes, s)
		}
		ids[i], *slot = id, id+1
	}
	return shapes
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

// checkKinds checks the shape numbers of a block.
func (h *tokenHead) checkKinds(b []byte, block int) error {
	width := lang.ShapeWidth(len(h.shapes))
	if len(b) != width*h.length(block) {
		return errTruncated
	}
	most := uint32(0)
	for i := 0; i < len(b); i += width {
		most = max(most, shapeAt(b, i, width))
	}
	if int(most) >= len(h.shapes) {
		return fmt.Errorf("shape %d of %d", most, len(h.shapes))
	}
	return nil
}

func shapeAt(b []byte, i, width int) uint32 {
	switch width {
	case 1:
		return uint32(b[i])
	case 2:
		return uint32(binary.LittleEndian.Uint16(b[i:]))
	}
	return binary.LittleEndian.Uint32(b[i:])
}

var errOutside = errors.New("span outside the text")

// decodeSpans reads the spans of the n tokens of block k, in a text of size bytes and so many lines.
func decodeSpans(b []byte, n int, k tokenBlock, size, lines uint32) ([]lang.Span, error) {
	if n > len(b)/3 { // each column has at least one byte per token
		return nil, errTruncated
	}
	r := reader{b: b}
	out := make([]lang.Span, n)
	for i := range out {
		out[i].Start = uint32(r.varint())
	}
	end := k.end
	for i := range out {
		s := &out[i]
		s.Start += end
		s.End = s.Start + uint32(r.uvarint())
		end = s.End
	}
	line := k.line
	for i := range out {
		s := &out[i]
		line += uint32(r.uvarint())
		s.Line = line
		if s.End > size || s.Start > s.End || s.Line > lines+1 { // an empty token may follow the last newline
			r.fail(errOutside)
		}
	}
	if r.left() > 0 {
		r.fail(fmt.Errorf("%d bytes too many", r.left()))
	}
	if r.err != nil {
		return nil, r.err
	}
	return out, nil
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

// BlocksOf makes a block stream from decoded tokens.
func BlocksOf(toks []lang.Token, lines []uint32, grown func(bytes int)) *lang.BlockStream {
	d := decoded{toks: toks, lines: lines, ids: make([]uint32, len(toks))}
	shapes := number(toks, d.ids)
	d.width = lang.ShapeWidth(len(shapes))
	return lang.NewBlockStream(len(toks), shapes, &d, grown)
}

// decoded is a source of blocks in memory.
type decoded struct {
	toks  []lang.Token
	lines []uint32
	ids   []uint32
	width int
}

func (d *decoded) Kinds(block int) []byte {
	from := block * lang.BlockTokens
	return appendKinds(nil, d.ids[from:min(from+lang.BlockTokens, len(d.ids))], d.width)
}

func (d *decoded) Spans(block int) []lang.Span {
	from := block * lang.BlockTokens
	to := min(from+lang.BlockTokens, len(d.toks))
	out := make([]lang.Span, 0, to-from)
	for i, t := range d.toks[from:to] {
		out = append(out, lang.Span{Start: t.Start, End: t.End, Line: d.lines[from+i]})
	}
	return out
}
