package region

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Candidate is a region on its way to a finding. Regions fills the first part; later steps change the second.
type Candidate struct {
	Region
	Best        Occurrence                    // the first origin
	Occurrences []Occurrence                  // all origin candidates, the best first
	Evidence    score.Evidence                // of Best
	Judged      map[lookup.Key]score.Evidence // of the leading documents, from which the best was chosen

	Within    *documents.Document // PreferNamed, package derived: the one document that it was compared with; nil: all baselines
	Room      *linediff.Range     // package derived: the lines that its rests may reach, half of the way to the next region; nil: no rests are added
	Completed *score.Evidence     // package derived: evidence of the match with the rests of functions, which are shown but do not count; nil: none were added
	Joined    bool                // Join: it was joined with others, or cut
	Derived   bool                // Join: one of the others is derived
	Parts     []Occurrence        // Join: lighter regions from elsewhere in the same file
	Heaviest  *Judgement          // Join, package derived: the match that it was found by; nil: unchanged since
}

func (c Candidate) Judgement() Judgement { return Judgement{c.Best.Proof, c.Evidence} }

// FoundBy returns the match that the region was found by, and its evidence.
func (c Candidate) FoundBy() Judgement {
	if c.Heaviest != nil {
		return *c.Heaviest
	}
	return c.Judgement()
}

// WholeEvidence returns the evidence of the whole region, including rests of functions, which Evidence leaves out.
func (c Candidate) WholeEvidence() score.Evidence {
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

// PutBestFirst moves the allowed occurrence with most bits to the front. It returns false if none is allowed.
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
	c.Best = toFront(c.Occurrences, at)
	c.Evidence = c.Judged[c.Best.Doc.Key]
	return true
}

// Name makes an occurrence the first origin, with its evidence.
func (c *Candidate) Name(o Occurrence, ev score.Evidence) {
	at := slices.IndexFunc(c.Occurrences, func(p Occurrence) bool { return p.PURL == o.PURL && p.Path == o.Path && p.Doc.Key == o.Doc.Key })
	c.Best, c.Evidence = toFront(c.Occurrences, at), ev
}

// Absorb adds the occurrences of a match to an alignment. The larger evidence of both counts.
func (c *Candidate) Absorb(m Candidate) {
	if c.Evidence.Bits < m.Evidence.Bits {
		c.Evidence = c.Evidence.WithBitsOf(m.Evidence)
		c.Evidence.Derived, c.Evidence.Whole, c.Evidence.Named = m.Evidence.Derived, m.Evidence.Whole, m.Evidence.Named
	}
	c.Occurrences = append(c.Occurrences, m.Occurrences...)
}

// Region is a stretch of the target with the proofs that cover it.
type Region struct {
	From, To uint32
	Proofs   []evidence.Proof // best first
}

// sameRegion is the share of a match that must be inside a region. Then its document is one of the region's origins; otherwise
// the match is a region of its own.
const sameRegion = finding.SameRegion

// spannedBy reports whether a proof covers enough of the region to be its first origin.
func (r Region) spannedBy(p evidence.Proof) bool {
	return float64(p.To-p.From) >= sameRegion*float64(r.To-r.From)
}

// Occurrence is one candidate origin: a proof at one occurrence of its document.
type Occurrence struct {
	evidence.Proof
	baseline.Occurrence
	Share    float64 // of the region's matched tokens
	Bits     float64 // bits of the match; 0 if it was not judged
	Vendored bool    // its path is in a vendored directory
}
