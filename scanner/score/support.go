package score

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// Judged is a match with a document, and its evidence.
type Judged struct {
	Match    match.Match
	Evidence Evidence
}

// Supports holds the matches of a file that are findings by themselves, by the document D that they match.
type Supports[D comparable] map[D][]Judged

// Add adds a match if it has the needed bits.
func (s Supports[D]) Add(doc D, j Judged, needed float64) {
	if j.Evidence.Bits >= needed {
		s[doc] = append(s[doc], j)
	}
}

// Sort puts the matches with most bits first; call it before Support.
func (s Supports[D]) Sort() {
	for _, js := range s {
		slices.SortStableFunc(js, func(a, b Judged) int { return cmp.Compare(b.Evidence.Bits, a.Evidence.Bits) })
	}
}

// Support returns the bits of the strongest other match with the same document that can support this one, or 0. A supporting
// match is one of the first matches that is a finding by itself: idioms by the dozen, as in the tests of two projects, do not
// count. It matches another part of the text with another part of the document: the same lines aligned in another way are no second
// evidence.
func (s Supports[D]) Support(doc D, j Judged) float64 {
	others := s[doc]
	for _, o := range others[:min(len(others), supporters)] {
		if o.apart(j) {
			return o.Evidence.Bits
		}
	}
	return 0
}

// apart reports whether two matches have no token in common, on either side.
func (j Judged) apart(o Judged) bool {
	from, to := j.Match.Origin()
	a, b := o.Match.Origin()
	if a < to && from < b {
		return false
	}
	from, to = j.Match.Target()
	a, b = o.Match.Target()
	return b <= from || to <= a
}

// Total returns the bits of a match with its support.
func (s Supports[D]) Total(doc D, j Judged, w *Weights) float64 {
	return w.Supported(j.Evidence.Bits, s.Support(doc, j))
}

// Comments holds the weights of comments that agree word for word.
type Comments struct {
	Word float64 `unit:"bits a word of a run that agrees"`
	Free float64 `unit:"words of each run beside matched code that count nothing: what people say of the same thing"`
	Most float64 `unit:"bits of the comments beside matched code at most"`
	Full float64 `unit:"bits to which comments raise a match at most: of one that has them, none are read"`
}

// DefaultComments returns the default weights of comments.
func DefaultComments() *Comments { return &Comments{Word: 2.8, Free: 8, Most: 40, Full: 120} }

// Beside adds the bits of equal comments beside a match to its evidence.
func (c *Comments) Beside(e Evidence, shared []CommentRun) Evidence {
	for _, r := range shared {
		if bits := c.Word * (float64(r.Words) - c.Free); bits > 0 && e.Comments < c.Most {
			e.Comments = min(c.Most, e.Comments+bits)
			e.CommentRuns = append(e.CommentRuns, r)
		}
	}
	e.Comments = max(0, min(e.Comments, c.Full-e.Bits))
	e.Bits += e.Comments
	return e
}

// Alone returns the evidence of a run of words by itself.
func (c *Comments) Alone(r CommentRun) Evidence {
	bits := c.Word * float64(r.Words-r.Bare)
	return Evidence{Terms: Terms{Comments: bits}, Bits: bits, CloneType: 1, CommentRuns: []CommentRun{r}}
}

// Supported adds support to the bits of a match. A file of which half is edited beyond recognition is still that file.
func (w *Weights) Supported(bits, support float64) float64 {
	return bits + min(support, bits)*w.Support
}
