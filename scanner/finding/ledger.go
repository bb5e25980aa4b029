package finding

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
)

// Reasons of ledger entries. Packages lang and scanner/git define others.
const (
	ReasonConfigured     lang.Reason = "configured"      // the repository's configuration limits the scan
	ReasonExcluded       lang.Reason = "excluded"        // by a pattern of the user
	ReasonVendored       lang.Reason = "vendored"        // in a directory of a package manager
	ReasonUnreadable     lang.Reason = "unreadable"      // the file system refused
	ReasonMissing        lang.Reason = "missing"         // the repository does not have the content: the scan is not complete
	ReasonShallow        lang.Reason = "shallow"         // the clone ends before the history does: the scan is not complete
	ReasonDamaged        lang.Reason = "damaged"         // the content cannot be read, or does not match its name: the scan is not complete
	ReasonParseErrors    lang.Reason = "parse-errors"    // tokenised, with syntax errors
	ReasonCommon         lang.Reason = "common"          // fingerprints with more positions than are stored
	ReasonBaseCode       lang.Reason = "base-code"       // masked on request
	ReasonToolWritten                = lang.ToolWritten  // a transpiler, a bundler or an IDE writes it for everybody
	ReasonRepetitive     lang.Reason = "repetitive"      // too many equal stretches to follow all
	ReasonCrowded        lang.Reason = "crowded"         // more documents than are compared share a table, comments or derived code
	ReasonOwnPackage     lang.Reason = "own-package"     // matches the target's own package
	ReasonWithin         lang.Reason = "within"          // a small part of a verified region
	ReasonBelowThreshold lang.Reason = "below-threshold" // matches with too little information
	ReasonOutranked      lang.Reason = "outranked"       // others share more with it, and the number of pairs is limited
	ReasonWithoutText    lang.Reason = "without-text"    // comments of documents whose text is not in the baseline
	ReasonOutdated       lang.Reason = "outdated"        // documents of the baseline whose tokens were made by other rules
	ReasonUndated        lang.Reason = "undated"         // a history, or a list of versions, cannot be read to date findings
)

// Entry is one line of the ledger: something not examined, in whole or in part.
type Entry struct {
	Path   string      `json:"path"`
	Reason lang.Reason `json:"reason"`
	Detail string      `json:"detail"`
}

// Incomplete lists the ledger entries that make a scan incomplete: contents or commits that the repository should have.
func (r *Report) Incomplete() []Entry {
	return slices.DeleteFunc(slices.Clone(r.Ledger), func(e Entry) bool {
		return e.Reason != ReasonMissing && e.Reason != ReasonDamaged && e.Reason != ReasonShallow
	})
}
