package finding_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Names of files are escaped once, in a report.
func ExampleEscapeName() {
	name := finding.EscapeName("a\xff.go")
	fmt.Printf("%s %q\n", name, finding.UnescapeName(name))
	// Output:
	// a\xff.go "a\xff.go"
}

// The lines of a text that a report shows for a region.
func ExampleNewExcerpt() {
	e := finding.NewExcerpt([]byte("one\ntwo\nthree\n"), 2, 3)
	fmt.Println(e.StartLine, e.Lines)
	// Output:
	// 2 [two three]
}
