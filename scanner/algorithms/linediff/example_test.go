package linediff_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
)

func ExampleAdded() {
	fmt.Println(linediff.Added([]byte("a\nb\n"), []byte("a\nx\ny\nb\nz\n")))
	// Output: [{2 3} {5 5}]
}
