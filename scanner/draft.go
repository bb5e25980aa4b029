package scanner

import (
	"fmt"
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// draft is a report that is not finished. Its findings are still in a list of their
// own.
type draft struct {
	*finding.Report
	found []examine.Found
}

// take adds what one input came to.
func (r *draft) take(o examine.Output) {
	r.found = append(r.found, o.Findings...)
	r.Ledger = append(r.Ledger, o.Entries...)
	r.Inline = append(r.Inline, o.Inline...)
	r.Summary.Files += o.Files
	r.Summary.Bytes += o.Bytes
	r.Summary.Tokens += o.Tokens
}

// skipped is a git.Skipped.
func (r *draft) skipped(path string, reason git.Reason, detail string) {
	r.Ledger = append(r.Ledger, finding.Entry{Path: path, Reason: lang.Reason(reason), Detail: detail})
}

func (r *draft) ledgerVendored(dirs map[string]int) {
	for _, d := range slices.Sorted(maps.Keys(dirs)) {
		r.Ledger = append(r.Ledger, finding.Entry{Path: d, Reason: finding.ReasonVendored, Detail: fmt.Sprintf("%d files kept by a package manager; --vendored scans them", dirs[d])})
	}
}

// noteConfig tells that a change is one to the file that decides what of it is
// reported.
func (r *draft) noteConfig(config string, c git.Change) {
	if config != "" && c.Path == config {
		r.Suppressions = append(r.Suppressions, finding.Suppression{By: "configuration", Path: c.Path, State: finding.Changed, Added: true,
			Detail: "the change examined changes the policy it is judged by"})
	}
}

// list points at the findings.
func (r *draft) list() []*finding.Finding {
	var out []*finding.Finding
	for i := range r.found {
		out = append(out, &r.found[i].Finding)
	}
	return out
}

// finish puts the findings into the report, and everything into its one order.
func (r *draft) finish() *finding.Report {
	for _, f := range r.found {
		r.Findings = append(r.Findings, f.Finding)
	}
	r.found = nil
	return r.Finish()
}
