package scanner

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// outdatedEntries lists the languages of the baselines' documents that no look-up
// finds, since their tokens were made by other rules than this program's.
func outdatedEntries(all []baseline.Outdated) []finding.Entry {
	count := make(map[string]int)
	for _, o := range all {
		count[o.Language] += o.Documents
	}
	var out []finding.Entry
	for language, n := range count {
		documents := "documents"
		if n == 1 {
			documents = "document"
		}
		out = append(out, finding.Entry{Path: "", Reason: finding.ReasonOutdated, Detail: fmt.Sprintf("%s: %d %s of the baseline cannot be compared with; \"git-provenance baseline refresh\" makes their tokens anew", language, n, documents)})
	}
	slices.SortFunc(out, func(a, b finding.Entry) int { return cmp.Compare(a.Detail, b.Detail) })
	return out
}
