package versions_test

import (
	"fmt"
	"time"

	"github.com/git-provenance/git-provenance/scanner/versions"
)

// A date before there were registries, or after today, is wrong.
func ExamplePlausible() {
	now := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	for _, year := range []int{2021, 2031} {
		fmt.Println(year, !versions.Plausible(time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC), now).IsZero())
	}
	// Output:
	// 2021 true
	// 2031 false
}
