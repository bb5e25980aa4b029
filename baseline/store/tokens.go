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

// A blob of tokens begins with its head, so that one block can be read without
// the others:
//
//	u32      length of the head
//	uvarint  number of tokens
//	uvarint  number of distinct (kind, class, flags), the shapes
//	         each: u32 kind, u8 class and flags << 3
//	         for each block of lang.BlockTokens tokens:
//	uvarint  length of its kinds
//	uvarint  length of its spans
//	uvarint  end of the token before it
//	uvarint  line of the token before it; of the first block 1
//	u32      CRC32C of all this
//
// Then come the blocks, each as zstd(kinds), zstd(spans). Kinds are the numbers of
// the tokens' shapes, each in lang.ShapeWidth bytes. Spans are columns:
//
//	per token: varint gap to the end of the token before
//	per token: uvarint length
//	per token: uvarint line minus line of the token before
//
// Columns compress better than records. A gap can be negative in principle (a
// string that encloses its embedded code), so gaps are zigzag coded.
type tokenHead struct {
	tokens int
	shapes []lang.Shape
	blocks []tokenBlock
	size   int // bytes of the head
}

// tokenBlock is where a block lies in the blob, and what it goes on from.
type tokenBlock struct {
	at           uint64
	kinds, spans uint32 // bytes
	end, line    uint32 // of the token before
}

const (
	shapeSize = 5
	classBits = 3
)

// tokens compresses a token stream block by block.
func (e *Encoder) tokens(toks []lang.Token, lines lang.LineIndex) []byte {
	e.ids = slices.Grow(e.ids[:0], len(toks))[:len(toks)]
	ids := e.ids
	shapes := number(toks, ids)
	head := appendShapes(append(e.head[:0], 0, 0, 0, 0), len(toks), shapes)
	width := lang.ShapeWidth(len(shapes))
	body := e.body[:0]
	end, line := uint32(0), 1
	for from := 0; from < len(toks); from += lang.BlockTokens {
		to := min(from+lang.BlockTokens, len(toks))
		before, on := end, line
		e.buf = appendKinds(e.buf[:0], ids[from:to], width)
		at := len(body)
		body = e.z.EncodeAll(e.buf, body)
		kinds := len(body) - at
		e.buf, end, line = appendSpans(e.buf[:0], toks[from:to], lines, end, line)
		body = e.z.EncodeAll(e.buf, body)
		for _, v := range []uint64{uint64(kinds), uint64(len(body) - at - kinds), uint64(before), uint64(on)} {
			head = binary.AppendUvarint(head, v)
		}
	}
	e.head, e.body = sealHead(head), body
	return slices.Concat(e.head, e.body)
}

// sealHead gives a head its length and checksum.
func sealHead(head []byte) []byte {
	binary.LittleEndian.PutUint32(head, uint32(len(head)+4))
	return binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
}

func appendShapes(dst []byte, tokens int, shapes []lang.Shape) []byte {
	dst = binary.AppendUvarint(dst, uint64(tokens))
	dst = binary.AppendUvarint(dst, uint64(len(shapes)))
	for _, s := range shapes {
		dst = binary.LittleEndian.AppendUint32(dst, s.Kind)
		dst = append(dst, byte(s.Class)|byte(s.Flags)<<classBits)
	}
	return dst
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

// appendSpans returns where the last token ends, and on which line it begins, too.
func appendSpans(dst []byte, toks []lang.Token, lines lang.LineIndex, end uint32, line int) ([]byte, uint32, int) {
	for _, t := range toks {
		dst = binary.AppendVarint(dst, int64(t.Start)-int64(end))
		end = t.End
	}
	for _, t := range toks {
		dst = binary.AppendUvarint(dst, uint64(t.End-t.Start))
	}
	for _, t := range toks {
		l := lines.From(line, t.Start)
		dst = binary.AppendUvarint(dst, uint64(l-line))
		line = l
	}
	return dst, end, line
}

// number gives each token the number of its shape, in the order of their first
// occurrence. Tokens come by the million and shapes by the hundred: a small
// table that remembers where a hash led last spares nearly every map access.
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

// decodeHead reads the head of a blob of so many bytes. It allocates at most what
// b, which holds the head, can describe.
func decodeHead(b []byte, want int, blob uint64) (h tokenHead, err error) {
	body := len(b) - 4
	if crc32.Checksum(b[:body], castagnoli) != binary.LittleEndian.Uint32(b[body:]) {
		return h, errChecksum
	}
	r := reader{b: b[4:body]}
	n, shapes := r.uvarint(), r.uvarint()
	if n != uint64(want) || shapes > n {
		return h, fmt.Errorf("token count %d, want %d", n, want)
	}
	if shapes > uint64(r.left())/shapeSize {
		return h, errTruncated
	}
	h = tokenHead{tokens: want, size: len(b)}
	if h.shapes, err = decodeShapes(r.take(int(shapes)*shapeSize), int(shapes)); err != nil {
		return h, err
	}
	blocks := (n + lang.BlockTokens - 1) / lang.BlockTokens
	if blocks > uint64(r.left()) {
		return h, errTruncated
	}
	at := uint64(len(b))
	h.blocks = make([]tokenBlock, blocks)
	for i := range h.blocks {
		k := tokenBlock{at: at, kinds: uint32(r.uvarint()), spans: uint32(r.uvarint()), end: uint32(r.uvarint()), line: uint32(r.uvarint())}
		at += uint64(k.kinds) + uint64(k.spans)
		h.blocks[i] = k
	}
	if r.left() > 0 || at != blob {
		r.fail(fmt.Errorf("blocks end at byte %d of %d", at, blob))
	}
	return h, r.err
}

func decodeShapes(b []byte, n int) ([]lang.Shape, error) {
	out := make([]lang.Shape, n)
	for i := range out {
		s := b[i*shapeSize:][:shapeSize]
		out[i] = lang.Shape{Kind: binary.LittleEndian.Uint32(s), Class: lang.Class(s[4] & (1<<classBits - 1)), Flags: lang.Flags(s[4] >> classBits)}
		if out[i].Class > lang.Word {
			return nil, fmt.Errorf("token class %d", out[i].Class)
		}
	}
	return out, nil
}

// length is how many tokens a block has.
func (h *tokenHead) length(block int) int {
	return min(lang.BlockTokens, h.tokens-block*lang.BlockTokens)
}

// checkKinds checks the numbers of a block's shapes.
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

// decodeSpans reads the spans of n tokens that follow a block's predecessor in a
// text of so many bytes and lines.
func decodeSpans(b []byte, n int, k tokenBlock, size, lines uint32) ([]lang.Span, error) {
	if n > len(b)/3 { // a byte of each column at least
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

// reader takes numbers off a byte slice; its first failure sticks.
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

// left is how many bytes are left.
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

// BlocksOf makes a block stream of tokens that are decoded already.
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
