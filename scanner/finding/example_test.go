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
