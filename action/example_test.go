package action_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/action"
)

// A workflow that names baselines has nothing to cache.
func ExampleNewPlan() {
	p, err := action.NewPlan(func(name string) (string, bool) {
		v, ok := map[string]string{"RUNNER_TEMP": "/tmp", "INPUT_BASELINE": "base"}[name]
		return v, ok
	})
	fmt.Println(p.Cache, p.Dir, err)
	// Output:
	// false /tmp/git-provenance <nil>
}
