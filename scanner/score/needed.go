// Package score computes the bits and the score of a match: readings → bits → score → reasons in words. It does no I/O and starts
// no goroutine, and depends on its arguments only.
//
//	read.go        both sides of a match → Readings (readings.go); literals.go: which literals count; edges.go: its boundaries
//	repeats.go     tokens that repeat earlier ones of the match, which count less
//	weigh.go       Readings → Evidence, with the weights of weights.go; derived.go: those of alignments
//	support.go     other matches with the same document; comments beside a match
//	needed.go      how many bits a score needs
//	likely.go      bits → score; which matches are doubted
//	reasons.go     the sum behind a score, in words
//	costs.go       Costs: the bits of each token of a target, without any document
//	bounds.go      the upper bounds of a match; spanbound.go: of the names in a stretch of tokens
//
// Read counts, on both sides of a match, everything that may separate a copy from an accident: the Readings. Weights.Weigh adds
// the readings up to bits, term by term: the Evidence. Likelihood.Score turns bits into the share of such findings that are true
// copies. Weights.Reasons explains it in words.
//
// Costs hold what is known of a target without any document: the bits of each of its tokens and names. They give an upper bound
// of a match before its document is loaded (Costs.UpperBound), and Read uses them.
//
// All numbers are in weights.go, derived.go, support.go and likely.go. docs/SCORE.md lists the files, explains how to add a reading
// and how to fit the weights again, and shows the bits of one finding line by line.
package score

import "math"

// The threshold: how many bits evidence needs.
//
//	Weights.Needed        a match, for a score: an accident as good is expected once in 19 texts like this
//	Weights.NeededForOne  one accident as good is expected: bits beyond these speak for a copy
//	Weights.Alike         whether a further origin has enough bits compared with the best
//	Weights.Reaches       whether a match can have the needed bits, once other regions support it
//	Derived.Discount      what derived code needs less than a match
//
// Needed and NeededForOne grow with the tokens compared: those of all baselines, or of one document if other evidence led to it.
// scanner/examine/internal/text/needed.go says which decision uses which.

// AccidentBits is -log2 of 1/19, the expected number of accidental matches at the threshold.
const AccidentBits = 4.247927513443585

// Needed returns the bits that a match needs for a score. At Enough, 1/19 accidental matches are expected: E = target tokens ×
// baseline tokens × 2^(-Trust·bits). A score below Enough needs fewer bits, and a score of 0 fewer than any match has.
func (w *Weights) Needed(score float64, baseline uint64, target int) float64 {
	needed := (logPositions(baseline, target) + AccidentBits) / w.Trust
	if score < Enough {
		needed += halving * math.Log2(max(score, 1e-300)/Enough)
	}
	return needed
}

// NeededForOne returns the bits at which one accidental match is expected.
func (w *Weights) NeededForOne(baseline uint64, target int) float64 {
	return logPositions(baseline, target) / w.Trust
}

// logPositions returns log2 of the number of positions at which an accidental match is possible.
func logPositions(baseline uint64, target int) float64 {
	return math.Log2(float64(max(baseline, 1))) + math.Log2(float64(max(target, 1)))
}

// Reaches reports whether a match can have the needed bits with the largest possible support.
func (w *Weights) Reaches(bits, needed float64) bool { return bits*(1+w.Support) >= needed }

// Alike reports whether a further origin has enough bits compared with the best. Files of one package made after one pattern
// share structure and half of their names. A copy of the same text shares nearly all of them.
func (w *Weights) Alike(bits, best float64) bool { return bits >= w.SameText*best }

// Discount returns how many bits fewer than a match the evidence of derived code needs: none if its names agree in hardly any order,
// since those are often the names of one API. The transition is gradual, so one more equal name never raises the need by more than
// its own bits.
func (d *Derived) Discount(e Evidence) (bits float64) {
	if !e.Derived {
		return 0
	}
	if e.Whole {
		bits = d.Whole
	}
	if e.Named {
		bits += d.Named
	}
	half := d.Ordered / 2
	return bits + d.Less*min(1, max(0, e.Traits(0, 0).Order-half)/half)
}
