package corpus

import (
	"fmt"
	"os"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Review is one line of reviewed.tsv: the verdict of a person who read both sides.
type Review struct {
	ID, Path, Origin, Verdict, Why string
	First, Last                    int
}

// Reviews reads reviewed.tsv.
func Reviews(name string) ([]Review, error) {
	var out []Review
	err := Rows(name, 6, func(r []string) error {
		v := Review{ID: r[0], Path: r[1], Origin: r[3], Verdict: r[4], Why: r[5]}
		out = append(out, v)
		_, err := fmt.Sscanf(r[2], "%d-%d", &out[len(out)-1].First, &out[len(out)-1].Last)
		return err
	})
	if os.IsNotExist(err) {
		return nil, nil
	}
	return out, err
}

// VerdictOn returns the verdict on a finding: from a review of it, or of the same lines and origin if they contain half
// of the finding.
func VerdictOn(rs []Review, f finding.Finding) string {
	name := purl.Name(f.Origins[0].PURL)
	for _, r := range rs {
		if r.ID == f.ID && r.Path == f.Path {
			return r.Verdict
		}
	}
	for _, r := range rs {
		if both := min(r.Last, f.EndLine) - max(r.First, f.StartLine) + 1; r.Path == f.Path && r.Origin == name && 2*both >= f.EndLine-f.StartLine+1 {
			return r.Verdict
		}
	}
	return "unreviewed"
}
