package workflow_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/report/workflow"
)

// A report holds escaped paths; GitHub takes the name itself.
func ExamplePath() {
	fmt.Println(workflow.Path(`src/caf\xc3\xa9.go`))
	// Output:
	// src/café.go
}
