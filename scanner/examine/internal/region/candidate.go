package region

import (
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/library"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Candidate is a region on its way to a finding. Regions fills the first part; later steps change the second.
type Candidate struct {
	Region
	Best        Occurrence                    // the first origin
	Occurrences []Occurrence                  // all of them, the best first
	Evidence    score.Evidence                // of the best
	Judged      map[lookup.Key]score.Evidence // of the leading documents, among which the best was chosen

	Within    *library.Document // PreferNamed, package edited: the one document in which it was looked for; nil: among all that is known
	Room      *git.Range        // package edited: the lines that its rests may reach, half of what lies between it and the next; nil: it has none
	Completed *score.Evidence   // package edited: what all of it has, rests of functions included, which are no evidence; nil: none were added
	Joined    bool              // Join: with others, or cut
	Aligned   bool              // Join: one of the others is an alignment
	Parts     []Occurrence      // Join: lighter regions from elsewhere in the same file
	Heaviest  *Judgement        // Join, package edited: the match that it was found by; nil: it is as it was found
}

func (c Candidate) Judgement() Judgement { return Judgement{c.Best.Proof, c.Evidence} }

// Found is what a region was found by.
func (c Candidate) Found() Judgement {
	if c.Heaviest != nil {
		return *c.Heaviest
	}
	return c.Judgement()
}

// All is what all of a region has, which is more than its evidence where rests of functions were added.
func (c Candidate) All() score.Evidence {
	if c.Completed != nil {
		return *c.Completed
	}
	return c.Evidence
}

// Judgement is a match and its evidence.
type Judgement struct {
	evidence.Proof
	Evidence score.Evidence
}

func (j Judgement) Judged() score.Judged { return score.Judged{Match: j.Match, Evidence: j.Evidence} }

// PutBestFirst puts the best of the occurrences that are allowed first: of those with most bits the first.
func (c *Candidate) PutBestFirst(allowed func(lookup.Key) bool) bool {
	at := -1
	for i, o := range c.Occurrences {
		if allowed(o.Doc.Key) && (at < 0 || c.Judged[o.Doc.Key].Bits > c.Judged[c.Occurrences[at].Doc.Key].Bits) {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	best := c.Occurrences[at]
	copy(c.Occurrences[1:at+1], c.Occurrences[:at])
	c.Occurrences[0], c.Best, c.Evidence = best, best, c.Judged[best.Doc.Key]
	return true
}

// Take makes a match a part of an alignment. The evidence is that of either.
func (f *Candidate) Take(c Candidate) {
	if f.Evidence.Bits < c.Evidence.Bits {
		f.Evidence = f.Evidence.WorthOf(c.Evidence)
		f.Evidence.Aligned = c.Evidence.Aligned
	}
	f.Occurrences = append(f.Occurrences, c.Occurrences...)
}
