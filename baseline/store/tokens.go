package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
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

// checkKinds checks the shape numbers of a block.
func (h *tokenHead) checkKinds(b []byte, block int) error {
	width := lang.ShapeWidth(len(h.shapes))
	if len(b) != width*h.length(block) {
		return errTruncated
	}
	if width == 1 && within(b, len(h.shapes)) {
		return nil
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

// within reports whether all bytes are below n, if it can tell that from eight bytes at a time. Nearly every document has so few
// shapes that it can.
func within(b []byte, n int) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	if n == 0 || n > 128 {
		return false
	}
	over := uint64(0) // a byte's top bit is set if one was n or more
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		over |= x | (x + ones*uint64(128-n))
	}
	for _, c := range b {
		over |= uint64(c) | (uint64(c) + uint64(128-n))
	}
	return over&tops == 0
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

// decodeSpans reads the spans of the tokens of block k into out, and returns the line on which each begins. size and lines are the
// bytes and lines of the text.
func decodeSpans(out []lang.Span, b []byte, k tokenBlock, size, lines uint32) ([]uint32, error) {
	if len(out) > len(b)/3 { // each column has at least one byte per token
		return nil, errTruncated
	}
	r, at := reader{b: b}, make([]uint32, len(out))
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
	for i, s := range out {
		line += uint32(r.uvarint())
		at[i] = line
		if s.End > size || s.Start > s.End || line > lines+1 { // an empty token may follow the last newline
			r.fail(errOutside)
		}
	}
	if r.left() > 0 {
		r.fail(fmt.Errorf("%d bytes too many", r.left()))
	}
	if r.err != nil {
		return nil, r.err
	}
	return at, nil
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

func (d *decoded) Spans(dst []lang.Span, block int) []lang.Span {
	from := block * lang.BlockTokens
	for _, t := range d.toks[from:min(from+lang.BlockTokens, len(d.toks))] {
		dst = append(dst, lang.Span{Start: t.Start, End: t.End})
	}
	return dst
}

func (d *decoded) Lines(block int, _ []lang.Span) []uint32 {
	from := block * lang.BlockTokens
	return d.lines[from:min(from+lang.BlockTokens, len(d.lines))]
}

// commentsOf returns the bits of the openers that begin a comment in a document. An opener does if more gaps between
// tokens begin with it than tokens do.
func commentsOf(text []byte, toks []lang.Token) uint8 {
	var more [len(openers)]int
	at := 0
	for _, t := range toks {
		if int(t.Start) > at {
			count(&more, bytes.TrimLeft(text[at:t.Start], "\t\n\v\f\r "), 1)
		}
		count(&more, text[t.Start:t.End], -1)
		at = max(at, int(t.End))
	}
	var out uint8
	for i, n := range more {
		if n > 0 {
			out |= 1 << i
		}
	}
	return out
}

func count(more *[len(openers)]int, text []byte, n int) {
	if len(text) == 0 || opensComment[text[0]] == 0 {
		return
	}
	for i, o := range openers {
		if bytes.HasPrefix(text, []byte(o)) {
			more[i] += n
		}
	}
}

// appendWrong appends the tokens of a block that a guesser gets wrong. The block begins after byte at. For each wrong
// token it appends the number of right ones before it, the zigzag distance from the end of the previous token, and its
// length.
func appendWrong(dst []byte, text []byte, comments uint8, toks []lang.Token, at uint32) []byte {
	g := guesser{text: text, comments: comments, begins: atFirst}
	right := uint64(0)
	for _, t := range toks {
		start := g.start(int(at))
		if start == int(t.Start) && g.endsAt(start, int(t.End)) {
			right++
		} else {
			dst = binary.AppendUvarint(dst, right)
			dst = binary.AppendVarint(dst, int64(t.Start)-int64(at))
			dst = binary.AppendUvarint(dst, uint64(t.End-t.Start))
			g.learn(int(t.Start), int(t.End))
			right = 0
		}
		at = t.End
	}
	return dst
}

// guessSpans reverses appendWrong, for the tokens of block k. It sets their spans.
func guessSpans(out []lang.Span, wrong []byte, k tokenBlock, comments uint8, text []byte) error {
	if int(k.end) > len(text) || k.back > k.end {
		return errOutside
	}
	r, g := reader{b: wrong}, guesser{text: text, comments: comments, begins: atFirst}
	at, left := int(k.end), r.untilWrong()
	for i := range out {
		start := 0
		if left > 0 {
			start = g.start(at)
			at = g.end(start)
		} else {
			start = at + int(r.varint())
			at = start + int(r.uvarint())
			if left = 1 + r.untilWrong(); start < 0 || start > at || at > len(text) {
				return errOutside
			}
			g.learn(start, at)
		}
		left--
		out[i].Start, out[i].End = uint32(start), uint32(at)
	}
	if r.left() > 0 {
		r.fail(fmt.Errorf("%d bytes too many", r.left()))
	}
	return r.err
}

// untilWrong returns how many tokens are guessed right before the next wrong one.
func (r *reader) untilWrong() int {
	if r.left() == 0 {
		return math.MaxInt
	}
	return int(min(r.uvarint(), math.MaxInt32))
}

// linesOf returns the lines on which spans begin, given the line of byte at. A token inside the previous one gets that one's line,
// since lines never decrease.
func linesOf(spans []lang.Span, text []byte, at int, line uint32) []uint32 {
	out := make([]uint32, len(spans))
	next := at + nextBreak(text[at:])
	for i, s := range spans {
		for at = max(at, int(s.Start)); next < at; next += 1 + nextBreak(text[next+1:]) {
			line++
		}
		out[i] = line
	}
	return out
}

// nextBreak returns the number of bytes before the first line break.
func nextBreak(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}
