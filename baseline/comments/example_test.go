package comments_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/comments"
	"github.com/git-provenance/git-provenance/lang"
)

func ExampleShared() {
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	read := func(text string) *lang.Comments {
		s, _ := z.Tokenize(lang.ByName("go"), []byte(text))
		c := new(lang.Comments)
		c.Read([]byte(text), 0, s.Tokens, 5)
		return c
	}
	here := read("package a\n\n// Push adds a reading, and the oldest one makes room.\nfunc Push() {}\n")
	there := read("package b\n\n// It adds a reading, and\n// the oldest one makes room for it.\nvar c int\n")
	for _, r := range comments.Shared(here, there, 5) {
		fmt.Printf("%d words from word %d, there from %d\n", r.Len, r.Target, r.Origin)
	}
	// Output:
	// 9 words from word 1, there from 1
}
