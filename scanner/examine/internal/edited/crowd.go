package edited

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Crowd is what the bounded searches of one text left out, for the ledger. No run of tokens that the guarantee is about
// is among it.
type Crowd struct {
	tabled  bool // numbers of a table are in too many places, or tables in too many documents, to compare those
	edited  int  // documents that rare fingerprints, pairs of names or comments propose for an alignment, beyond the best
	Remarks int  // that comments were compared with, if there are more
	rest    bool // what no match covers was not compared with the sources of the others: either is too large
}

// Entries tells it.
func (c *Crowd) Entries(path string) (out []finding.Entry) {
	note := func(detail string) {
		out = append(out, finding.Entry{Path: path, Reason: finding.ReasonCrowded, Detail: detail})
	}
	if c.tabled {
		note(fmt.Sprintf("tables of numbers are in more documents of the baseline than the %d that are compared", mostTabled))
	}
	if c.edited > 0 {
		note(fmt.Sprintf("%s of edited code with less in common than the %d that were followed", finding.Count(c.edited, "proposal"), mostLeads))
	}
	if c.Remarks > 0 {
		note(fmt.Sprintf("comments are in more documents of the baseline than the %d that they were compared with", c.Remarks))
	}
	if c.rest {
		note(fmt.Sprintf("what no match covers was not compared with the sources of the matches: more than %d tokens", mostTokens))
	}
	return out
}
