package lang

import (
	"encoding/binary"
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

// Span is the position of a token: its bytes in the text, and the line where it begins.
type Span struct{ Start, End, Line uint32 }

// BlockSource decodes the blocks of a stream. Each block has BlockTokens tokens; the last one has the rest. It is safe
// for concurrent use. It panics if a block cannot be read, since an error for each token would be of no use.
type BlockSource interface {
	// Kinds returns the shape numbers of a block, each in ShapeWidth bytes, little endian.
	Kinds(block int) []byte
	Spans(block int) []Span
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

// BlockStream is a token stream that decodes only the blocks that are read, kinds apart from spans. It is safe for
// concurrent use.
type BlockStream struct {
	tokens int
	shapes []Shape
	width  uint32
	source BlockSource
	grown  func(bytes int)
	kinds  []atomic.Pointer[[]byte]
	spans  []atomic.Pointer[[]Span]
}

// NewBlockStream returns a stream of the given number of tokens. grown, if not nil, is called with the memory that
// decoded blocks take.
func NewBlockStream(tokens int, shapes []Shape, source BlockSource, grown func(bytes int)) *BlockStream {
	blocks := (tokens + BlockTokens - 1) / BlockTokens
	return &BlockStream{
		tokens: tokens, shapes: shapes, width: uint32(ShapeWidth(len(shapes))), source: source, grown: grown,
		kinds: make([]atomic.Pointer[[]byte], blocks), spans: make([]atomic.Pointer[[]Span], blocks),
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
	for from < to {
		b, at := s.block(from)
		end := min(to, (from>>blockBits+1)<<blockBits)
		if s.width == 1 {
			for _, id := range b[at : at+end-from] {
				dst = append(dst, s.shapes[id])
			}
		} else {
			for i := range end - from {
				dst = append(dst, s.shapes[s.number(b, at+i)])
			}
		}
		from = end
	}
	return dst
}

// Common counts the tokens of toks that equal those of the stream from i on, in
// kind and class.
func (s *BlockStream) Common(toks []Token, i uint32) (n int) {
	toks = toks[:min(len(toks), s.tokens-int(i))]
	for n < len(toks) {
		b, at := s.block(i + uint32(n))
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
func (s *BlockStream) Span(i uint32) Span { return s.Spans(i)[0] }

// Spans returns the positions of the tokens from i to the end of its block. They must not be modified.
func (s *BlockStream) Spans(i uint32) []Span {
	b := s.spans[i>>blockBits].Load()
	if b == nil {
		b = s.readSpans(int(i >> blockBits))
	}
	return (*b)[i%BlockTokens:]
}

// Line returns the line that token i begins on.
func (s *BlockStream) Line(i uint32) int { return int(s.Span(i).Line) }

// At returns token i.
func (s *BlockStream) At(i uint32) Token {
	shape, span := s.Shape(i), s.Span(i)
	return Token{Start: span.Start, End: span.End, Kind: shape.Kind, Class: shape.Class, Flags: shape.Flags}
}

// Slice returns the tokens [from, to).
func (s *BlockStream) Slice(from, to uint32) []Token {
	out := make([]Token, to-from)
	for at := 0; at < len(out); {
		at += s.read(out[at:], nil, from+uint32(at))
	}
	return out
}

// read fills toks with the tokens from i to the end of its block, and lines unless it is nil. It returns the number of
// tokens.
func (s *BlockStream) read(toks []Token, lines []uint32, i uint32) int {
	kinds, at := s.block(i)
	spans := s.Spans(i)
	n := min(len(toks), len(spans))
	for j, span := range spans[:n] {
		shape := &s.shapes[s.number(kinds, at+uint32(j))]
		toks[j] = Token{Start: span.Start, End: span.End, Kind: shape.Kind, Class: shape.Class, Flags: shape.Flags}
	}
	if lines != nil {
		for j, span := range spans[:n] {
			lines[j] = span.Line
		}
	}
	return n
}

// All returns all tokens and the line that each begins on.
func (s *BlockStream) All() (toks []Token, lines []uint32) {
	toks, lines = make([]Token, s.tokens), make([]uint32, s.tokens)
	for at := 0; at < len(toks); {
		at += s.read(toks[at:], lines[at:], uint32(at))
	}
	return toks, lines
}

func (s *BlockStream) readKinds(block int) *[]byte {
	b := s.source.Kinds(block)
	s.keep(s.kinds[block].CompareAndSwap(nil, &b), cap(b))
	return &b
}

func (s *BlockStream) readSpans(block int) *[]Span {
	b := s.source.Spans(block)
	const spanBytes = 12
	s.keep(s.spans[block].CompareAndSwap(nil, &b), spanBytes*cap(b))
	return &b
}

// keep reports a block's memory, unless another reader stored the block first.
func (s *BlockStream) keep(kept bool, bytes int) {
	if kept && s.grown != nil {
		s.grown(bytes)
	}
}
