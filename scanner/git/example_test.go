package git_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/git"
)

func ExampleBlobHash() {
	fmt.Println(git.BlobHash([]byte("a\n")))
	// Output: 78981922613b2afb6025042ff6bd878ac1994e85
}
