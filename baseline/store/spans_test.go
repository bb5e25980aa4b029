package store

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// cut makes tokens from the text between bars, and removes the bars.
func cut(marked string) (text []byte, toks []lang.Token) {
	for i, part := range strings.Split(marked, "|") {
		if at := uint32(len(text)); i%2 == 1 {
			toks = append(toks, lang.Token{Start: at, End: at + uint32(len(part))})
		}
		text = append(text, part...)
	}
	return text, toks
}

// The bytes are the format: the stored wrong guesses must not change within a version.
func TestGuesses(t *testing.T) {
	for _, c := range []struct {
		marked   string
		comments uint8
		wrong    []byte
	}{
		{`|a1| |=||(||0x1f||+||1.5e-3||)|` + "\t// b\n |c_||==||\"d\\\" e\"| /* f\n */|;|", 3, nil},
		{"|x| |:=| |`a\nb`||...| |'''c\n'd'''| |é|", 0, nil},
		{"|1||..||2| |0xe||+||1|", 0, nil},
		{"|a| # b\n |b| # d\n |#| |c|", 4, []byte{2, 12, 1}}, // two right, then 6 bytes on a token of 1
		{"|@a| |@b| |.||@||c|", 0, []byte{0, 0, 2, 2, 0, 1}}, // learnt: then a word
		{"|/a b/| |/c d/|", 0, []byte{0, 0, 5}},              // learnt: quoted
		{"|<<<| |a| |<<<|", 0, []byte{0, 0, 3}},              // learnt: its length
		{`|"||a||"| |"||b||"|`, 0, []byte{0, 0, 1}},          // learnt: a quote is a token
		{"|abc| |b|", 0, nil},
		{"|\"|\n|b||\"|", 0, nil},         // the end of a line does not end a string
		{"|a||| |b|", 0, []byte{1, 0, 0}}, // an empty token
	} {
		text, toks := cut(c.marked)
		if got := appendWrong(nil, text, c.comments, toks, 0); !bytes.Equal(got, c.wrong) {
			t.Errorf("%q: wrong %v, want %v", c.marked, got, c.wrong)
		}
		if got := commentsOf(text, toks); got != c.comments {
			t.Errorf("%q: comments %b, want %b", c.marked, got, c.comments)
		}
		spans := make([]lang.Span, len(toks))
		if err := guessSpans(spans, c.wrong, tokenBlock{line: 1}, c.comments, text); err != nil {
			t.Errorf("%q: %v", c.marked, err)
			continue
		}
		index, lines := lang.Lines(text), linesOf(spans, text, 0, 1)
		for i, s := range spans {
			if want := (lang.Span{Start: toks[i].Start, End: toks[i].End}); s != want || int(lines[i]) != index.Line(toks[i].Start) {
				t.Errorf("%q: token %d is %+v on line %d, want %+v", c.marked, i, s, lines[i], want)
			}
		}
	}
}

// Tokens of a line may be inside a token that began lines above, in the block before.
func TestGuessesBehindBlock(t *testing.T) {
	text := []byte("`a\nb\nc`\nd\ne")
	k := tokenBlock{end: 7, line: 1, back: 7} // the string, which begins on line 1
	spans := make([]lang.Span, 3)
	err := guessSpans(spans, []byte{0, 7, 1}, k, 0, text)
	want := []lang.Span{{Start: 3, End: 4}, {Start: 5, End: 6}, {Start: 6, End: 7}}
	if err != nil || !slices.Equal(spans, want) {
		t.Errorf("%+v, %v, want %+v", spans, err, want)
	}
	if got := linesOf(spans, text, int(k.end-k.back), k.line); !slices.Equal(got, []uint32{2, 3, 3}) {
		t.Errorf("lines %v", got)
	}
}

// Unclosed quotes are not each followed to the end of the text.
func TestUnclosed(t *testing.T) {
	text := bytes.Repeat([]byte("`\\"), 1<<19)
	g := guesser{text: text, begins: atFirst}
	for at := 0; at < len(text); {
		at = g.end(at)
	}
	if g.unclosed > mostUnclosed+2*len(text) {
		t.Errorf("%d bytes are read in vain, of %d", g.unclosed, len(text))
	}
}

// A block of tokens unlike those of any language is still stored and read.
func TestGuessesNothing(t *testing.T) {
	text := bytes.Repeat([]byte("/*' \"\\`\n"), 2000)
	var toks []lang.Token
	for at := uint32(0); int(at)+5 < len(text); at += 3 {
		toks = append(toks, lang.Token{Start: at, End: at + 1 + at%4, Class: lang.Word})
	}
	r, d := stored(t, text, toks)
	got, lines, err := r.Stream(d)
	index := lang.Lines(text)
	if err != nil || !slices.Equal(got, toks) {
		t.Fatalf("tokens differ: %v", err)
	}
	for i, l := range lines {
		if int(l) != index.Line(toks[i].Start) {
			t.Fatalf("token %d is on line %d, want %d", i, l, index.Line(toks[i].Start))
		}
	}
}

// TestManyUnclosed: once too many quotes were followed in vain, reader and writer still guess alike. Strings of two lines are guessed
// wrong and reach the bound; behind them a quote is a token by itself.
func TestManyUnclosed(t *testing.T) {
	long := "|\"" + strings.Repeat("a", 300) + "\nb\"| |\"c\"|\n"
	text, toks := cut(strings.Repeat(long, 2*mostUnclosed/300) + "|\"||d||\"|")
	spans := make([]lang.Span, len(toks))
	if err := guessSpans(spans, appendWrong(nil, text, 0, toks, 0), tokenBlock{line: 1}, 0, text); err != nil {
		t.Fatal(err)
	}
	for i, s := range spans {
		if s.Start != toks[i].Start || s.End != toks[i].End {
			t.Fatalf("token %d of %d is %d-%d, want %d-%d", i, len(toks), s.Start, s.End, toks[i].Start, toks[i].End)
		}
	}
}

// TestWithin: a byte that is too large is seen anywhere in a block, and no other.
func TestWithin(t *testing.T) {
	for _, n := range []int{1, 2, 100, 127, 128} {
		for size := range 20 {
			b := bytes.Repeat([]byte{byte(n - 1)}, size)
			if !within(b, n) {
				t.Errorf("%d bytes of %d are not below %d", size, n-1, n)
			}
			for at := range b {
				for _, c := range []int{n, 128, 255} {
					b[at] = byte(c)
					if within(b, n) {
						t.Errorf("byte %d of %d is %d, but below %d", at, size, c, n)
					}
				}
				b[at] = byte(n - 1)
			}
		}
	}
	if within([]byte{0}, 0) || within([]byte{0}, 129) {
		t.Error("no shapes, and more than it can tell")
	}
}
