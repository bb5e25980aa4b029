package marks_test

import (
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/lang/marks"
)

func Example() {
	line := "<!-- a comment of a page"
	for _, b := range marks.Blocks {
		if strings.HasPrefix(line, b.Open) {
			fmt.Println("ends with", b.Close)
		}
	}
	// Output: ends with -->
}
