package purl_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

func Example() {
	p, err := purl.Canonical("pkg:npm/%40Babel/core@7.24.0")
	fmt.Println(p, err)
	fmt.Println(purl.Name(p), purl.Version(p))
	fmt.Println(purl.Web("pkg:golang/github.com/golang/snappy@v0.0.4"))
	// Output:
	// pkg:npm/%40Babel/core@7.24.0 <nil>
	// pkg:npm/%40Babel/core 7.24.0
	// https://pkg.go.dev/github.com/golang/snappy@v0.0.4
}
