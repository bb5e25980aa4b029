package origins

import (
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// OfComment divides the occurrences of a comment. It has neither names nor values to compare: an origin has most of its words, and score
// gives its bits a score that is more likely true than not.
func OfComment(c region.Candidate, score func(bits float64) float64) Divided {
	files := filesOf(c)
	for _, f := range files {
		switch {
		case f.origin || len(f.whole) == 0:
		case score(c.Evidence.Bits) < likely || score(f.whole[0].Bits) < likely:
			f.why = finding.PartUnlikely
		default:
			f.origin, f.why = true, ""
		}
	}
	return sorted(c, files)
}
