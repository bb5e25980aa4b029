package lang_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/lang"
)

func Example() {
	src := []byte("package a // a comment\n\nvar x = 1\n")
	d := lang.Detect("a.go", src)
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	s, l, _, err := tz.TokenizeOrWords(d.Language, src)
	if err != nil {
		fmt.Println(err)
		return
	}
	lines := lang.Lines(src)
	for _, t := range s.Tokens[len(s.Tokens)-4:] {
		fmt.Printf("%d:%s ", lines.Line(t.Start), src[t.Start:t.End])
	}
	fmt.Println(d.Language.Name, l == d.Language)
	// Output:
	// 3:var 3:x 3:= 3:1 go true
}
