package words_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// A finding on one line, as an annotation is called.
func ExampleTitle() {
	f := &finding.Finding{Verdict: finding.Undeclared, Origins: []finding.Origin{{PURL: "pkg:generic/ring@1.0", License: "MIT"}}}
	fmt.Println(words.Title(f))
	// Output:
	// Shared with pkg:generic/ring@1.0 (MIT), undeclared
}
