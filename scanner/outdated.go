package scanner

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// outdatedEntries lists, by language, the baselines' documents that no look-up finds, because their tokens were made by other
// rules than this program's.
func outdatedEntries(all []baseline.Outdated) []finding.Entry {
	type kind struct{ language, remedy string }
	count := make(map[kind]int)
	for _, o := range all {
		count[kind{o.Language, `"git-provenance baseline refresh" makes their tokens again`}] += o.Documents - o.Bare
		count[kind{o.Language, "it has no text to make their tokens of: add the packages again, or import a newer export"}] += o.Bare
	}
	var out []finding.Entry
	for k, n := range count {
		if n > 0 {
			out = append(out, finding.Entry{Reason: finding.ReasonOutdated, Detail: fmt.Sprintf("%s: %s of the baseline cannot be compared with; %s", k.language, finding.Count(n, "document"), k.remedy)})
		}
	}
	slices.SortFunc(out, func(a, b finding.Entry) int { return cmp.Compare(a.Detail, b.Detail) })
	return out
}
