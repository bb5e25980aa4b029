package sarif_test

import (
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/sarif"
)

// A verdict is a rule.
func ExampleWrite() {
	var b strings.Builder
	if err := sarif.Write(&b, &finding.Report{Findings: []finding.Finding{{ID: "f1", Path: "a.go", Verdict: finding.Undeclared}}}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.Contains(b.String(), `"ruleId": "undeclared"`))
	// Output:
	// true
}
