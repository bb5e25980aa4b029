package imports_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/syntax/imports"
)

func ExampleFind() {
	text := []byte("package a\n\nimport (\n\t\"fmt\"\n\ttw \"example.com/table/v2\"\n)\n")
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	l := lang.Detect("a.go", text).Language
	stream, err := tz.Tokenize(l, text)
	if err != nil {
		panic(err)
	}
	for _, i := range imports.Find(l, text, stream.Tokens) {
		fmt.Println(i.Path)
	}
	// Output:
	// fmt
	// example.com/table/v2
}
