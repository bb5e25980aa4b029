package examine

import (
	"maps"
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// Draft is a report in the making. Its findings are kept in Found until Finish.
type Draft struct {
	*finding.Report
	Found []Found
}

// Take adds the output of one input.
func (r *Draft) Take(o Output) {
	r.Found = append(r.Found, o.Findings...)
	r.Ledger = append(r.Ledger, o.Entries...)
	r.Inline = append(r.Inline, o.Inline...)
	r.Summary.Files += o.Files
	r.Summary.Bytes += o.Bytes
	r.Summary.Tokens += o.Tokens
}

// Skipped adds a skipped path to the ledger. It has the type git.Skipped, the function that walks over files call for each path
// that they skip.
func (r *Draft) Skipped(path string, reason git.Reason, detail string) {
	r.Ledger = append(r.Ledger, finding.Entry{Path: path, Reason: lang.Reason(reason), Detail: detail})
}

// NoteVendored lists directories that were not examined, with their numbers of files.
func (r *Draft) NoteVendored(dirs map[string]int) {
	for _, d := range slices.Sorted(maps.Keys(dirs)) {
		r.Ledger = append(r.Ledger, finding.Entry{Path: d, Reason: finding.ReasonVendored, Detail: finding.Count(dirs[d], "file") + " of a package manager; --vendored scans them"})
	}
}

// List returns pointers to the findings.
func (r *Draft) List() []*finding.Finding {
	var out []*finding.Finding
	for i := range r.Found {
		out = append(out, &r.Found[i].Finding)
	}
	return out
}

// Finish moves the findings into the report and sorts the report.
func (r *Draft) Finish() *finding.Report {
	for _, f := range r.Found {
		r.Findings = append(r.Findings, f.Finding)
	}
	r.Found = nil
	return r.Report.Finish()
}
