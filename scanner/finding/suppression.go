package finding

import "github.com/git-provenance/git-provenance/scanner/attribution"

// Suppression is a request not to report findings, and its result.
type Suppression struct {
	By       string `json:"by"` // configuration, inline, known
	Path     string `json:"path"`
	Line     int    `json:"line,omitempty"`
	State    string `json:"state"` // used, unused, expired, refused, changed
	Reason   string `json:"reason,omitempty"`
	Expires  string `json:"expires,omitempty"` // YYYY-MM-DD, the last day it holds
	Detail   string `json:"detail,omitempty"`  // why it was refused
	Findings int    `json:"findings"`          // number of findings that it allowed
	Added    bool   `json:"added,omitempty"`   // by the change that was examined
}

// States of suppressions.
const (
	Used    = "used"
	Unused  = "unused"  // no finding fits it
	Expired = "expired" // no longer obeyed
	Refused = "refused" // not obeyed, because it has an error
	Changed = "changed" // the examined change modifies the policy file
)

// Inline is an allow mark in a file of the target.
type Inline struct {
	attribution.Allow
	Path   string
	Covers int  // number of findings, including those in old code
	Added  bool // it is on a new line of the examined change
}
