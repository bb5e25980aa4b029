package report_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
)

// What a line of a change is annotated with. A name cannot steer a terminal.
func ExampleAnnotationTitle() {
	f := &finding.Finding{Verdict: finding.Undeclared, Origins: []finding.Origin{{PURL: "pkg:generic/ring@1.0", License: "MIT"}}}
	fmt.Println(report.AnnotationTitle(f))
	fmt.Println(report.Escape("a\x1b[31m"))
	// Output:
	// Shared with pkg:generic/ring@1.0 (MIT), undeclared
	// a\x1b[31m
}
