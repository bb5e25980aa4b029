package lang

import "testing"

// counted tells which blocks were asked for.
type counted struct{ kinds, spans []int }

func (c *counted) Kinds(block int) []byte {
	c.kinds = append(c.kinds, block)
	return make([]byte, BlockTokens)
}

func (c *counted) Spans(block int) []Span {
	c.spans = append(c.spans, block)
	out := make([]Span, BlockTokens)
	for i := range out {
		n := uint32(block*BlockTokens + i)
		out[i] = Span{3 * n, 3*n + 2, n/2 + 1}
	}
	return out
}

func TestBlockStreamDecodesWhatIsRead(t *testing.T) {
	var c counted
	grown := 0
	s := NewBlockStream(4*BlockTokens, []Shape{{Kind: 7, Class: Identifier, Flags: FlagImport}}, &c, func(n int) { grown += n })
	if s.Len() != 4*BlockTokens || grown != 0 {
		t.Fatalf("%d tokens, %d bytes", s.Len(), grown)
	}
	at := uint32(2*BlockTokens - 1)
	for range 2 {
		if got := s.Shape(at); got != (Shape{7, Identifier, FlagImport}) {
			t.Errorf("shape %+v", got)
		}
	}
	if len(c.kinds) != 1 || c.kinds[0] != 1 || len(c.spans) != 0 || grown != BlockTokens {
		t.Errorf("one kind decodes kinds of %v, spans of %v, %d bytes", c.kinds, c.spans, grown)
	}
	got := s.Slice(at, at+2)
	for i, tok := range got {
		n := at + uint32(i)
		if tok != (Token{Start: 3 * n, End: 3*n + 2, Kind: 7, Class: Identifier, Flags: FlagImport}) || s.Line(n) != int(n)/2+1 {
			t.Errorf("token %d: %+v on line %d", n, tok, s.Line(n))
		}
	}
	if len(c.kinds) != 2 || len(c.spans) != 2 || grown != 2*13*BlockTokens {
		t.Errorf("two tokens decode kinds of %v, spans of %v, %d bytes", c.kinds, c.spans, grown)
	}
}

func TestShapeWidth(t *testing.T) {
	for shapes, want := range map[int]int{0: 1, 1: 1, 256: 1, 257: 2, 65536: 2, 65537: 4} {
		if got := ShapeWidth(shapes); got != want {
			t.Errorf("%d shapes: %d bytes, want %d", shapes, got, want)
		}
	}
}
