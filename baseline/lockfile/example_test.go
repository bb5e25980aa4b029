package lockfile_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/lockfile"
)

func Example() {
	f, err := lockfile.Of("requirements.txt").Read([]byte("flask==3.0.0\nclick>=8\n-e ./own\n"), lockfile.Poms{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range f.Pins {
		fmt.Println(p.PURL)
	}
	for _, l := range f.Left {
		fmt.Println(l.Name, l.Reason, l.Detail)
	}
	// Output:
	// pkg:pypi/flask@3.0.0
	// ./own local -e ./own
	// click no-version click>=8
}
