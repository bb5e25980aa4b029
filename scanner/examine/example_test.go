package examine_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/examine"
)

// Options begin with the defaults; a field that is out of range is refused.
func ExampleNew() {
	o := examine.Defaults()
	fmt.Println(o.MinTokens, o.MinScore, o.MaxOrigins)
	_, err := examine.New(nil, o)
	fmt.Println(err)
	// Output:
	// 31 0.05 10
	// no baseline
}
