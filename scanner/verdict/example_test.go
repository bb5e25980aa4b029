package verdict_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// The comments from which a file's statements are read.
func ExampleReader() {
	text := []byte("Copied from https://github.com/golang/snappy\n")
	said := new(verdict.Reader).Read(text, nil, true)
	fmt.Println(said.Of(text), said.Of([]byte("other")))
	// Output:
	// true false
}
