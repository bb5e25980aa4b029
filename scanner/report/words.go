package report

import (
	"cmp"
	"fmt"
	"github.com/git-provenance/git-provenance/baseline/license"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// verdictWords says what a verdict means to whoever reads it for the first time.
func verdictWords(v finding.Verdict) string {
	switch v {
	case finding.Attributed:
		return "the code says where it comes from"
	case finding.AttributionWrong:
		return "the code names another origin or licence than the one found"
	case finding.LicenceStripped:
		return "the licence header of the origin is gone"
	case finding.Undeclared:
		return "nothing in the code says where it comes from"
	case finding.CommonCode:
		return "the code stands in many unrelated packages"
	case finding.AllowedCode:
		return "somebody accepted it"
	}
	return "a verdict this release does not know"
}

// scoreWords says what a score means. It is the chance that a run of so much
// information is no accident against a baseline of this size.
func scoreWords(score float64) string {
	switch {
	case score >= 0.999:
		return "an accident is practically ruled out"
	case score >= 0.99:
		return "an accident is very unlikely"
	case score >= 0.9:
		return "an accident is unlikely"
	}
	return "it may be an accident"
}

// directionWords says which side had the code first, as far as dates prove it.
func directionWords(direction string) string {
	switch direction {
	case finding.DirectionFrom:
		return "the origin is older"
	case finding.DirectionTo:
		return "this code is older than the origin"
	}
	return ""
}

// datesWords puts the dates of a direction, already escaped, before what they prove.
func datesWords(reason, direction string) string {
	proved := directionWords(direction)
	if reason == "" || proved == "" {
		return reason + proved
	}
	return reason + ": " + proved
}

// relation is how a finding stands to its first origin: the words before the
// origin's name, and those behind it. Only dates make it a copy.
func relation(f *finding.Finding) (before, after string) {
	before, after = "shared with", " (which was first is not known)"
	switch f.Direction {
	case finding.DirectionFrom:
		before, after = "copied from", ""
	case finding.DirectionTo:
		before, after = "also in", " (here first)"
	}
	if firstOrigin(f).SameOwner {
		after += " (same owner)"
	}
	return before, after
}

// Quiet tells whether a finding asks nobody to act: it was allowed, or the
// policy ignores it.
func Quiet(f *finding.Finding) bool {
	return f.Allowed != nil || f.Verdict == finding.AllowedCode || f.Level == "ignore"
}

// levelRank orders levels, the gravest first. One that is not known ranks as a
// warning: better to look at it in vain.
func levelRank(level string) int {
	switch level {
	case "error":
		return 0
	case "note":
		return 2
	case "ignore":
		return 3
	}
	return 1
}

// Ranked orders findings by weight: those that ask for action first, code before
// prose, the graver level before the milder, then the more information, as bits say
// how much was copied. What a limit cuts off the end matters least.
func Ranked(fs []finding.Finding) []*finding.Finding {
	out := make([]*finding.Finding, len(fs))
	for i := range fs {
		out[i] = &fs[i]
	}
	slices.SortStableFunc(out, func(a, b *finding.Finding) int {
		return cmp.Or(
			finding.CompareTrue(Quiet(b), Quiet(a)),
			finding.CompareTrue(prose(b), prose(a)),
			cmp.Compare(levelRank(a.Level), levelRank(b.Level)),
			cmp.Compare(b.Bits, a.Bits),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// split cuts a ranking in those that ask for action and those that do not.
func split(fs []*finding.Finding) (loud, quiet []*finding.Finding) {
	i := slices.IndexFunc(fs, Quiet)
	if i < 0 {
		return fs, nil
	}
	return fs[:i], fs[i:]
}

// Focus returns the lines of a finding to point a reviewer at: the longest
// stretch that the change added, as GitHub shows what lies within a change only;
// without a change the whole region.
func Focus(f *finding.Finding) finding.Lines {
	best := finding.Lines{StartLine: f.StartLine, EndLine: f.EndLine}
	for i, c := range f.Changed {
		if i == 0 || c.EndLine-c.StartLine > best.EndLine-best.StartLine {
			best = c
		}
	}
	best.StartLine = max(1, best.StartLine)
	best.EndLine = max(best.StartLine, best.EndLine)
	return best
}

// firstOrigin returns the best origin; a report made by hand may lack it.
func firstOrigin(f *finding.Finding) finding.Origin {
	if len(f.Origins) == 0 {
		return finding.Origin{PURL: "an origin not recorded", License: license.NoAssertion}
	}
	o := f.Origins[0]
	o.License = cmp.Or(o.License, license.NoAssertion)
	return o
}

func licenceWords(l string) string {
	if l == "" || l == license.NoAssertion {
		return "licence unknown"
	}
	return l
}

// clip shortens a text to at most n characters.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	cut := 0
	for range n - 1 {
		_, size := utf8.DecodeRuneInString(s[cut:])
		cut += size
	}
	return s[:cut] + "…"
}

// clipBytes shortens a text to at most n bytes, between characters.
func clipBytes(s string, n int) string {
	const mark = "…"
	if len(s) <= n {
		return s
	}
	n = max(0, n-len(mark))
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + mark
}

func lineRange(start, end int) string {
	if start == end {
		return fmt.Sprintf("line %d", start)
	}
	return fmt.Sprintf("lines %d-%d", start, end)
}

func changedWords(f *finding.Finding) string {
	if len(f.Changed) == 0 {
		return ""
	}
	var parts []string
	for i, c := range f.Changed {
		if i == maxRanges {
			parts = append(parts, fmt.Sprintf("%d more", len(f.Changed)-i))
			break
		}
		if parts = append(parts, fmt.Sprintf("%d-%d", c.StartLine, c.EndLine)); c.StartLine == c.EndLine {
			parts[i] = fmt.Sprint(c.StartLine)
		}
	}
	return strings.Join(parts, ", ")
}

// maxRanges is how many stretches of lines are listed in words: a reader follows
// a handful, and a hostile file has thousands.
const maxRanges = 8

// ledgerWords says what a reason of the ledger means to whoever reads it for the
// first time.
func ledgerWords(r lang.Reason) string {
	switch r {
	case finding.ReasonConfigured:
		return "the configuration of the repository makes the scan see less"
	case finding.ReasonExcluded:
		return "left out by a pattern of the configuration"
	case finding.ReasonVendored:
		return "kept by a package manager"
	case finding.ReasonUnreadable:
		return "could not be read"
	case finding.ReasonParseErrors:
		return "examined, with syntax errors"
	case finding.ReasonCommon:
		return "holds sequences that occur too often in the baseline to keep every place"
	case finding.ReasonSanctioned:
		return "stands in code that was named as permitted"
	case finding.ReasonRepetitive:
		return "too many equal stretches to follow all of them"
	case finding.ReasonOwnPackage:
		return "matched the package that was scanned itself"
	case finding.ReasonWithin:
		return "matches that are a small part of a proved one"
	case finding.ReasonOutdated:
		return "documents of the baseline whose language has changed since they were indexed"
	case finding.ReasonBelowThreshold:
		return "matches that carry too little information to prove anything"
	case lang.Binary, lang.Data, lang.Empty, lang.NULBytes, lang.InvalidUTF8:
		return "not source code that can be read"
	case lang.Generated:
		return "written by a program"
	case lang.LicenceText:
		return "the text of a licence"
	case lang.TooLarge, lang.TooManyTokens, lang.Budget, lang.Memory, lang.Timeout:
		return "examined in part or not at all, to bound time and memory"
	case lang.ParserFailed:
		return "the parser could not read it"
	}
	return ""
}
