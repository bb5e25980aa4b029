package git_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/git"
)

func ExampleAddedLines() {
	fmt.Println(git.AddedLines([]byte("a\nb\n"), []byte("a\nx\ny\nb\nz\n")))
	fmt.Println(git.BlobHash([]byte("a\n")))
	// Output:
	// [{2 3} {5 5}]
	// 78981922613b2afb6025042ff6bd878ac1994e85
}
