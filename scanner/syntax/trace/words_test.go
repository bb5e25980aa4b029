package trace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// TestEachWord: the words of a text are the same, 64 bytes at a time or one by one, wherever they begin and end.
func TestEachWord(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	signs := []byte("aZ09_ .@[`{/:^\x00\x7f\x80\xc3\xdf\xff")
	for range 3000 {
		text := make([]byte, random.IntN(300))
		word := random.IntN(100)
		for i := range text {
			if text[i] = 'x'; random.IntN(100) >= word {
				text[i] = signs[random.IntN(len(signs))]
			}
		}
		type found struct {
			hash   uint64
			length int
		}
		var got, want []found
		eachWord(text, func(h uint64, length int) { got = append(got, found{h, length}) })
		eachWordBytewise(text, 0, func(h uint64, length int) { want = append(want, found{h, length}) })
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	}
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	for i := range every {
		if got := wordBytes(every[i&^63:i&^63+64])>>(i&63)&1 == 1; got != inWord[i] {
			t.Errorf("byte %#x is part of a word: %v", i, got)
		}
	}
}

// TestPossible: no text that has a share of a signature is rejected, and a text without the names of either side is.
func TestPossible(t *testing.T) {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	golang := lang.ByName("go")
	tokens := func(text string) []lang.Token {
		s, err := tz.Tokenize(golang, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return append([]lang.Token(nil), s.Tokens...)
	}
	var lines []string
	for i := range 12 {
		lines = append(lines, fmt.Sprintf("\tfirst%d, é_wide%d := counted(x, %q)\n", i, i, strings.Repeat("a", i)))
	}
	text := func(lines []string) string { return "package a\n\nfunc f() {\n" + strings.Join(lines, "") + "}\n" }
	rename := strings.NewReplacer("first", "renamed", "counted", "measured")
	here, there := text(lines), rename.Replace(text(lines))
	var sig Signature
	sig.Add(sig.Side([]byte(here), tokens(here)), sig.Side([]byte(there), tokens(there)))
	k := NewSet([]*Signature{&sig})
	possible := 0
	for n := range lines {
		for _, other := range []string{text(lines[:n]), text(lines[n:]), rename.Replace(text(lines[n:])), text(append(lines[n:len(lines):len(lines)], "\tunknown(names, everywhere)\n"))} {
			share := k.Shares([]byte(other), tokens(other))[0]
			for _, least := range []float64{share, 0.5, Most} {
				if share >= least && !k.Possible([]byte(other), least) {
					t.Errorf("%v of %v ruled out:\n%s", share, least, other)
				}
			}
			if k.Possible([]byte(other), Most) {
				possible++
			}
		}
	}
	if possible == 0 || possible == 4*len(lines) {
		t.Errorf("%d of %d are possible", possible, 4*len(lines))
	}
	if k.Possible([]byte("package a\n\nfunc f() {\n\tnone, of := these(names, there)\n}\n"), Most) {
		t.Error("a text without the names")
	}
}
