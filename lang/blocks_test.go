package lang

import (
	"math/rand/v2"
	"testing"
)

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

// tables is a source of given shapes.
type tables struct {
	ids   []uint32
	width int
}

func (s tables) Kinds(block int) []byte {
	var out []byte
	for _, id := range s.ids[block*BlockTokens : min((block+1)*BlockTokens, len(s.ids))] {
		for i := range s.width {
			out = append(out, byte(id>>(8*i)))
		}
	}
	return out
}

func (tables) Spans(int) []Span { return nil }

// Common, CommonBefore and AppendShapes say what Shape says, across blocks too.
func TestBlockStreamCompares(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, kinds := range []int{2, 300, 70_000} {
		shapes := make([]Shape, kinds)
		for i := range shapes {
			shapes[i] = Shape{Kind: uint32(i / 2), Class: Class(i % 2)}
		}
		ids := make([]uint32, 3*BlockTokens-5)
		for i := range ids {
			ids[i] = uint32(i / 1500 % kinds)
		}
		s := NewBlockStream(len(ids), shapes, tables{ids, ShapeWidth(kinds)}, nil)
		for range 300 {
			at := r.IntN(len(ids))
			toks := make([]Token, r.IntN(2*BlockTokens))
			for i := range toks {
				sh := shapes[ids[r.IntN(len(ids))]]
				if j := at + i; j < len(ids) && r.IntN(3000) > 0 {
					sh = shapes[ids[j]]
				}
				toks[i] = Token{Kind: sh.Kind, Class: sh.Class}
			}
			equal := func(i, j int) bool {
				sh := s.Shape(uint32(j))
				return toks[i].Kind == sh.Kind && toks[i].Class == sh.Class
			}
			want := 0
			for want < len(toks) && at+want < len(ids) && equal(want, at+want) {
				want++
			}
			if got := s.Common(toks, uint32(at)); got != want {
				t.Fatalf("%d of %d tokens are equal from %d on, want %d", got, len(toks), at, want)
			}
			end, want := min(at+len(toks), len(ids)), 0
			for want < min(len(toks), end) && equal(len(toks)-want-1, end-want-1) {
				want++
			}
			if got := s.CommonBefore(toks, uint32(end)); got != want {
				t.Fatalf("%d of %d tokens are equal before %d, want %d", got, len(toks), end, want)
			}
			for i, sh := range s.AppendShapes(nil, uint32(at), uint32(end)) {
				if sh != s.Shape(uint32(at+i)) {
					t.Fatalf("shape %d of [%d, %d)", i, at, end)
				}
			}
		}
	}
}
