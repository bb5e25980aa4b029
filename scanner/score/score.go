// Package score computes the bits and the score of a match: readings → bits → score → reasons in words. It does no I/O and starts
// no goroutine, and depends on its arguments only.
//
// Read counts, on both sides of a match, everything that may separate a copy from an accident: the Readings. Weights.Weigh adds
// the readings up to bits, term by term: the Evidence. Likelihood.Score turns bits into the share of such findings that are true
// copies. Weights.Reasons explains it in words.
//
// Costs hold what is known of a target without any document: the bits of each of its tokens and names. They give an upper bound
// of a match before its document is loaded (Costs.UpperBound), and Read uses them.
//
// All numbers are in weights.go, derived.go, support.go and likely.go. docs/SCORE.md explains how to add a reading and how to fit
// the weights again, and shows the bits of one finding line by line.
package score

import (
	"math"
)

// Alike reports whether a further origin has enough bits compared with the best. Files of one package made after one pattern
// share structure and half of their names. A copy of the same text shares nearly all of them.
func (w *Weights) Alike(bits, best float64) bool { return bits >= w.SameText*best }

// Frequency averages how many directories have the k-grams of a match.
type Frequency struct {
	sum float64
	n   int
}

// Add counts a k-gram that so many directories have.
func (f *Frequency) Add(directories int) {
	f.sum += math.Log2(float64(min(directories, Frequent)))
	f.n++
}

// CostOfFrequency returns the least number of bits that document frequency subtracts if so many directories have each k-gram: see
// MinusFrequency.
func (w *Weights) CostOfFrequency(directories int) float64 {
	return w.Frequency * math.Log2(float64(min(directories, Frequent)))
}

// Mean returns the mean of log2 of the directories.
func (f Frequency) Mean() float64 {
	if f.n == 0 {
		return 0
	}
	return f.sum / float64(f.n)
}

// Supported adds support to the bits of a match. A file of which half is edited beyond recognition is still that file.
func (w *Weights) Supported(bits, support float64) float64 {
	return bits + min(support, bits)*w.Support
}
