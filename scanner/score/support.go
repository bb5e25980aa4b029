package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/match"
)

// Judged is a match with a document, and what it was found to be worth.
type Judged struct {
	Match    match.Match
	Evidence Evidence
}

// Supports are the matches of a file that are findings by themselves, by the
// document D they are shared with.
type Supports[D comparable] map[D][]Judged

// Add takes in a match that has as many bits as are needed.
func (s Supports[D]) Add(doc D, j Judged, needed float64) {
	if j.Evidence.Bits >= needed {
		s[doc] = append(s[doc], j)
	}
}

// Sort puts those with most bits first; it is due before the first Support.
func (s Supports[D]) Sort() {
	for _, js := range s {
		slices.SortStableFunc(js, func(a, b Judged) int { return cmp.Compare(b.Evidence.Bits, a.Evidence.Bits) })
	}
}

// Support returns the bits of the strongest other match that the file shares with
// the same document, if that is a finding by itself: idioms by the dozen, as the
// tests of two projects share them, support nothing, nor does one stretch of the
// origin that was met several times, nor one whose names were treated otherwise:
// who keeps them all in one function does not rename most in the next.
func (s Supports[D]) Support(doc D, j Judged, w *Weights) float64 {
	from, to := j.Match.Origin()
	others := s[doc]
	for _, o := range others[:min(len(others), supporters)] {
		if a, b := o.Match.Origin(); (b <= from || to <= a) && math.Abs(o.Evidence.Share()-j.Evidence.Share()) <= w.SupportApart {
			return o.Evidence.Bits
		}
	}
	return 0
}

// Total is what a match is worth with its support.
func (s Supports[D]) Total(doc D, j Judged, w *Weights) float64 {
	return w.Supported(j.Evidence.Bits, s.Support(doc, j, w))
}

// Supported adds support to the bits of a match: a file of which half is edited
// beyond matching is still that file.
func (w *Weights) Supported(bits, support float64) float64 {
	return bits + min(support, bits)*w.Support
}
