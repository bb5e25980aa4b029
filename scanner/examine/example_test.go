package examine_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/examine"
)

// The lines of a text that a report shows for a region.
func ExampleNewExcerpt() {
	e := examine.NewExcerpt([]byte("one\ntwo\nthree\n"), 2, 3)
	fmt.Println(e.StartLine, e.Lines)
	// Output:
	// 2 [two three]
}
