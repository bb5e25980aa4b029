package verdict_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// A statement of a text, and the lines between which it is.
func ExampleReader() {
	text := []byte("Copied from https://github.com/golang/snappy\n")
	said := new(verdict.Reader).Read(text, nil, true)
	fmt.Println(said.Between(0, 2), said.Between(1, 9))
	// Output:
	// true false
}
