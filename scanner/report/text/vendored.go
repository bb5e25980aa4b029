package text

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// maxVendored bounds the vendored packages listed without --verbose.
const maxVendored = 20

// vendored lists the vendored packages of the target, one a line.
func (t *printer) vendored(vs []finding.Vendored) {
	if len(vs) == 0 {
		return
	}
	fmt.Fprintf(t.w, "vendored packages: %s\n", words.Number(len(vs)))
	for i := range vs {
		if i == maxVendored && !t.o.Verbose {
			fmt.Fprintf(t.w, "  %s more%s\n", words.Number(len(vs)-i), t.lists())
			return
		}
		v := &vs[i]
		fmt.Fprintf(t.w, "  %s: %s (%s), %s\n", escape.Line(v.Path), words.VendoredName(v), escape.Line(words.Licence(v.License)), words.VendoredFiles(v))
	}
}
