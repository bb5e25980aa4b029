package report_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/report"
)

func ExampleFormatNames() {
	fmt.Println(report.FormatNames())
	// Output:
	// [text json markdown sarif spdx cyclonedx in-toto html github]
}
