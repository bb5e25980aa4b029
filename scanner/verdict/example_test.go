package verdict_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/verdict"
)

// The comments that a file's statements are read from.
func ExampleRead() {
	text := []byte("Copied from https://github.com/golang/snappy\n")
	said := verdict.Read(text, nil, true)
	fmt.Println(said.Of(text), said.Of([]byte("other")))
	// Output:
	// true false
}
