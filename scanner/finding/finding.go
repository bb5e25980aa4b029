// Package finding holds what a report says: findings, their origins, the ledger. It knows how reports are put in order, how
// names of files are written in them, and which side of a finding had its region first, given the dates of both.
package finding

import (
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/lang"
)

// Schema is the version of the report's shape. Names are fixed; fields may be added.
const Schema = "git-provenance/1"

// Report is the outcome of a scan: what every output format is rendered from.
type Report struct {
	Schema     string     `json:"schema"`
	Tool       Tool       `json:"tool"`
	Parameters Parameters `json:"parameters"`
	Baseline   Baseline   `json:"baseline"`
	Target     Target     `json:"target"`
	// Unseen says in sentences what a reader would take for scanned and was not: a history that is cut off, a target without a file.
	Unseen   []string  `json:"unseen,omitempty"`
	Findings []Finding `json:"findings"`
	// Suppressions are all that were met, obeyed or not: nothing is silenced in silence.
	Suppressions []Suppression `json:"suppressions"`
	// Vendored are the packages of others that the target carries with it, by path.
	Vendored []Vendored `json:"vendored,omitempty"`
	Ledger   []Entry    `json:"ledger"`
	Summary  Summary    `json:"summary"`

	Inline []Inline `json:"-"` // marks in the target; package policy decides about them
}

// Tool names the program.
type Tool struct {
	Version string `json:"version"`
}

// Parameters are those that decide what is found.
type Parameters struct {
	K         int     `json:"k"`
	W         int     `json:"w"`
	T         int     `json:"t"` // guarantee threshold, k+w-1 tokens
	Scheme    string  `json:"scheme"`
	MinTokens int     `json:"minTokens"`
	MinScore  float64 `json:"minScore"`
}

// Baseline names what was scanned against. With several baselines the digest
// is that of their digests in order.
type Baseline struct {
	Digest    string `json:"digest"`
	Packages  int    `json:"packages"`
	Documents int    `json:"documents"`
}

// Target names what was scanned.
type Target struct {
	Kind string `json:"kind"`           // tree, staged, diff, history, snippet
	Base string `json:"base,omitempty"` // commit id: diff
	Head string `json:"head,omitempty"` // commit id: diff, history
}

// Finding is one region of the target with its origins and its evidence.
type Finding struct {
	ID           string     `json:"id"` // of content and origin; no line, path or commit in it; unique by a number from the second of equals on
	Path         string     `json:"path"`
	StartLine    int        `json:"startLine"`
	EndLine      int        `json:"endLine"`
	StartByte    int        `json:"startByte"` // offset of the region in the file
	EndByte      int        `json:"endByte"`   // behind its last byte
	FileLines    int        `json:"fileLines"` // of the target file
	FileSHA1     string     `json:"fileSha1"`  // of the target file: documents such as SPDX name files by it
	Language     string     `json:"language"`
	Tokens       int        `json:"tokens"`    // matched with the first origin, gaps left out
	FileShare    float64    `json:"fileShare"` // of the target file's tokens
	Score        float64    `json:"score"`
	Bits         float64    `json:"bits"`
	Support      float64    `json:"support"` // bits of the strongest other region of the file shared with the same origin file
	ScoredBy     Traits     `json:"scoredBy"`
	CloneType    int        `json:"cloneType"`
	Derived      bool       `json:"derived,omitempty"` // edited so often that only all runs together are evidence
	Verdict      Verdict    `json:"verdict"`
	Level        string     `json:"level"`          // ignore, note, warning, error: what the policy makes of the verdict
	Rule         string     `json:"rule,omitempty"` // of the policy, that set the level
	Allowed      *Allowance `json:"allowed,omitempty"`
	Attributions []Notice   `json:"attributions"`        // what the target says of the region, nearest first
	FormerIDs    []string   `json:"formerIds,omitempty"` // history: of earlier versions that had most of the region, sorted
	Function     *Function  `json:"function,omitempty"`
	Functions    []Pair     `json:"functions,omitempty"`  // of a file of which some is derived: functions most of which the region has, by line
	Introduced   *Commit    `json:"introduced,omitempty"` // the commit by which the region entered the target
	Here         *Interval  `json:"here,omitempty"`       // when the target first had the region
	Edits        []Commit   `json:"edits,omitempty"`      // history: later commits that did something to the region, oldest first
	Left         *Commit    `json:"left,omitempty"`       // history: the commit by which the region left the target for good
	Tip          []Location `json:"tip,omitempty"`        // history: where the region stands at the tip
	Alive        *bool      `json:"alive,omitempty"`      // history: the region stands at the tip
	Direction    string     `json:"direction"`            // from, to, unknown
	// DirectionReason says by which dates, in words.
	DirectionReason string         `json:"directionReason,omitempty"`
	Changed         []Lines        `json:"changed,omitempty"` // diff, staged: lines of the region that the change added
	Runs            []Run          `json:"runs"`              // with the first origin; between them lie the gaps
	Renames         []Rename       `json:"renames"`
	Identifiers     Names          `json:"identifiers"`
	Literals        Literals       `json:"literals"`
	Origins         []Origin       `json:"origins"`                 // best first, each a finding by itself; at most Options.MaxOrigins
	OriginCount     int            `json:"originCount"`             // versions folded
	Licenses        []string       `json:"licenses"`                // of all origins; where there are several they disagree
	Compatibility   *Compatibility `json:"compatibility,omitempty"` // of the first origin\'s licence with the target\'s own
	PackageCount    int            `json:"packageCount"`            // distinct packages, versions folded
	Blobs           int            `json:"blobs,omitempty"`         // history: distinct blobs that hold it
	Reasons         []string       `json:"reasons"`                 // for the score, in words, weightiest first
	Text            *Sides         `json:"text,omitempty"`          // both sides, unless left out on request

	// PartOrigins are further files that have part of the region, those with most
	// tokens first; at most Options.MaxOrigins. They are in no other count.
	PartOrigins     []PartOrigin `json:"partOrigins,omitempty"`
	PartOriginCount int          `json:"partOriginCount,omitempty"` // versions folded
	UnjudgedCount   int          `json:"unjudgedCount,omitempty"`   // of these, files that have most of it and were not judged

	// Documentation is set of a comment whose words agree, beside code that is no finding with the package. Its tokens are words.
	Documentation bool `json:"documentation,omitempty"`

	Inline *Inline `json:"-"` // the mark that covers it
}

// Traits are what the score of a finding is made of.
type Traits struct {
	Above     float64 `json:"above"`     // bits above what is needed
	Order     float64 `json:"order"`     // share of the order of the tokens in the bits that speak for the match
	Unchanged float64 `json:"unchanged"` // share of the names
	Supported bool    `json:"supported"` // another region of the file is a finding with the same origin file
}

// Verdict is what the target says of where a region comes from, held against
// the origin that was found.
type Verdict string

// The verdicts. Common findings stand in many unrelated packages; allowed ones
// were accepted by somebody, with a reason. Of those attributed elsewhere the target
// says that they are from a place which is not among the origins, and may be right.
const (
	Attributed       Verdict = "attributed"
	AttributionWrong Verdict = "attribution-wrong" // names another origin or licence
	LicenceStripped  Verdict = "licence-stripped"  // the origin's header is gone
	Elsewhere        Verdict = "attributed-elsewhere"
	Undeclared       Verdict = "undeclared"
	CommonCode       Verdict = "common"
	AllowedCode      Verdict = "allowed"
)

// Allowance says by what a finding was allowed.
type Allowance struct {
	By      string `json:"by"` // configuration, inline, known
	Reason  string `json:"reason,omitempty"`
	Expires string `json:"expires,omitempty"` // YYYY-MM-DD, the last day it holds
}

// Notice is a statement in the target on where code comes from or under which
// licence it stands.
type Notice struct {
	Kind  string `json:"kind"`           // spdx-license, spdx-snippet, copyright, copied-from, title, notice-file
	Path  string `json:"path,omitempty"` // if another file than the finding's says it
	Line  int    `json:"line"`
	Text  string `json:"text"`
	Names string `json:"names"` // of the origin: package, license, holder; other: something else; nothing
}

// Compatibility says whether code under the first origin's licence may become part
// of the target's file. It compares what the two licences say, and is no advice.
type Compatibility struct {
	License     string         `json:"license"` // of the target's file
	LicenseFrom license.From   `json:"licenseFrom"`
	Answer      license.Answer `json:"answer"` // compatible, ask, not-compatible
	Rule        string         `json:"rule"`   // in words
}

// Function is the function around a region.
type Function struct {
	Name      string  `json:"name,omitempty"`
	StartLine int     `json:"startLine"`
	EndLine   int     `json:"endLine"`
	Share     float64 `json:"share"` // of its tokens that are matched
}

// Pair is a function of the target and the function of the first origin that most of
// its matched tokens are of.
type Pair struct {
	Name            string  `json:"name"`
	StartLine       int     `json:"startLine"`
	EndLine         int     `json:"endLine"`
	Share           float64 `json:"share"` // of its tokens that are matched
	OriginName      string  `json:"originName"`
	OriginStartLine int     `json:"originStartLine"`
	OriginEndLine   int     `json:"originEndLine"`
	OriginShare     float64 `json:"originShare"` // of the origin function's tokens
}

// Sides holds what stands on both sides, so that a report needs neither the
// target nor the baseline.
type Sides struct {
	Target Excerpt `json:"target"`
	Origin Excerpt `json:"origin"` // the first origin
}

// Excerpt is a piece of a file: whole lines, without their ends. Invalid UTF-8
// is replaced; what is too long to be shown ends early.
type Excerpt struct {
	StartLine int      `json:"startLine"`
	Lines     []string `json:"lines"`
	Truncated bool     `json:"truncated,omitempty"`
}

// Commit names a commit of the target's history.
type Commit struct {
	Commit string    `json:"commit"`
	Author string    `json:"author"`
	Time   time.Time `json:"time"`
	Path   string    `json:"path,omitempty"` // where the region stood, if not where it was before
	// what the commit did: renamed, reformatted, edited, extended, moved,
	// copied, removed, returned, entered, merged
	Changes []string `json:"changes,omitempty"`
}

// Location is a piece of a file of the target.
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

// Run is one verified run of equal tokens, in lines and columns of both sides.
// Columns count Unicode code points from 1; the end column is that behind the
// last character.
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

// Names tells how the identifiers of both sides agree.
type Names struct {
	Total        int `json:"total"`
	Unchanged    int `json:"unchanged"`
	Renamed      int `json:"renamed"`      // in agreement with the rename map
	Inconsistent int `json:"inconsistent"` // against it
}

// Literals tells how the string and number literals of both sides agree.
type Literals struct {
	Total int `json:"total"`
	Equal int `json:"equal"`
}

// Origin is a place a region is believed to come from.
type Origin struct {
	PURL        string       `json:"purl"`
	Path        string       `json:"path"`
	StartLine   int          `json:"startLine"`
	EndLine     int          `json:"endLine"`
	License     string       `json:"license"` // of the file: SPDX expression; NOASSERTION when unknown
	LicenseFrom license.From `json:"licenseFrom,omitzero"`
	Released    *time.Time   `json:"released,omitempty"`
	Versions    *Versions    `json:"versions,omitempty"`    // if several have it in the same file; purl is then the oldest of the best
	First       *Interval    `json:"first,omitempty"`       // when the package first had the region
	Similarity  float64      `json:"similarity"`            // share of the region's tokens it matches
	FileShare   float64      `json:"fileShare"`             // share of the origin file's tokens matched
	Bits        float64      `json:"bits"`                  // information of the match with it
	SameOwner   bool         `json:"sameOwner,omitempty"`   // the package is published by those who publish the target
	CitesTarget int          `json:"citesTarget,omitempty"` // the line in or above the region that links to a file of the target's repository
	SHA256      string       `json:"sha256"`                // of the origin file
	WithoutText bool         `json:"withoutText,omitempty"` // the baseline has the code and the notices of the file, and neither comments nor layout
	URL         string       `json:"url,omitempty"`
}

// Interval bounds when something first stood somewhere: not yet in Absent, in Present. Without Absent only "by" is known.
type Interval struct {
	Absent  *Point `json:"absent,omitempty"`
	Present *Point `json:"present,omitempty"`
	// Written is when the first commit that has it says it was written: no content of
	// the whole history had it before. Unset where a clock was wrong or not all was read.
	Written *time.Time `json:"written,omitempty"`
	Half    *Point     `json:"half,omitempty"`   // the first commit with half of it; without time: any
	Bulk    *Point     `json:"bulk,omitempty"`   // of an origin: the first commit with four fifths of it, if that is a later one; without time: none has been seen
	Shared  bool       `json:"shared,omitempty"` // target and origin have the commit in common
	// Elsewhere is the first commit that has it in a history of the target's repository
	// which its head does not descend from.
	Elsewhere *Point `json:"elsewhere,omitempty"`
	From      string `json:"from,omitempty"` // what told it: baseline, versions, tags, history, change
	Note      string `json:"note,omitempty"` // what widens it, in words
}

// Point is a version of a package, or a commit, with its time. A commit of an origin's
// repository comes with the first version that has it.
type Point struct {
	PURL   string     `json:"purl,omitempty"`
	Commit string     `json:"commit,omitempty"`
	Time   *time.Time `json:"time,omitempty"`
}

// Versions is a range of versions of one package.
type Versions struct {
	First string `json:"first"`
	Last  string `json:"last"`
	Count int    `json:"count"` // in the baseline
}

// The reasons this package puts into the ledger; lang and scanner/git have theirs.
const (
	ReasonConfigured     lang.Reason = "configured"      // the repository's configuration makes the scan see less
	ReasonExcluded       lang.Reason = "excluded"        // by a pattern of the user's
	ReasonVendored       lang.Reason = "vendored"        // a package manager keeps it
	ReasonUnreadable     lang.Reason = "unreadable"      // the file system refused
	ReasonMissing        lang.Reason = "missing"         // the repository has not got the content: the scan is not complete
	ReasonShallow        lang.Reason = "shallow"         // a history goes on where the clone ends: the scan is not complete
	ReasonDamaged        lang.Reason = "damaged"         // the content cannot be read, or is not what its name says: likewise
	ReasonParseErrors    lang.Reason = "parse-errors"    // tokenised, with syntax errors
	ReasonCommon         lang.Reason = "common"          // fingerprints with more places than are kept
	ReasonBaseCode       lang.Reason = "base-code"       // masked on request
	ReasonToolWritten                = lang.ToolWritten  // a transpiler, a bundler or an IDE writes it for everybody
	ReasonRepetitive     lang.Reason = "repetitive"      // too many equal stretches to follow all
	ReasonCrowded        lang.Reason = "crowded"         // more documents than are compared share a table, comments or edited code
	ReasonOwnPackage     lang.Reason = "own-package"     // matched the target's own package
	ReasonWithin         lang.Reason = "within"          // is a small part of a region that is proved already
	ReasonBelowThreshold lang.Reason = "below-threshold" // matched, but carries too little information
	ReasonOutranked      lang.Reason = "outranked"       // others have more in common with it, and only so many pairs were asked for
	ReasonWithoutText    lang.Reason = "without-text"    // comments of documents of which the baseline has no text
	ReasonOutdated       lang.Reason = "outdated"        // documents of the baseline, made by other rules for a language
	ReasonUndated        lang.Reason = "undated"         // a history, or a list of versions, could not be read to date findings by
)

// Entry is one line of the ledger: something not examined, in whole or in part.
type Entry struct {
	Path   string      `json:"path"`
	Reason lang.Reason `json:"reason"`
	Detail string      `json:"detail"`
}

// Lacking lists the entries of the ledger for which a scan is not complete: the
// repository should have had these contents, or commits.
func (r *Report) Lacking() []Entry {
	return slices.DeleteFunc(slices.Clone(r.Ledger), func(e Entry) bool {
		return e.Reason != ReasonMissing && e.Reason != ReasonDamaged && e.Reason != ReasonShallow
	})
}

// Summary counts what was examined.
type Summary struct {
	Files    int   `json:"files"`
	Bytes    int64 `json:"bytes"`
	Tokens   int64 `json:"tokens"`
	Findings int   `json:"findings"`
	Allowed  int   `json:"allowed"`           // findings among them that were allowed
	Common   int   `json:"common"`            // and that are common
	Commits  int   `json:"commits,omitempty"` // history
}
