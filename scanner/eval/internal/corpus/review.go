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

// Labels reads the labels of a kind from reliability.tsv as reviews.
func Labels(name, kind string) (out []Review, err error) {
	err = Rows(name, 12, func(r []string) error {
		if r[4] != kind || r[9] != "true-copy" && r[9] != "false" {
			return nil
		}
		v := Review{Path: r[5], Origin: r[7], Verdict: r[9], Why: r[11]}
		if _, err := fmt.Sscanf(r[6], "%d-%d", &v.First, &v.Last); err != nil {
			return fmt.Errorf("lines of %q: %w", r[5], err)
		}
		out = append(out, v)
		return nil
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
