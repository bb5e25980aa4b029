package trace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

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
