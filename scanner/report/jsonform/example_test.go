package jsonform_test

import (
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
)

// A report that was written can be read again.
func ExampleRead() {
	var b strings.Builder
	if err := jsonform.Write(&b, &finding.Report{Schema: finding.Schema, Findings: []finding.Finding{{ID: "f1", Path: "a.go"}}}); err != nil {
		fmt.Println(err)
	}
	r, err := jsonform.Read(strings.NewReader(b.String()))
	fmt.Println(r.Findings[0].Path, err)
	// Output:
	// a.go <nil>
}
