// Package score weighs a match: readings → bits → score → reasons in words. It
// does no I/O, starts no goroutine and looks at nothing but its arguments.
//
// Read counts on both sides of a match what may tell a copy from an accident and
// judges none of it: that is a Readings. Weights.Weigh adds the readings up to
// bits, term by term: an Evidence. Weights.Score turns bits into the chance that
// the match is no accident, and Account.Reasons tells it in words.
//
// Costs are what can be known of a target without any document: what each of its
// tokens and names would carry. They bound the bits of a match before its document
// is loaded (Costs.UpperBound), and Read takes them for its readings.
//
// All numbers are in weights.go. docs/SCORE.md tells how to add a reading and how
// to fit the weights again, and has the bits of one finding line by line.
package score
