// Package finding defines the content of a report: findings, their origins, the ledger. It sorts reports, escapes names of files,
// and decides from the dates of both sides which side of a finding had its region first.
//
//	finding.go    Report, Finding, Notice; the verdicts
//	origin.go     Origin, PartOrigin, and the interval in which a side got the region
//	ledger.go     Entry and its reasons
//	suppression.go, vendored.go  other parts of a report
//	order.go      Finish: the one order of a report, its summary, and what seems to be scanned and was not
//	ids.go        the ids of findings
//	direction.go  which side was first; directionreason.go: the reason, in words
//	prose.go      which findings are text, not code
//	excerpt.go    the lines of one side
//	name.go, position.go, count.go  names, positions and numbers in the form that a report has
package finding

import (
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
)

// Schema is the version of the report's format. Names are fixed; fields may be added.
const Schema = "git-provenance/1"

// Report is the outcome of a scan, from which every output format is made.
type Report struct {
	Schema     string     `json:"schema"`
	Tool       Tool       `json:"tool"`
	Parameters Parameters `json:"parameters"`
	Baseline   Baseline   `json:"baseline"`
	Target     Target     `json:"target"`
	// Unseen lists in sentences what was not scanned but may seem to be: a history that is cut off, a target without a file.
	Unseen   []string  `json:"unseen,omitempty"`
	Findings []Finding `json:"findings"`
	// Suppressions lists all suppressions, used or not: nothing is suppressed silently.
	Suppressions []Suppression `json:"suppressions"`
	// Vendored lists the vendored packages of the target, by path.
	Vendored []Vendored `json:"vendored,omitempty"`
	Ledger   []Entry    `json:"ledger"`
	Summary  Summary    `json:"summary"`

	Inline []Inline `json:"-"` // allow marks in the target; package policy decides about them
}

// Tool names the program.
type Tool struct {
	Version string `json:"version"`
}

// Parameters are the settings that decide what is found.
type Parameters struct {
	K         int     `json:"k"`
	W         int     `json:"w"`
	T         int     `json:"t"` // guarantee threshold, k+w-1 tokens
	Scheme    string  `json:"scheme"`
	MinTokens int     `json:"minTokens"`
	MinScore  float64 `json:"minScore"`
}

// Baseline identifies the baseline. With several baselines, the digest is the hash of their digests in order.
type Baseline struct {
	Digest    string `json:"digest"`
	Packages  int    `json:"packages"`
	Documents int    `json:"documents"`
}

// Target identifies what was scanned.
type Target struct {
	Kind string `json:"kind"`           // tree, staged, diff, history, snippet
	Base string `json:"base,omitempty"` // commit id: diff
	Head string `json:"head,omitempty"` // commit id: diff, history
}

// Finding is one region of the target with its origins and its evidence.
type Finding struct {
	ID        string  `json:"id"` // hash of content and origin, without line, path or commit; the second of equal ids and later ones get a number
	Path      string  `json:"path"`
	StartLine int     `json:"startLine"`
	EndLine   int     `json:"endLine"`
	StartByte int     `json:"startByte"` // offset of the region in the file
	EndByte   int     `json:"endByte"`   // after its last byte
	FileLines int     `json:"fileLines"` // of the target file
	FileSHA1  string  `json:"fileSha1"`  // of the target file: formats such as SPDX identify files by it
	Language  string  `json:"language"`
	Tokens    int     `json:"tokens"`    // matched with the first origin, without gaps
	FileShare float64 `json:"fileShare"` // of the target file's tokens
	Score     float64 `json:"score"`
	Bits      float64 `json:"bits"`
	Support   float64 `json:"support"` // bits of the strongest other region of the file from the same origin file
	ScoredBy  Traits  `json:"scoredBy"`
	CloneType int     `json:"cloneType"`
	// TypeAnnotations counts the gaps between runs in which the target has what the origin has, with type annotations added.
	TypeAnnotations int        `json:"typeAnnotations,omitempty"`
	Derived         bool       `json:"derived,omitempty"` // edited so often that only all runs together are evidence
	Verdict         Verdict    `json:"verdict"`
	Level           string     `json:"level"`          // ignore, note, warning, error: set by the policy
	Rule            string     `json:"rule,omitempty"` // of the policy; the one that set the level
	Allowed         *Allowance `json:"allowed,omitempty"`
	Attributions    []Notice   `json:"attributions"`        // statements of the target on the region, nearest first
	FormerIDs       []string   `json:"formerIds,omitempty"` // history: of earlier versions that had most of the region, sorted
	Function        *Function  `json:"function,omitempty"`
	Functions       []Pair     `json:"functions,omitempty"`  // if some of the file is derived, or the region was edited and has several: functions most of which are in the region, by line
	Introduced      *Commit    `json:"introduced,omitempty"` // the commit by which the region entered the target
	Here            *Interval  `json:"here,omitempty"`       // when the target first had the region
	Edits           []Commit   `json:"edits,omitempty"`      // history: later commits that changed the region, oldest first
	Left            *Commit    `json:"left,omitempty"`       // history: the commit by which the region left the target for good
	Tip             []Location `json:"tip,omitempty"`        // history: locations of the region at the tip
	Alive           *bool      `json:"alive,omitempty"`      // history: whether the region exists at the tip
	Direction       string     `json:"direction"`            // from, to, unknown
	// DirectionReason gives the dates behind the direction, in words.
	DirectionReason string         `json:"directionReason,omitempty"`
	Changed         []Lines        `json:"changed,omitempty"` // diff, staged: lines of the region that the change added
	Runs            []Run          `json:"runs"`              // with the first origin; between them are the gaps
	Renames         []Rename       `json:"renames"`
	Identifiers     Names          `json:"identifiers"`
	Literals        Literals       `json:"literals"`
	Origins         []Origin       `json:"origins"`                 // best first, each a finding by itself; at most Options.MaxOrigins
	OriginCount     int            `json:"originCount"`             // all versions of a package count once
	Licenses        []string       `json:"licenses"`                // of all origins; two or more disagree
	Compatibility   *Compatibility `json:"compatibility,omitempty"` // of the first origin's licence with the target's own
	PackageCount    int            `json:"packageCount"`            // distinct packages; all versions count once
	Blobs           int            `json:"blobs,omitempty"`         // history: distinct blobs that have it
	Reasons         []string       `json:"reasons"`                 // for the score, in words: the needed bits, then a sum
	Text            *Sides         `json:"text,omitempty"`          // both sides, unless left out by Options.NoSource

	// PartOrigins are further files that have part of the region, those with most tokens first; at most Options.MaxOrigins. No
	// other count includes them.
	PartOrigins     []PartOrigin `json:"partOrigins,omitempty"`
	PartOriginCount int          `json:"partOriginCount,omitempty"` // all versions of a package count once
	UnjudgedCount   int          `json:"unjudgedCount,omitempty"`   // files among them that have most of the region and were not judged

	// Documentation is set if the region is a comment whose words agree, beside code that is no finding with the package. Its
	// tokens are words. In a file that is read as words, such as a template of settings, all lines of it are comments.
	Documentation bool `json:"documentation,omitempty"`

	// Table is set if the region is a table of numbers, or a list of named ones. Such a table is often a fact, such as a character
	// set or the constants of a standard: people who write it down have the same numbers without copying.
	Table bool `json:"table,omitempty"`

	Inline *Inline `json:"-"` // the allow mark that covers it
}

// Traits are the inputs of a finding's score.
type Traits struct {
	Above     float64 `json:"above"`     // bits above the needed ones
	Order     float64 `json:"order"`     // share of the order of the tokens in the bits that support the match
	Unchanged float64 `json:"unchanged"` // share of unchanged names, 0 if there are none
	Supported bool    `json:"supported"` // another region of the file is a finding with the same origin file
}

// Verdict is the result of comparing the target's statements on a region with the origin that was found.
type Verdict string

// The verdicts. Common code occurs in many unrelated packages. Allowed code was accepted by a person, with a reason. For
// attributed-elsewhere, the target names a source that is not among the origins, and may be right.
const (
	Attributed          Verdict = "attributed"
	AttributionWrong    Verdict = "attribution-wrong" // names another origin or licence
	LicenceStripped     Verdict = "licence-stripped"  // the origin's header is gone
	AttributedElsewhere Verdict = "attributed-elsewhere"
	Undeclared          Verdict = "undeclared"
	CommonCode          Verdict = "common"
	AllowedCode         Verdict = "allowed"
)

// Allowance says how a finding was allowed.
type Allowance struct {
	By      string `json:"by"` // configuration, inline, known
	Reason  string `json:"reason,omitempty"`
	Expires string `json:"expires,omitempty"` // YYYY-MM-DD, the last day it holds
}

// Notice is a statement in the target on the origin or licence of code.
type Notice struct {
	Kind  string `json:"kind"`           // spdx-license, spdx-snippet, copyright, copied-from, title, notice-file
	Path  string `json:"path,omitempty"` // if it is in another file than the finding
	Line  int    `json:"line"`
	Text  string `json:"text"`
	Names string `json:"names"` // the part of the origin that it names: package, license, holder; other: something else; nothing
}

// NamesOrigin reports whether a notice names the package of an origin, or its holder.
func (n Notice) NamesOrigin() bool { return n.Names == "package" || n.Names == "holder" }

// Compatibility says whether code under the first origin's licence may be included in the target's file. It compares the two
// licences, and is no legal advice.
type Compatibility struct {
	License     string         `json:"license"` // of the target's file
	LicenseFrom license.From   `json:"licenseFrom"`
	Answer      license.Answer `json:"answer"`         // compatible, ask, not-compatible
	Rule        string         `json:"rule"`           // in words
	Root        license.Answer `json:"root,omitempty"` // for the licence of the whole target, if the file states one of its own
}

// Function is the function around a region.
type Function struct {
	Name      string  `json:"name,omitempty"`
	StartLine int     `json:"startLine"`
	EndLine   int     `json:"endLine"`
	Share     float64 `json:"share"` // share of its tokens that are matched
}

// Pair is a function of the target, and the function of the first origin that has most of its matched tokens.
type Pair struct {
	Name            string  `json:"name"`
	StartLine       int     `json:"startLine"`
	EndLine         int     `json:"endLine"`
	Share           float64 `json:"share"` // share of its tokens that are matched
	OriginName      string  `json:"originName"`
	OriginStartLine int     `json:"originStartLine"`
	OriginEndLine   int     `json:"originEndLine"`
	OriginShare     float64 `json:"originShare"` // share of the origin function's tokens that are matched
}

// Sides holds the text of both sides, so that a report needs neither the target nor the baseline.
type Sides struct {
	Target Excerpt `json:"target"`
	Origin Excerpt `json:"origin"` // the first origin
}

// Excerpt is a range of whole lines, without line ends. Invalid UTF-8 is replaced, and long excerpts are truncated.
type Excerpt struct {
	StartLine int      `json:"startLine"`
	Lines     []string `json:"lines"`
	Truncated bool     `json:"truncated,omitempty"`
}

// Commit describes a commit of the target's history.
type Commit struct {
	Commit string    `json:"commit"`
	Author string    `json:"author"`
	Time   time.Time `json:"time"`
	Path   string    `json:"path,omitempty"` // path of the region, if it changed
	// changes by the commit: renamed, reformatted, edited, extended, moved, copied, removed, returned, entered, merged
	Changes []string `json:"changes,omitempty"`
}

// Location is a range of lines in a file of the target.
type Location struct {
	Path      string `json:"path"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
}

// Lines is a range of lines, both included.
type Lines struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

// Run is one verified run of equal tokens, in lines and columns of both sides. Columns count Unicode code points from 1. The end
// column is the one after the last character.
type Run struct {
	StartLine         int `json:"startLine"`
	StartColumn       int `json:"startColumn"`
	EndLine           int `json:"endLine"`
	EndColumn         int `json:"endColumn"`
	OriginStartLine   int `json:"originStartLine"`
	OriginStartColumn int `json:"originStartColumn"`
	OriginEndLine     int `json:"originEndLine"`
	OriginEndColumn   int `json:"originEndColumn"`
	Tokens            int `json:"tokens"`
}

// Rename is one pair of the one-to-one map of identifiers.
type Rename struct {
	Origin string `json:"origin"`
	Target string `json:"target"`
	Count  int    `json:"count"`
}

// Names counts how the identifiers of both sides compare.
type Names struct {
	Total        int `json:"total"`
	Unchanged    int `json:"unchanged"`
	Renamed      int `json:"renamed"`      // according to the rename map
	Inconsistent int `json:"inconsistent"` // against it
}

// NamesOf returns the counts of a match; the names that are neither unchanged nor inconsistent are renamed.
func NamesOf(total, unchanged, inconsistent int) Names {
	return Names{Total: total, Unchanged: unchanged, Inconsistent: inconsistent, Renamed: total - unchanged - inconsistent}
}

// Literals counts how the string and number literals of both sides compare.
type Literals struct {
	Total int `json:"total"`
	Equal int `json:"equal"`
}

// Summary counts what was examined.
type Summary struct {
	Files    int   `json:"files"`
	Bytes    int64 `json:"bytes"`
	Tokens   int64 `json:"tokens"`
	Findings int   `json:"findings"`
	Allowed  int   `json:"allowed"`           // findings that were allowed
	Common   int   `json:"common"`            // findings in common code
	Commits  int   `json:"commits,omitempty"` // history
}
