package license_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/license"
)

func Example() {
	var heads license.Heads
	fmt.Println(heads.Read([]byte("// SPDX-License-Identifier: Apache-2.0 OR MIT\npackage a\n")).Named())
	fmt.Println(license.Expression("GPL-2.0"))
	answer, _, _ := license.Compatible("GPL-3.0-only", "MIT")
	fmt.Println(answer)
	// Output:
	// Apache-2.0 OR MIT
	// GPL-2.0-only
	// not-compatible
}
