// Package order decides which findings of a report ask for action, which come first (order.go), and which form a group (groups.go).
// It takes the findings of a report and returns them in another order, or divided. All formats follow it.
package order

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// Quiet reports whether a finding asks for no action: it was allowed, or the policy ignores it.
func Quiet(f *finding.Finding) bool {
	return f.Allowed != nil || f.Verdict == finding.AllowedCode || f.Level == "ignore"
}

// LevelRank orders levels, the gravest first. An unknown level ranks as a warning, so that it is not overlooked.
func LevelRank(level string) int {
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

// Ranked orders findings by weight: those that ask for action first, code before prose, graver levels first, then by
// bits, which say how much was copied. So a limit cuts off the least important.
func Ranked(fs []finding.Finding) []*finding.Finding {
	out := make([]*finding.Finding, len(fs))
	for i := range fs {
		out[i] = &fs[i]
	}
	slices.SortStableFunc(out, func(a, b *finding.Finding) int {
		return cmp.Or(
			finding.CompareTrue(Quiet(b), Quiet(a)),
			finding.CompareTrue(b.IsProse(), a.IsProse()),
			cmp.Compare(LevelRank(a.Level), LevelRank(b.Level)),
			cmp.Compare(b.Bits, a.Bits),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// Split divides a ranking into findings that ask for action and findings that do not.
func Split(fs []*finding.Finding) (loud, quiet []*finding.Finding) {
	i := slices.IndexFunc(fs, Quiet)
	if i < 0 {
		return fs, nil
	}
	return fs[:i], fs[i:]
}

// Focus returns the lines of a finding to show to a reviewer: the longest stretch that the change added, since GitHub
// shows only lines within a change. Without a change it returns the whole region.
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

// FirstOrigin returns the best origin. A report made by hand may lack one.
func FirstOrigin(f *finding.Finding) finding.Origin {
	if len(f.Origins) == 0 {
		return finding.Origin{PURL: "an origin not recorded", License: license.NoAssertion}
	}
	o := f.Origins[0]
	o.License = cmp.Or(o.License, license.NoAssertion)
	return o
}
