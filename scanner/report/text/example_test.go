package text_test

import (
	"fmt"
	"os"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/text"
)

func ExampleWrite() {
	r := &finding.Report{Summary: finding.Summary{Files: 2, Tokens: 1500}, Baseline: finding.Baseline{Digest: "sha256:0123456789abcdef", Packages: 1, Documents: 7}}
	if err := text.Write(os.Stdout, r, text.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0 findings in 2 files (1,500 tokens); baseline 0123456789ab: 1 package, 7 documents
}
