package finding

import (
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
)

// Origin is a file of a package that the region probably comes from.
type Origin struct {
	PURL        string       `json:"purl"`
	Path        string       `json:"path"`
	StartLine   int          `json:"startLine"`
	EndLine     int          `json:"endLine"`
	License     string       `json:"license"` // of the file: SPDX expression; NOASSERTION if unknown
	LicenseFrom license.From `json:"licenseFrom,omitzero"`
	Released    *time.Time   `json:"released,omitempty"`
	Versions    *Versions    `json:"versions,omitempty"`    // if several versions have it in the same file; purl is then the oldest of the best
	AlsoIn      []string     `json:"alsoIn,omitempty"`      // paths of other files of the package that have it, such as other builds; at most Options.MaxOrigins
	First       *Interval    `json:"first,omitempty"`       // when the package first had the region
	Similarity  float64      `json:"similarity"`            // share of the region's tokens that it matches
	FileShare   float64      `json:"fileShare"`             // share of the origin file's tokens that are matched
	Bits        float64      `json:"bits"`                  // information of the match
	SameOwner   bool         `json:"sameOwner,omitempty"`   // the owner of the package also publishes the target
	Holders     []string     `json:"holders,omitempty"`     // of the copyright, by the head of the file if it names no others below; of the first origin only, at most 20
	CitesTarget int          `json:"citesTarget,omitempty"` // line that names the target's repository as the source of the region or the file
	CopiedFrom  *Notice      `json:"copiedFrom,omitempty"`  // statement that the origin has the code from a third place; of the first origin only
	SHA256      string       `json:"sha256"`                // of the origin file
	WithoutText bool         `json:"withoutText,omitempty"` // the baseline has only the code and the notices of the file, without comments and layout
	URL         string       `json:"url,omitempty"`
}

// Interval bounds when a side first had the region: not yet in Absent, but in Present. Without Absent only an upper bound is
// known.
type Interval struct {
	Absent  *Point `json:"absent,omitempty"`
	Present *Point `json:"present,omitempty"`
	// Written is when the first commit with the region says it was written; no older content of the whole history has it. Unset
	// if a clock was wrong or not everything was read.
	Written *time.Time `json:"written,omitempty"`
	Half    *Point     `json:"half,omitempty"`   // the first commit with half of the region; without time: unknown
	Bulk    *Point     `json:"bulk,omitempty"`   // of an origin: the first commit with four fifths of the region, if later; without time: none was found
	Shared  bool       `json:"shared,omitempty"` // target and origin share the commit
	// OtherHistory is the first commit with the region in a history of the target's repository that is not related to its head.
	OtherHistory *Point `json:"elsewhere,omitempty"`
	From         string `json:"from,omitempty"` // source of the dates: baseline, versions, tags, history, change, lock
	Note         string `json:"note,omitempty"` // reasons why the interval is wide, in words
}

// Point is a version of a package, or a commit, with its time. For a commit of an origin's repository, PURL is the first version
// that contains it.
type Point struct {
	PURL   string     `json:"purl,omitempty"`
	Commit string     `json:"commit,omitempty"`
	Author string     `json:"author,omitempty"` // of a commit of the target with half of a region
	Time   *time.Time `json:"time,omitempty"`
}

// Versions is a range of versions of one package.
type Versions struct {
	First string `json:"first"`
	Last  string `json:"last"`
	Count int    `json:"count"` // in the baseline
}

// PartOrigin is a file of a package that has part of a region, or that has most of it with too little information to be an
// origin.
type PartOrigin struct {
	PURL            string  `json:"purl"`
	Path            string  `json:"path"`
	StartLine       int     `json:"startLine"` // of the target
	EndLine         int     `json:"endLine"`
	OriginStartLine int     `json:"originStartLine"`
	OriginEndLine   int     `json:"originEndLine"`
	Tokens          int     `json:"tokens"` // shared with the target
	Bits            float64 `json:"bits"`   // information of the match, if it was judged
	Why             string  `json:"why"`    // part, weak, unlikely, generated, untied, not-judged
}

// The reasons why a file that shares tokens with a region is a part origin.
const (
	PartSmall     = "part"       // it has less than most of the region
	PartWeak      = "weak"       // it has most of the region but too few bits, or it follows the same pattern as the origin
	PartUnlikely  = "unlikely"   // it has most of the region, but the finding, or this file as a finding by itself, is more likely false than true
	PartGenerated = "generated"  // it has the region, but it and the origin are different outputs of a program, for different owners
	PartUntied    = "untied"     // it has the region, but as a text that may be everybody's: nothing ties it to the origin, or to the target
	PartUnjudged  = "not-judged" // it has most of the region, but names and values were not compared, since too many files came first
)

// SameRegion is the share of a region that an origin must have to be the source of all of it.
const SameRegion = 0.8
