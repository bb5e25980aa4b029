package policy

import (
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// surely is the score from which on a finding can be an error: at most a tenth of such findings are no copies.
const surely = 0.9

// Default returns the rules that apply if no other rule matches. Undeclared code under a licence that binds the whole work is an
// error if the origin had it first and the match is sure. Otherwise both sides may have it from a third place. Declared code is a note. Code
// whose licence only asks for its notice is graver while the notice is missing, unless a sentence says that it is from elsewhere.
// If the licence fits that of the whole repository, the notice alone is missing, or nothing.
// A fork keeps its parent's licence file; if that names no holder, every file would be undeclared.
// docs/POLICY.md lists the rules with their reasons.
func Default() []Rule {
	const (
		attributed = string(finding.Attributed)
		wrong      = string(finding.AttributionWrong)
		stripped   = string(finding.LicenceStripped)
		elsewhere  = string(finding.AttributedElsewhere)
		undeclared = string(finding.Undeclared)
		common     = string(finding.CommonCode)
	)
	strong := []string{"copyleft", "network-copyleft"}
	copyleft := []string{"copyleft", "network-copyleft", "weak-copyleft"}
	restricted := []string{"copyleft", "network-copyleft", "weak-copyleft", "proprietary"} // the same proprietary licence of someone else permits nothing: it never fits
	nameless := []string{"copyleft", "network-copyleft", "weak-copyleft", "Apache-2.0"}    // their texts name no holder
	return []Rule{
		{Name: "common", Verdict: []string{common}, Level: Ignore},
		{Name: "copied-from-here", Direction: []string{"to"}, Level: Note},
		{Name: "same-owner", Owner: []string{ownerSame}, Level: Note},
		{Name: "holder", Owner: []string{ownerHolder}, Level: Note},
		{Name: "documentation", Kind: []string{kindDocumentation}, Level: Note},
		{Name: "prose", Kind: []string{kindProse}, Level: Note},
		{Name: "table", Kind: []string{kindTable}, Level: Note},
		{Name: "unlikely", BelowScore: 0.5, Verdict: []string{undeclared, stripped, wrong, elsewhere}, Level: Note},
		{Name: "unlikely", BelowScore: 0.5, Verdict: []string{attributed}, NamedIn: []string{inRoot}, Level: Note},
		{Name: "shared-history", History: []string{historyShared}, License: nameless, Verdict: []string{undeclared}, Compatibility: []string{string(license.Fits)}, Level: Note},
		{Name: "attribution-doubtful", BelowScore: surely, Verdict: []string{wrong}, Level: Warning},
		{Name: "copyleft-doubtful", BelowScore: surely, License: restricted, Verdict: []string{undeclared, stripped}, Level: Warning},
		{Name: "attribution-wrong", Verdict: []string{wrong}, Direction: []string{"from"}, Level: Error},
		{Name: "copyleft-fits", License: copyleft, Verdict: []string{undeclared, stripped}, Compatibility: []string{fitsRoot}, Level: Warning},
		{Name: "copyleft-undeclared", License: restricted, Verdict: []string{undeclared, stripped}, Direction: []string{"from"}, Level: Error},
		{Name: "copyleft-doubtful", License: restricted, Verdict: []string{undeclared, stripped}, Level: Warning},
		{Name: "attribution-doubtful", Verdict: []string{wrong}, Level: Warning},
		{Name: "attributed-fits", License: strong, Verdict: []string{attributed, elsewhere}, Compatibility: []string{fitsRoot}, Level: Note},
		{Name: "copyleft-attributed", License: []string{"copyleft", "network-copyleft", "proprietary"}, Verdict: []string{attributed, elsewhere}, Level: Warning},
		{Name: "public-domain", License: []string{"public-domain"}, Level: Note},
		{Name: "attributed", Verdict: []string{attributed}, Level: Note},
		{Name: "attributed-elsewhere", Verdict: []string{elsewhere}, Level: Note},
		{Name: "unknown-licence", License: []string{"unknown"}, Level: Warning},
		{Name: "undeclared", Level: Warning},
	}
}
