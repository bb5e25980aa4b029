package examine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// Draft is a report that is not finished. Its findings are still in a list of their
// own.
type Draft struct {
	*finding.Report
	Found []Found
}

// Take adds what one input came to.
func (r *Draft) Take(o Output) {
	r.Found = append(r.Found, o.Findings...)
	r.Ledger = append(r.Ledger, o.Entries...)
	r.Inline = append(r.Inline, o.Inline...)
	r.Summary.Files += o.Files
	r.Summary.Bytes += o.Bytes
	r.Summary.Tokens += o.Tokens
}

// Skipped is a git.Skipped.
func (r *Draft) Skipped(path string, reason git.Reason, detail string) {
	r.Ledger = append(r.Ledger, finding.Entry{Path: path, Reason: lang.Reason(reason), Detail: detail})
}

// NoteVendored lists directories that were not looked into, with how many files each has.
func (r *Draft) NoteVendored(dirs map[string]int) {
	for _, d := range slices.Sorted(maps.Keys(dirs)) {
		r.Ledger = append(r.Ledger, finding.Entry{Path: d, Reason: finding.ReasonVendored, Detail: counted(dirs[d], "file") + " of a package manager; --vendored scans them"})
	}
}

// List points at the findings.
func (r *Draft) List() []*finding.Finding {
	var out []*finding.Finding
	for i := range r.Found {
		out = append(out, &r.Found[i].Finding)
	}
	return out
}

// Finish puts the findings into the report, and everything into its one order.
func (r *Draft) Finish() *finding.Report {
	for _, f := range r.Found {
		r.Findings = append(r.Findings, f.Finding)
	}
	r.Found = nil
	return r.Report.Finish()
}

// counted writes a number with its noun.
func counted(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "ch"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
