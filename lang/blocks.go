package lang

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// BlockTokens is how many tokens of a BlockStream are decoded at once.
const (
	BlockTokens = 1 << blockBits
	blockBits   = 12
)

// Shape is the part of a token that many tokens share.
type Shape struct {
	Kind  uint32
	Class Class
	Flags Flags
}

// Span is the position of a token: its bytes in the text.
type Span struct{ Start, End uint32 }

// BlockSource decodes the blocks of a stream. Each block has BlockTokens tokens; the last one has the rest. It is safe
// for concurrent use. It panics if a block cannot be read, since an error for each token would be of no use.
type BlockSource interface {
	// Kinds returns the shape numbers of a block, each in ShapeWidth bytes, little endian.
	Kinds(block int) []byte
	// Spans appends the spans of a block.
	Spans(dst []Span, block int) []Span
	// Lines returns the lines on which the tokens of a block begin, given their spans.
	Lines(block int, spans []Span) []uint32
}

// ShapeWidth returns how many bytes a shape number takes if there are that many shapes.
func ShapeWidth(shapes int) int {
	switch {
	case shapes <= 1<<8:
		return 1
	case shapes <= 1<<16:
		return 2
	}
	return 4
}

// BlockStream is a token stream that decodes only the blocks that are read: kinds, spans and lines apart from each other.
// It is safe for concurrent use.
type BlockStream struct {
	tokens int
	shapes []Shape
	width  uint32
	source BlockSource
	grown  func(bytes int)
	kinds  []atomic.Pointer[[]byte]
	spans  []atomic.Pointer[spans]
	lines  []atomic.Pointer[[]uint32]
}

// NewBlockStream returns a stream of the given number of tokens. grown, if not nil, is called with the memory that
// decoded blocks take.
func NewBlockStream(tokens int, shapes []Shape, source BlockSource, grown func(bytes int)) *BlockStream {
	blocks := (tokens + BlockTokens - 1) / BlockTokens
	return &BlockStream{
		tokens: tokens, shapes: shapes, width: uint32(ShapeWidth(len(shapes))), source: source, grown: grown,
		kinds: make([]atomic.Pointer[[]byte], blocks), spans: make([]atomic.Pointer[spans], blocks), lines: make([]atomic.Pointer[[]uint32], blocks),
	}
}

// Len returns the number of tokens.
func (s *BlockStream) Len() int { return s.tokens }

// Shape returns the kind, class and flags of token i.
func (s *BlockStream) Shape(i uint32) Shape {
	b, at := s.block(i)
	return s.shapes[s.number(b, at)]
}

// AppendShapes appends the shapes of the tokens [from, to).
func (s *BlockStream) AppendShapes(dst []Shape, from, to uint32) []Shape {
	n, more := len(dst), max(0, int(to)-int(from))
	dst = slices.Grow(dst, more)[:n+more]
	for out := dst[n:]; len(out) > 0; {
		b, at := s.block(from)
		some := min(len(out), int(BlockTokens-at))
		if s.width == 1 {
			for i, id := range b[at:][:some] {
				out[i] = s.shapes[id]
			}
		} else {
			for i := range out[:some] {
				out[i] = s.shapes[s.number(b, at+uint32(i))]
			}
		}
		out, from = out[some:], from+uint32(some)
	}
	return dst
}

// Common counts the tokens of toks that equal those of the stream from i on, in
// kind and class.
func (s *BlockStream) Common(toks []Token, i uint32) (n int) {
	toks = toks[:min(len(toks), s.tokens-int(i))]
	for n < len(toks) {
		b, at := s.block(i + uint32(n))
		if s.width == 1 {
			for ; n < len(toks) && at < BlockTokens; n, at = n+1, at+1 {
				if !s.shapes[b[at]].is(&toks[n]) {
					return n
				}
			}
			continue
		}
		for ; n < len(toks) && at < BlockTokens; n, at = n+1, at+1 {
			if !s.shapes[s.number(b, at)].is(&toks[n]) {
				return n
			}
		}
	}
	return n
}

// CommonBefore counts the tokens at the end of toks that equal those of the stream
// before i.
func (s *BlockStream) CommonBefore(toks []Token, i uint32) (n int) {
	most := min(len(toks), int(i))
	for n < most {
		b, at := s.block(i - uint32(n) - 1)
		for {
			if !s.shapes[s.number(b, at)].is(&toks[len(toks)-n-1]) {
				return n
			}
			n++
			if at == 0 || n == most {
				break
			}
			at--
		}
	}
	return n
}

// is reports whether a token has the kind and class of s.
func (s *Shape) is(t *Token) bool { return s.Kind == t.Kind && s.Class == t.Class }

// block returns the kinds of the block that contains token i, and its index there.
func (s *BlockStream) block(i uint32) (kinds []byte, at uint32) {
	b := s.kinds[i>>blockBits].Load()
	if b == nil {
		b = s.readKinds(int(i >> blockBits))
	}
	return *b, i % BlockTokens
}

// number returns the shape number of a token in a block.
func (s *BlockStream) number(b []byte, at uint32) uint32 {
	switch s.width {
	case 1:
		return uint32(b[at])
	case 2:
		return uint32(binary.LittleEndian.Uint16(b[2*at:]))
	}
	return binary.LittleEndian.Uint32(b[4*at:])
}

// Span returns the position of token i.
func (s *BlockStream) Span(i uint32) Span {
	b := s.spans[i>>blockBits].Load()
	if b == nil {
		b = s.readSpans(int(i >> blockBits))
	}
	return b.at(i % BlockTokens)
}

// AppendSpans appends the positions of the tokens [from, to).
func (s *BlockStream) AppendSpans(dst []Span, from, to uint32) []Span {
	n, more := len(dst), max(0, int(to)-int(from))
	dst = slices.Grow(dst, more)[:n+more]
	for out := dst[n:]; len(out) > 0; {
		b, at := s.spansOf(int(from>>blockBits)), from%BlockTokens
		some := min(len(out), int(BlockTokens-at))
		if b.wide != nil {
			copy(out[:some], b.wide[at:])
		} else {
			for i, p := range b.packed[at:][:some] {
				start := b.from[(at+uint32(i))>>groupBits] + p>>16
				out[i] = Span{start, start + p&math.MaxUint16}
			}
		}
		out, from = out[some:], from+uint32(some)
	}
	return dst
}

// spansOf returns the spans of a block.
func (s *BlockStream) spansOf(block int) *spans {
	if b := s.spans[block].Load(); b != nil {
		return b
	}
	return s.readSpans(block)
}

// Line returns the line that token i begins on.
func (s *BlockStream) Line(i uint32) int {
	return int(s.linesOf(int(i >> blockBits))[i%BlockTokens])
}

// linesOf returns the lines of a block.
func (s *BlockStream) linesOf(block int) []uint32 {
	if b := s.lines[block].Load(); b != nil {
		return *b
	}
	return s.readLines(block)
}

// At returns token i.
func (s *BlockStream) At(i uint32) Token {
	shape, span := s.Shape(i), s.Span(i)
	return Token{Start: span.Start, End: span.End, Kind: shape.Kind, Class: shape.Class, Flags: shape.Flags}
}

// AppendTokens appends the tokens [from, to).
func (s *BlockStream) AppendTokens(dst []Token, from, to uint32) []Token {
	n, more := len(dst), max(0, int(to)-int(from))
	dst = slices.Grow(dst, more)[:n+more]
	for out := dst[n:]; len(out) > 0; {
		kinds, at := s.block(from)
		spans := s.spansOf(int(from >> blockBits))
		some := min(len(out), int(BlockTokens-at))
		for i := range out[:some] {
			shape, span := &s.shapes[s.number(kinds, at+uint32(i))], spans.at(at+uint32(i))
			out[i] = Token{Start: span.Start, End: span.End, Kind: shape.Kind, Class: shape.Class, Flags: shape.Flags}
		}
		out, from = out[some:], from+uint32(some)
	}
	return dst
}

// All returns all tokens.
func (s *BlockStream) All() []Token { return s.AppendTokens(nil, 0, uint32(s.tokens)) }

// Lines returns the line that each token begins on.
func (s *BlockStream) Lines() []uint32 {
	out := make([]uint32, 0, s.tokens)
	for block := range s.lines {
		out = append(out, s.linesOf(block)...)
	}
	return out
}

func (s *BlockStream) readKinds(block int) *[]byte {
	b := s.source.Kinds(block)
	s.keep(s.kinds[block].CompareAndSwap(nil, &b), cap(b))
	return &b
}

// spanRooms has buffers for the spans of a block.
var spanRooms = sync.Pool{New: func() any { return new([]Span) }}

func (s *BlockStream) readSpans(block int) *spans {
	room := spanRooms.Get().(*[]Span)
	defer spanRooms.Put(room)
	*room = s.source.Spans((*room)[:0], block)
	b := packSpans(*room)
	s.keep(s.spans[block].CompareAndSwap(nil, b), b.bytes())
	return b
}

func (s *BlockStream) readLines(block int) []uint32 {
	packed := s.spansOf(block)
	room := spanRooms.Get().(*[]Span)
	defer spanRooms.Put(room)
	*room = (*room)[:0]
	for i := range min(BlockTokens, s.tokens-block*BlockTokens) {
		*room = append(*room, packed.at(uint32(i)))
	}
	b := s.source.Lines(block, *room)
	s.keep(s.lines[block].CompareAndSwap(nil, &b), 4*cap(b))
	return b
}

// keep reports a block's memory, unless another reader stored the block first.
func (s *BlockStream) keep(kept bool, bytes int) {
	if kept && s.grown != nil {
		s.grown(bytes)
	}
}

// spans are the spans of a block, in four bytes each. Spans of documents are most of the memory that a scan keeps.
type spans struct {
	from   []uint32 // by group: where its first token begins
	packed []uint32 // by token: how far after that it begins in the upper half, its length in the lower half
	wide   []Span   // instead, if a token has no room there
}

const groupBits = 5 // a group is 32 tokens

func packSpans(in []Span) *spans {
	const groupTokens = 1 << groupBits
	out := &spans{packed: make([]uint32, len(in)), from: make([]uint32, (len(in)+groupTokens-1)/groupTokens)}
	for i := range out.from {
		group := in[i*groupTokens : min((i+1)*groupTokens, len(in))]
		packed, from := out.packed[i*groupTokens:], group[0].Start
		if !packGroup(packed, group, from) {
			for _, s := range group { // code within a string begins before the string's end
				from = min(from, s.Start)
			}
			if !packGroup(packed, group, from) {
				return &spans{wide: slices.Clone(in)}
			}
		}
		out.from[i] = from
	}
	return out
}

// packGroup packs the spans of a group, whose first token begins at from. It returns false if a token has no room.
func packGroup(dst []uint32, group []Span, from uint32) bool {
	dst = dst[:len(group)]
	most := uint32(0)
	for i, s := range group {
		behind, length := s.Start-from, s.End-s.Start
		most |= behind | length
		dst[i] = behind<<16 | length
	}
	return most <= math.MaxUint16
}

func (s *spans) at(i uint32) Span {
	if s.wide != nil {
		return s.wide[i]
	}
	p := s.packed[i]
	start := s.from[i>>groupBits] + p>>16
	return Span{start, start + p&math.MaxUint16}
}

func (s *spans) bytes() int { return 4*(len(s.from)+len(s.packed)) + 8*len(s.wide) }
