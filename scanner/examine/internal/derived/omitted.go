package derived

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Omitted counts what the bounded searches of one text left out, for the ledger. The guarantee does not cover these searches.
type Omitted struct {
	tabled bool // numbers of a table occur at too many positions, or in too many documents, to be compared
	leads  int  // documents beyond the best that rare fingerprints, pairs of names or comments propose for an alignment
	rest   bool // the rest of the text was not compared with the origins of its matches, because one side is too large
}

// Entries returns the ledger entries of what was left out.
func (o Omitted) Entries(path string) (out []finding.Entry) {
	note := func(detail string) {
		out = append(out, finding.Entry{Path: path, Reason: finding.ReasonCrowded, Detail: detail})
	}
	if o.tabled {
		note(fmt.Sprintf("tables of numbers are in more documents of the baseline than the %d that are compared", mostTabled))
	}
	if o.leads > 0 {
		note(fmt.Sprintf("%s of derived code with less in common than the %d that were followed", finding.Count(o.leads, "proposal"), mostLeads))
	}
	if o.rest {
		note(fmt.Sprintf("what no match covers was not compared with the sources of the matches: more than %d tokens", mostRestTokens))
	}
	return out
}
