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
