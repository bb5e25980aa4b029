// Package words describes findings in short sentences. Its input is findings, their parts and entries of the ledger. Its output is
// escaped text without markup, or Pieces that each format marks up in its own way. All formats use the same words, so a sentence is
// changed here and nowhere else:
//
//	words.go       verdicts, the relation of both sides ("copied from"), counts of regions
//	facts.go       the lines of a finding: source, older, licence, amount, score
//	action.go      what to do about it
//	evidence.go    the match: lines, renamed names, changes of the history
//	dates.go       both timelines; history.go: how a region changed; undirected.go: what would settle an unknown direction
//	alike.go       regions of which others say the same
//	licence.go     where a licence was read, and whether it fits
//	parts.go, vendored.go  part origins; vendored packages
//	ledger.go      suppressions, and the reasons of the ledger
//	message.go     a finding as an annotation
//	numbers.go, program.go  numbers, plurals and ranges; names of packages and of this program
package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/order"
)

// Extent is how much is told of what a finding has many of.
type Extent int

const (
	Brief Extent = iota // the first few, and the number of the others
	Full
)

// RegionCount says how many regions there are, in how many files, shared with how many packages. It returns "" if a
// count of findings says as much.
func RegionCount(fs []*finding.Finding) string {
	files, packages := make(map[string]bool), make(map[string]bool)
	for _, f := range fs {
		files[f.Path], packages[purl.Name(order.FirstOrigin(f).PURL)] = true, true
	}
	if len(fs) < 2 {
		return ""
	}
	return fmt.Sprintf("%s in %s %s %s", Plural(len(fs), "region"), Plural(len(files), "file"), Relations(fs), Plural(len(packages), "package"))
}

// Regions counts the regions of a group, and their files if there are several.
func Regions(g []*finding.Finding) string {
	s := Plural(len(g), "region")
	if files, _ := order.Places(g); files > 1 {
		s += " in " + Plural(files, "file")
	}
	return s
}

// Relations returns the relation of several findings to their origins: their common one, or neutral words if they
// differ.
func Relations(fs []*finding.Finding) string {
	words, _ := Relation(fs[0])
	for _, f := range fs[1:] {
		if w, _ := Relation(f); w != words {
			return "shared with"
		}
	}
	return words
}

// ByLevel counts findings, the gravest level first.
func ByLevel(fs []*finding.Finding) []string {
	var count [4]int
	for _, f := range fs {
		count[order.LevelRank(f.Level)]++
	}
	var out []string
	for rank, n := range count {
		if n > 0 {
			out = append(out, Plural(n, []string{"error", "warning", "note", "ignored"}[rank]))
		}
	}
	return out
}

// Names says what a notice names of the origin.
func Names(names string) string {
	switch names {
	case "package", "license", "holder":
		return "the origin's " + strings.Replace(names, "license", "licence", 1)
	case "other":
		return "something else"
	}
	return "nothing of the origin"
}

// SortedNotices sorts notices: those that name something of the origin come first.
func SortedNotices(ns []finding.Notice) []finding.Notice {
	out := slices.Clone(ns)
	slices.SortStableFunc(out, func(a, b finding.Notice) int { return cmp.Compare(namesRank(a.Names), namesRank(b.Names)) })
	return out
}

func namesRank(names string) int {
	return max(0, slices.Index([]string{"package", "holder", "license", "other", "nothing"}, names))
}

// VerdictMeaning explains a verdict to a new reader.
func VerdictMeaning(v finding.Verdict) string {
	switch v {
	case finding.Attributed:
		return "a notice names this origin"
	case finding.AttributionWrong:
		return "a notice names another origin or licence"
	case finding.LicenceStripped:
		return "the licence header of the origin is missing"
	case finding.AttributedElsewhere:
		return "the target says that the code is from another place"
	case finding.Undeclared:
		return "no notice names this origin"
	case finding.CommonCode:
		return "packages of many owners contain this code"
	case finding.AllowedCode:
		return "a person accepted it"
	}
	return "this release does not know the verdict"
}

// ScoreMeaning explains a score: the share of findings like this one that were true copies when people read them.
func ScoreMeaning(score float64) string {
	switch {
	case score >= 0.99:
		return "hardly any finding like it was false"
	case score >= 0.9:
		return "most findings like it were true copies"
	case score >= evenOdds:
		return "more findings like it were true copies than were false"
	}
	return "fewer than half of the findings like it were true copies: compare both sides"
}

// evenOdds is the score from which findings were true copies as often as not.
const evenOdds = 0.5

// Doubtful reports whether findings like this one were false more often than true. A finding without a score is not.
func Doubtful(f *finding.Finding) bool { return f.Score > 0 && f.Score < evenOdds }

// CopyOf reports whether a heading may call a finding a copy of its first origin: the origin is older, and the target does not say that
// the code is from another place.
func CopyOf(f *finding.Finding) bool {
	return f.Direction == finding.DirectionFrom && f.Verdict != finding.AttributedElsewhere
}

// Relation returns the words before and after the origin's name that relate a finding to its first origin. Only dates
// make it a copy, and a doubtful one is so perhaps.
func Relation(f *finding.Finding) (before, after string) {
	switch {
	case CopyOf(f):
		before = "copied from"
	case f.Direction == finding.DirectionTo:
		before, after = "also in", " (here first)"
	default:
		before = "shared with"
	}
	if Doubtful(f) {
		before = "perhaps " + before
	}
	return before, after
}

// Licence returns the licence of a file for a heading.
func Licence(l string) string {
	if l == "" || l == license.NoAssertion {
		return "licence unknown"
	}
	return l
}

// Changed lists the lines of a finding that the examined change added.
func Changed(f *finding.Finding) string {
	if len(f.Changed) == 0 {
		return ""
	}
	var parts []string
	for i, c := range f.Changed {
		if i == MaxRanges {
			parts = append(parts, fmt.Sprintf("%d more", len(f.Changed)-i))
			break
		}
		if parts = append(parts, fmt.Sprintf("%d-%d", c.StartLine, c.EndLine)); c.StartLine == c.EndLine {
			parts[i] = fmt.Sprint(c.StartLine)
		}
	}
	return strings.Join(parts, ", ")
}

// MaxRanges bounds the line ranges listed in words: a reader follows a handful, and a hostile file has thousands.
const MaxRanges = 8
