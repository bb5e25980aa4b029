package trace_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// The content of a token is its kind, with the text of a name or literal.
func ExampleContents() {
	contents := func(text string) []uint64 {
		tz := lang.NewTokenizer(lang.Limits{})
		defer tz.Close()
		s, err := tz.Tokenize(lang.Words(), []byte(text))
		if err != nil {
			fmt.Println(err)
		}
		return trace.Contents(nil, []byte(text), s.Tokens)
	}
	a, b := contents("one  two"), contents("one three")
	fmt.Println(a[0] == b[0], a[1] == b[1])
	// Output:
	// true false
}
