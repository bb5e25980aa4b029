package words

import (
	"fmt"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// PartCount says how many part origins a region has, "" if there are none.
func PartCount(f *finding.Finding) string {
	if f.PartOriginCount == 0 {
		return ""
	}
	s := "in " + Plural(f.PartOriginCount, "other file")
	if n := f.UnjudgedCount; n > 0 {
		s += fmt.Sprintf(", of which %s most of it and %s not judged", have(n), finding.Was(n))
	}
	return s
}

func have(n int) string {
	if n == 1 {
		return "1 has"
	}
	return Number(n) + " have"
}

// PartWhy says briefly why a file is not an origin.
func PartWhy(why string) string {
	switch why {
	case finding.PartWeak:
		return "less agrees"
	case finding.PartUnlikely:
		return "not sure"
	case finding.PartGenerated:
		return "generated"
	case finding.PartUntied, "everybodys": // so it was called until 2026-11-29
		return "maybe everybody's"
	case finding.PartUnjudged:
		return "not judged"
	}
	return ""
}
