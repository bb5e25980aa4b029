package refit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// measured is the performance of weights on the readings of one set.
type measured struct {
	Loss      float64 // see loss
	False     int     // unknown files with a false finding at the default score
	Found     float64 // share of the excerpts found at that score, mean over the groups
	TrueFound int     // true copies in unknown files found at that score
}

func (m measured) String() string {
	return fmt.Sprintf("loss %.4f; at the default score %d files with a false finding, %.4f of excerpts found, %d true copies", m.Loss, m.False, m.Found, m.TrueFound)
}

// bars is how many of the strongest unknown files recall is measured above, one after the other, so that no single file
// decides.
const bars = 14

// try measures weights on readings. The loss is one minus the mean recall above the strongest, the second, … unknown
// file with a false match. Recall is the mean over groups: those of excerpts, and one of the true copies in unknown
// files. The position of the threshold does not matter, except for alignments: they are found or false as in the scan.
func try(w *score.Weights, rs []reading) measured {
	groups := make(map[string][]float64)
	var false_ []float64
	var out measured
	at := threshold()
	for _, r := range rs {
		strong := strengths(w, r)
		if r.Unknown {
			top, aligned := math.Inf(-1), false
			for i, m := range r.Matches {
				if m.Verdict == "true-copy" {
					groups["true copies"] = append(groups["true copies"], strong[i])
					if strong[i] >= at {
						out.TrueFound++
					}
				} else if m.Aligned {
					aligned = aligned || strong[i] >= at
				} else {
					top = max(top, strong[i])
				}
			}
			false_ = append(false_, top)
			if top >= at || aligned {
				out.False++
			}
			continue
		}
		for _, p := range r.Pasted {
			if g := p.group(); g != "" {
				groups[g] = append(groups[g], p.strength(r, strong))
			}
		}
	}
	slices.SortFunc(false_, func(a, b float64) int { return cmp.Compare(b, a) })
	recall := 0.0
	for _, bar := range false_[:min(bars, len(false_))] {
		recall += meanRecall(groups, func(s float64) bool { return s > bar })
	}
	out.Loss = 1 - recall/float64(max(1, min(bars, len(false_))))
	delete(groups, "true copies")
	out.Found = meanRecall(groups, func(s float64) bool { return s >= at })
	return out
}

// threshold returns the strength of a match with exactly the needed evidence.
func threshold() float64 { return score.AccidentBits }

// group returns the group over which recall is averaged. Excerpts that by design are too short or too heavily edited
// have no group.
func (p pasted) group() string {
	switch {
	case p.Tokens < 60, p.Kind == "3/25" && p.Tokens < 120, p.Shape == "vendored":
		return ""
	case p.Shape != "excerpt":
		return p.Shape
	}
	return p.Kind
}

// meanRecall returns the mean over groups of the share found. Groups are added in order, so that the sum is the same in
// every run.
func meanRecall(groups map[string][]float64, found func(float64) bool) float64 {
	sum := 0.0
	for _, g := range sortedNames(groups) {
		n := 0
		for _, s := range groups[g] {
			if found(s) {
				n++
			}
		}
		sum += float64(n) / float64(len(groups[g]))
	}
	return sum / float64(max(1, len(groups)))
}

func sortedNames(m map[string][]float64) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// strengths returns -log2 of the expected accidents for each match of a file. Alignments and joined regions support no other
// match, and what was compared with one document has no support, as in a scan. An alignment that is a finding is infinitely strong:
// no weight that is searched moves it.
func strengths(w *score.Weights, r reading) []float64 {
	supports := make(score.Supports[string])
	js := make([]score.Judged, len(r.Matches))
	for i, m := range r.Matches {
		js[i] = score.Judged{Evidence: m.evidence(w), Match: m.span()}
		if !m.Aligned && !m.Joined {
			supports.Add(m.Document, js[i], w.Needed(examine.DefaultMinScore, m.Baseline, m.Tokens))
		}
	}
	supports.Sort()
	out := make([]float64, len(js))
	for i, m := range r.Matches {
		bits := js[i].Evidence.Bits
		if !m.Within {
			bits = supports.Total(m.Document, js[i], w)
		}
		out[i] = w.Trust*(bits+m.Fewer) - math.Log2(float64(m.Baseline)) - math.Log2(float64(m.Tokens))
		if m.Aligned {
			out[i] = math.Inf(cmp.Compare(out[i], threshold()))
		}
	}
	return out
}

// evidence weighs a match. Alignments, and comments beside a match, have the bits of the scan.
func (m matched) evidence(w *score.Weights) score.Evidence {
	switch {
	case m.Void:
		return score.Evidence{}
	case m.Aligned:
		return score.Evidence{Bits: m.Bits}
	}
	e := w.Weigh(m.Readings)
	e.Bits += m.Comments
	return w.MinusFrequency(e, m.Readings.Directories)
}

// span returns a match that has only its position in the document.
func (m matched) span() match.Match {
	return match.Match{Runs: []match.Run{{Origin: uint32(m.From), Len: uint32(m.To - m.From)}}}
}

// strength returns the highest strength at which an excerpt is still found: half of its lines are covered.
func (p pasted) strength(r reading, strong []float64) float64 {
	var near []int
	for i, m := range r.Matches {
		if m.First <= p.Last && p.First <= m.Last {
			near = append(near, i)
		}
	}
	slices.SortStableFunc(near, func(a, b int) int { return cmp.Compare(strong[b], strong[a]) })
	covered := make([]bool, p.Last-p.First+1)
	n := 0
	for _, i := range near {
		for l := max(p.First, r.Matches[i].First); l <= min(p.Last, r.Matches[i].Last); l++ {
			if !covered[l-p.First] {
				covered[l-p.First] = true
				n++
			}
		}
		if 2*n >= len(covered) {
			return strong[i]
		}
	}
	return math.Inf(-1)
}
