package ignore_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/git/ignore"
)

func Example() {
	ps := ignore.Lines([]string{"*.min.js", "/build/", "!keep.min.js"})
	for _, file := range []string{"lib/a.min.js", "lib/keep.min.js", "build/x.go", "lib/build/x.go"} {
		fmt.Println(file, ps.Match(file))
	}
	// Output:
	// lib/a.min.js true
	// lib/keep.min.js false
	// build/x.go true
	// lib/build/x.go false
}
