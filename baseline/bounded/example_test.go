package bounded_test

import (
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/bounded"
)

// A text of empty values is refused before it takes memory. A member that nobody asks for is passed over.
func Example() {
	var into any
	fmt.Println(bounded.JSON([]byte("["+strings.Repeat("{},", 2_000_000)+"{}]"), &into))

	o, err := bounded.NewObject(strings.NewReader(`{"readme": "…", "name": "left-pad"}`))
	for err == nil {
		key, more, e := o.Next()
		if err = e; err != nil || !more {
			break
		}
		if key != "name" {
			err = o.Skip()
			continue
		}
		var value []byte
		value, err = o.Value(100)
		fmt.Println(key, string(value))
	}
	fmt.Println(err)
	// Output:
	// it lists more entries, or nests them deeper, than any real one
	// name "left-pad"
	// <nil>
}
