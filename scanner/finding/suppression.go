package finding

import "github.com/git-provenance/git-provenance/scanner/attribution"

// Suppression is one way by which somebody asked not to be told of findings, and
// what became of it.
type Suppression struct {
	By       string `json:"by"` // configuration, inline, known
	Path     string `json:"path"`
	Line     int    `json:"line,omitempty"`
	State    string `json:"state"` // used, unused, expired, refused, changed
	Reason   string `json:"reason,omitempty"`
	Expires  string `json:"expires,omitempty"` // YYYY-MM-DD, the last day it holds
	Detail   string `json:"detail,omitempty"`  // why it was refused
	Findings int    `json:"findings"`          // that it allowed
	Added    bool   `json:"added,omitempty"`   // by the very change that was examined
}

// The states of suppressions.
const (
	Used    = "used"
	Unused  = "unused"  // nothing it fits was found
	Expired = "expired" // not obeyed any more
	Refused = "refused" // not obeyed: something is wrong with it
	Changed = "changed" // the change examined changes the file that holds the policy
)

// Inline is a mark in a file of the target.
type Inline struct {
	attribution.Allow
	Path   string
	Covers int  // findings, those in old code among them
	Added  bool // it stands on a new line of the change examined
}
