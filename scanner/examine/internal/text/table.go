package text

import (
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// A table of numbers has a comma or a bracket for each number, at most three, and hardly any name. A pair in brackets, "{ 1, 2 },", has
// six tokens, and more if the runs do not end with a row.
const (
	numbersOfTable = 4  // at least one token in 4 is a number
	namesOfTable   = 10 // at most one name for 10 numbers
)

// IsTable reports whether runs are a table of numbers.
func (s *Stream) IsTable(runs []match.Run) bool {
	all, numbers, others := 0, 0, 0
	for _, r := range runs {
		for _, t := range s.Tokens[r.Target:r.TargetEnd()] {
			all++
			switch t.Class {
			case lang.Number:
				numbers++
			case lang.Identifier, lang.String:
				others++
			}
		}
	}
	return numbers*numbersOfTable >= all && others*namesOfTable <= numbers
}

// IsTableInCode reports whether runs are a table of numbers in code. In a text without a grammar they are a drawing.
func (s *Stream) IsTableInCode(runs []match.Run) bool {
	return s.Language != lang.Words() && s.IsTable(runs)
}
