package trace_test

import (
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// TestQuotes: a string is the same in other quotes, which formatters change. Its words still count.
func TestQuotes(t *testing.T) {
	contents := func(language, text string) []uint64 {
		tz := lang.NewTokenizer(lang.Limits{})
		defer tz.Close()
		s, err := tz.Tokenize(lang.ByName(language), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return trace.Contents(nil, []byte(text), s.Tokens)
	}
	for _, c := range []struct {
		language, a, b string
		same           bool
	}{
		{"python", "name = 'one two'\n", "name = \"one two\"\n", true},
		{"python", "name = '''one two'''\n", "name = \"\"\"one two\"\"\"\n", true},
		{"javascript", "let a = 'one'", `let a = "one"`, true},
		{"javascript", "let a = 'one'", "let a = 'two'", false},
	} {
		if got := slices.Equal(contents(c.language, c.a), contents(c.language, c.b)); got != c.same {
			t.Errorf("%s: %s and %s are equal: %v", c.language, c.a, c.b, got)
		}
	}
}
