package describe

import (
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// In a list of named numbers each number has a name, at most a type, a sign of assignment and a separator. leastNamed numbers make a list.
const (
	tokensOfNamed = 5
	leastNamed    = 8
	namesOfNamed  = 10 // at most one other number or string for 10 of them
)

// isNamedNumbers reports whether runs are a list of names that are given their numbers one by one, as standards, file formats and
// operating systems fix them: the classes of DWARF, the codes of HTTP.
func isNamedNumbers(text []byte, tokens []lang.Token, runs []match.Run) bool {
	all, named, others := 0, 0, 0
	for _, r := range runs {
		for i := r.Target; i < r.TargetEnd(); i++ {
			all++
			switch {
			case tokens[i].Class == lang.String:
				others++
			case tokens[i].Class != lang.Number:
			case i > 0 && string(text[tokens[i-1].Start:tokens[i-1].End]) == "=":
				named++
			default:
				others++
			}
		}
	}
	return named >= leastNamed && all <= tokensOfNamed*named && others*namesOfNamed <= named
}

// tokensOfCounted is how many tokens there are at most for each name that stands alone in a list that Go counts: some have values.
const tokensOfCounted = 4

// isCounted reports whether runs are a list that Go counts: "A = iota", then a name a line. Only embedded fields stand alone too.
func (t *drafter) isCounted(runs []match.Run) bool {
	if t.text.Language.Name != "go" {
		return false
	}
	alone, all := 0, 0
	for _, r := range runs {
		for i := r.Target; i < r.TargetEnd(); i++ {
			all++
			line := t.text.Line(i)
			shared := i > 0 && t.text.Line(i-1) == line || int(i)+1 < len(t.text.Tokens) && t.text.Line(i+1) == line
			if t.text.Tokens[i].Class == lang.Identifier && !shared {
				alone++
			}
		}
	}
	return alone >= leastNamed && all <= tokensOfCounted*alone
}
