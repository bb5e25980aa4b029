package escape_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/report/escape"
)

// A name cannot steer a terminal, and an address cannot run a script.
func ExampleLine() {
	fmt.Println(escape.Line("a\x1b[31m\u202eb"))
	fmt.Printf("%q\n", escape.Address("javascript:alert(1)"))
	// Output:
	// a\x1b[31m\u202eb
	// ""
}
