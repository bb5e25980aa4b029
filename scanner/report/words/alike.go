package words

import (
	"slices"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/order"
)

// Of manyAlike regions or more that say the same, a report for people shows shownAlike in full.
const (
	manyAlike  = 6
	shownAlike = 3
)

// Alike splits a group into findings that are shown in full and the rest. rest is empty, unless many findings are of one file and
// one origin file and differ in their amount only. Then the first ones suffice to know what to do about the others.
func Alike(g []*finding.Finding) (full, rest []*finding.Finding) {
	if files, _ := order.Places(g); len(g) < manyAlike || files > 1 || order.FilesOf(g) > 1 {
		return g, nil
	}
	said := func(f *finding.Finding) [5]string {
		return [5]string{f.Level, f.Rule, f.Direction, order.FirstOrigin(f).PURL, LicenceOf(f, Brief).String()}
	}
	differs := func(f *finding.Finding) bool {
		return said(f) != said(g[0]) || f.Allowed != nil || f.Alive != nil && !*f.Alive
	}
	if slices.ContainsFunc(g, differs) {
		return g, nil
	}
	return g[:shownAlike], g[shownAlike:]
}
