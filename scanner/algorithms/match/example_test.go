package match_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// Two texts share a k-gram; the run around it is found.
func Example() {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	side := func(text string) match.Side {
		s, err := tz.Tokenize(lang.Words(), []byte(text))
		if err != nil {
			panic(err)
		}
		return match.Side{Text: []byte(text), Tokens: append([]lang.Token(nil), s.Tokens...), Prose: true}
	}
	target, origin := side("now one two three four five"), side("one two three four six")
	runs, whole := match.Runs(target, origin, []match.Seed{{Target: 2, Origin: 1}}, match.Defaults(2))
	fmt.Printf("%+v %v\n", runs, whole)
	// Output:
	// [{Target:1 Origin:0 Len:4}] true
}
