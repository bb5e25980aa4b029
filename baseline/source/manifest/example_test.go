package manifest_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/source/manifest"
)

func Example() {
	m := manifest.Python([]byte("Metadata-Version: 2.1\nName: Flask_Login\nVersion: 0.6.3\nLicense: MIT\n"))
	fmt.Println(m.PURL, m.License)
	fmt.Println(manifest.NPM([]byte(`{"name": "pad", "version": "1.2.0"}`)).PURL)
	// Output:
	// pkg:pypi/flask-login@0.6.3 MIT
	// pkg:npm/pad@1.2.0
}
