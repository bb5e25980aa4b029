package langtest_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/lang/langtest"
)

func ExampleOrdered() {
	src := []byte("one two")
	fmt.Println(langtest.Ordered([]lang.Token{{Start: 0, End: 3}, {Start: 4, End: 7}}, src))
	fmt.Println(langtest.Ordered([]lang.Token{{Start: 4, End: 7}, {Start: 0, End: 3}}, src) != nil)
	// Output:
	// <nil>
	// true
}
