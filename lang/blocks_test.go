package lang

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// counted tells which blocks were asked for.
type counted struct{ kinds, spans, lines []int }

func (c *counted) Kinds(block int) []byte {
	c.kinds = append(c.kinds, block)
	return make([]byte, BlockTokens)
}

func (c *counted) Spans(dst []Span, block int) []Span {
	c.spans = append(c.spans, block)
	for i := range uint32(BlockTokens) {
		n := uint32(block*BlockTokens) + i
		dst = append(dst, Span{3 * n, 3*n + 2})
	}
	return dst
}

func (c *counted) Lines(block int, spans []Span) []uint32 {
	c.lines = append(c.lines, block)
	out := make([]uint32, 0, BlockTokens)
	for _, s := range spans {
		out = append(out, s.Start/3/2+1)
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
	got := s.AppendTokens(nil, at, at+2)
	for i, tok := range got {
		n := at + uint32(i)
		if tok != (Token{Start: 3 * n, End: 3*n + 2, Kind: 7, Class: Identifier, Flags: FlagImport}) || s.Span(n) != (Span{3 * n, 3*n + 2}) {
			t.Errorf("token %d: %+v at %+v", n, tok, s.Span(n))
		}
	}
	const decoded = 2 * BlockTokens * (1 + 4 + 4/32.) // a kind, a span, and the beginning of a group of 32
	if len(c.kinds) != 2 || len(c.spans) != 2 || len(c.lines) != 0 || grown != decoded {
		t.Errorf("two tokens decode kinds of %v, spans of %v, lines of %v, %d bytes", c.kinds, c.spans, c.lines, grown)
	}
	if line := s.Line(at); line != int(at)/2+1 || len(c.lines) != 1 || grown != decoded+4*BlockTokens {
		t.Errorf("line %d, lines of %v decoded, %d bytes", line, c.lines, grown)
	}
	if lines := s.Lines(); len(lines) != s.Len() || len(c.lines) != 4 {
		t.Errorf("%d lines, of blocks %v", len(lines), c.lines)
	}
}

// given is a source of given spans.
type given []Span

func (g given) Kinds(int) []byte               { return make([]byte, len(g)) }
func (g given) Spans(dst []Span, _ int) []Span { return append(dst, g...) }
func (given) Lines(int, []Span) []uint32       { return nil }

// TestSpansOfAnySize: spans are kept as they are, however long or far apart they are, and in any order.
func TestSpansOfAnySize(t *testing.T) {
	var near given
	for i := range uint32(100) {
		near = append(near, Span{7 * i, 7*i + i%7})
	}
	nested := append(given{{0, 1}, {5, 90}, {20, 23}, {90, 91}, {1, 2}}, near...)
	for name, g := range map[string]given{
		"near":     near,
		"nested":   nested,
		"long":     append(slices.Clone(near), Span{1000, 1000 + 1<<16 - 1}, Span{1, 1 << 16}, Span{3, 1<<16 + 4}),
		"apart":    append(slices.Clone(near), Span{1 << 20, 1<<20 + 1}, Span{1<<32 - 2, 1<<32 - 1}),
		"one":      {{1<<32 - 2, 1<<32 - 1}},
		"no token": {},
	} {
		s := NewBlockStream(len(g), []Shape{{}}, g, nil)
		if got := s.AppendSpans(nil, 0, uint32(len(g))); !slices.Equal(got, g) {
			t.Errorf("%s: %v, want %v", name, got, g)
		}
		for i, want := range g {
			if got := s.Span(uint32(i)); got != want {
				t.Errorf("%s: token %d at %v, want %v", name, i, got, want)
			}
		}
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

func (tables) Spans(dst []Span, _ int) []Span { return dst }
func (tables) Lines(int, []Span) []uint32     { return nil }

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
