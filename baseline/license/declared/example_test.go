package declared_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/license/declared"
)

func Example() {
	var r declared.Reader
	r.Read("DESCRIPTION", []byte("Package: bitops\nVersion: 1.0-7\nLicense: GPL (>= 2)\n"))
	fmt.Println(r.License())
	// Output: GPL-2.0-or-later
}
