package markdown_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/markdown"
)

// Names from outside stand in code spans, where GitHub reads nothing in them.
func ExamplePoints() {
	f := &finding.Finding{ID: "f1", Origins: []finding.Origin{{PURL: "pkg:npm/@org/x@1.0", Path: "a.js", StartLine: 3, EndLine: 9, License: "MIT"}}}
	fmt.Println(markdown.Points(f)[1])
	// Output:
	// Source: `pkg:npm/@org/x@1.0` `a.js`:3-9
}
