package langtest

import (
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

func TestFrontEnds(t *testing.T) {
	if !lang.HasGrammars {
		t.Skip("built without cgo: there are no grammars")
	}
	for _, s := range Samples(t) {
		t.Run(s.Language.Name, func(t *testing.T) { Run(t, s) })
	}
}

// Streams of one family may match each other: code that both languages have
// must be the same in both. A node's span pairs the tokens.
func TestFamilies(t *testing.T) {
	if !lang.HasGrammars {
		t.Skip("built without cgo: there are no grammars")
	}
	for _, s := range Samples(t) {
		for _, as := range map[string][]string{
			"javascript": {"jsx", "typescript", "tsx"}, "jsx": {"javascript", "tsx"}, "typescript": {"tsx"}, "c": {"cpp"},
		}[s.Language.Name] {
			other := lang.ByName(as)
			if other.Family != s.Language.Family {
				t.Errorf("%s and %s are of two families", as, s.Language.Name)
			}
			equal, all := alike(t, s, other)
			t.Logf("%s read as %s: %d of %d tokens are the same", s.Name, as, equal, all)
			if equal*100 < all*95 {
				t.Errorf("%s read as %s: only %d of %d tokens are the same", s.Name, as, equal, all)
			}
		}
	}
}

// alike counts the tokens of a sample that another language has as well.
func alike(t *testing.T, s Sample, other *lang.Language) (equal, all int) {
	type span struct{ start, end uint32 }
	kinds := map[span]uint32{}
	theirs := tokenize(t, other, s.Source).Tokens
	for _, token := range theirs {
		kinds[span{token.Start, token.End}] = token.Kind
	}
	ours := tokenize(t, s.Language, s.Source).Tokens
	for _, token := range ours {
		if kinds[span{token.Start, token.End}] == token.Kind {
			equal++
		} else {
			t.Logf("%s as %s: %q at %d differs", s.Name, other.Name, s.Source[token.Start:token.End], token.Start)
		}
	}
	return equal, max(len(ours), len(theirs))
}
