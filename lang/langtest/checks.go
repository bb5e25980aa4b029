package langtest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

func detected(t *testing.T, k *kit) {
	d := lang.Detect("dir/"+k.Name, k.Source)
	if d.Language != k.Language || d.Skip != "" || d.Note != "" || d.Generated {
		t.Errorf("%+v", d)
	}
}

// positions checks that tokens are within the source, in order, without overlap, and not empty.
func positions(t *testing.T, k *kit) {
	if err := Ordered(k.tokens, k.Source); err != nil {
		t.Error(err)
	}
}

// Ordered returns an error if the positions of a stream are wrong.
func Ordered(tokens []lang.Token, src []byte) error {
	at := uint32(0)
	for i, t := range tokens {
		if t.Start < at || t.End <= t.Start || uint64(t.End) > uint64(len(src)) {
			return fmt.Errorf("token %d: %d to %d, the one before ends at %d of %d", i, t.Start, t.End, at, len(src))
		}
		at = t.End
	}
	return nil
}

// covered checks that text outside of tokens is white space, or has a reason.
func covered(t *testing.T, k *kit) {
	behind := ""
	for i, g := range k.gaps() {
		if text := string(k.Source[g.start:g.end]); !k.explained(behind, text) {
			t.Errorf("in no token: %q behind %q", text, behind)
		}
		if i < len(k.tokens) {
			behind = k.text(k.tokens[i])
		}
	}
}

func classes(t *testing.T, k *kit) {
	seen := map[lang.Class]int{}
	for _, token := range k.tokens {
		seen[token.Class]++
	}
	for i, letter := range letters {
		if c := lang.Class(i); strings.ContainsRune(k.classes, letter) != (seen[c] > 0) {
			t.Errorf("%d tokens of class %v", seen[c], c)
		}
	}
}

// imports checks that exactly the tokens on import lines are marked.
func imports(t *testing.T, k *kit) {
	marked, lines := k.within("imports"), lang.Lines(k.Source)
	for _, token := range k.tokens {
		line := lines.Line(token.Start)
		if is := token.Flags&lang.FlagImport != 0; is != marked[line] {
			t.Errorf("line %d: %q: import %v", line, k.text(token), is)
		}
	}
}

// deterministic checks that the stream is always the same: from a tokenizer that has read other documents, and from
// other goroutines.
func deterministic(t *testing.T, k *kit) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			z := lang.NewTokenizer(lang.Limits{})
			defer z.Close()
			for range 2 {
				s, err := z.Tokenize(k.Language, k.Source)
				if err != nil || !slices.Equal(s.Tokens, k.tokens) {
					t.Errorf("another stream, %v", err)
				}
				if _, err := z.Tokenize(k.Language, k.Source[:len(k.Source)/2]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// name matches identifiers that can be renamed.
var name = regexp.MustCompile(`^[$@:#]*\pL\w*$`)

// renamed checks that other names give the same stream.
func renamed(t *testing.T, k *kit) {
	if k.Language == lang.Words() {
		return // the text of a word is its identity
	}
	fixed := regexp.MustCompile(`^(?:` + k.fixed + `)$`)
	var out bytes.Buffer
	at, all, changed := uint32(0), 0, 0
	for _, token := range k.tokens {
		out.Write(k.Source[at:token.End])
		at = token.End
		if token.Class != lang.Identifier {
			continue
		}
		all++
		if text := k.text(token); name.MatchString(text) && !fixed.MatchString(text) {
			out.WriteString("_x1")
			changed++
		}
	}
	out.Write(k.Source[at:])
	if changed*2 < all {
		t.Errorf("only %d of %d identifiers can be renamed", changed, all)
	}
	k.same(t, out.Bytes())
}

// reformatted checks that layout and comments do not matter.
func reformatted(t *testing.T, k *kit) {
	t.Run("blanks", func(t *testing.T) {
		k.same(t, k.reformat(func(gap string) string { return strings.ReplaceAll(gap, " ", "  ") }, " "))
	})
	t.Run("lines", func(t *testing.T) {
		k.same(t, k.reformat(func(gap string) string { return strings.Replace(gap, "\n", "\n\n  \n", 1) }, "\n"))
	})
	t.Run("crlf", func(t *testing.T) {
		k.same(t, k.reformat(func(gap string) string { return strings.ReplaceAll(gap, "\n", "\r\n") }, "\n"))
	})
	if k.comment != "" {
		t.Run("comments", func(t *testing.T) {
			k.same(t, k.reformat(func(gap string) string { return strings.Replace(gap, "\n", " "+k.comment+" note \"it's\n", 1) }, "\n"))
		})
	}
}

// reformat changes the white-space gaps that contain having, where layout does not matter. Indentation stays as it is.
func (k *kit) reformat(change func(string) string, having string) []byte {
	verbatim, lines := k.within("verbatim"), lang.Lines(k.Source)
	var out bytes.Buffer
	for i, g := range k.gaps() {
		text := string(k.Source[g.start:g.end])
		plain := strings.TrimSpace(text) == "" && strings.Contains(text, having) && (having == "\n" || !strings.Contains(text, "\n"))
		if plain && !verbatim[lines.Line(g.start)] {
			text = change(text)
		}
		out.WriteString(text)
		if i < len(k.tokens) {
			out.WriteString(k.text(k.tokens[i]))
		}
	}
	return out.Bytes()
}

// same fails if src has other kinds than the sample.
func (k *kit) same(t *testing.T, src []byte) {
	t.Helper()
	if bytes.Equal(src, k.Source) {
		t.Fatal("nothing was changed")
	}
	s := tokenize(t, k.Language, src)
	for i, token := range s.Tokens {
		if i >= len(k.tokens) || token.Kind != k.tokens[i].Kind {
			want := "nothing"
			if i < len(k.tokens) {
				want = k.text(k.tokens[i])
			}
			lo, hi := max(int(token.Start), 40)-40, min(int(token.End)+20, len(src))
			t.Fatalf("token %d is %q instead of %q, in %q", i, src[token.Start:token.End], want, src[lo:hi])
		}
	}
	if len(s.Tokens) != len(k.tokens) || s.Errors != 0 {
		t.Errorf("%d tokens with %d errors instead of %d tokens", len(s.Tokens), s.Errors, len(k.tokens))
	}
}

// gramSize is the k of matching.
const gramSize = 20

// fragment checks that a function on its own has the same tokens as within its file.
func fragment(t *testing.T, k *kit) {
	in, lines := k.within("fragment"), lang.Lines(k.Source)
	var src strings.Builder
	for i, line := range k.lines {
		if in[i+1] {
			src.WriteString(line)
		}
	}
	var whole []lang.Token
	for _, token := range k.tokens {
		if in[lines.Line(token.Start)] {
			whole = append(whole, token)
		}
	}
	want := grams(Kinds(whole))
	have := grams(Kinds(tokenize(t, k.Language, []byte(src.String())).Tokens))
	kept := 0
	for g := range want {
		if have[g] {
			kept++
		}
	}
	if len(want) < 2*gramSize || kept*5 < len(want)*4 {
		t.Errorf("%d of %d grams left", kept, len(want))
	}
}

func grams(kinds []uint32) map[[gramSize]uint32]bool {
	out := map[[gramSize]uint32]bool{}
	for i := 0; i+gramSize <= len(kinds); i++ {
		out[[gramSize]uint32(kinds[i:])] = true
	}
	return out
}

// broken checks that a syntax error hides no code: nearly each name is in a token, wherever the code is broken.
func broken(t *testing.T, k *kit) {
	if k.Language.Name == "bash" {
		t.Skip("what stands behind an unclosed string or here-document is its text")
	}
	for i := 7; i < len(k.tokens); i += 7 {
		for _, with := range []string{" ( ", " ) ", " } ", " = = ", " !is ", " as? "} {
			at := k.tokens[i].End
			src := slices.Concat(k.Source[:at], []byte(with), k.Source[at:])
			k.hides(t, src, at, uint32(len(with)))
		}
	}
}

// hides reports names of the sample that are in no token of src, which has n bytes more from at on.
func (k *kit) hides(t *testing.T, src []byte, at, n uint32) {
	tokens := tokenize(t, k.Language, src).Tokens
	if err := Ordered(tokens, src); err != nil {
		t.Error(err)
	}
	var hidden []string
	for _, token := range k.tokens {
		begin := token.Start
		if begin >= at {
			begin += n
		}
		for len(tokens) > 0 && tokens[0].End <= begin {
			tokens = tokens[1:]
		}
		if token.Class == lang.Identifier && (len(tokens) == 0 || tokens[0].Start > begin) {
			hidden = append(hidden, k.text(token))
		}
	}
	if len(hidden) > 3 { // names in strings
		t.Errorf("%q at byte %d hides %q", src[at:at+n], at, hidden)
	}
}
