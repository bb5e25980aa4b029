package scanner

import (
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/past"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

import "github.com/git-provenance/git-provenance/scanner/finding"

// TRANSITION
type (
	Past          = past.Contents
	Piece         = past.Piece
	First         = past.First
	Sanctioned    = examine.Sanctioned
	Compared      = examine.Compared
	Pair          = examine.Pair
	Joint         = examine.Joint
	Weighed       = examine.Weighed
	Sighting      = versions.Sighting
	Allowance     = finding.Allowance
	Baseline      = finding.Baseline
	Commit        = finding.Commit
	Compatibility = finding.Compatibility
	Entry         = finding.Entry
	Excerpt       = finding.Excerpt
	Finding       = finding.Finding
	Function      = finding.Function
	Inline        = finding.Inline
	Interval      = finding.Interval
	Lines         = finding.Lines
	Literals      = finding.Literals
	Location      = finding.Location
	Names         = finding.Names
	Notice        = finding.Notice
	Origin        = finding.Origin
	Parameters    = finding.Parameters
	PartOrigin    = finding.PartOrigin
	Point         = finding.Point
	Rename        = finding.Rename
	Report        = finding.Report
	Run           = finding.Run
	Sides         = finding.Sides
	Summary       = finding.Summary
	Suppression   = finding.Suppression
	Target        = finding.Target
	Tool          = finding.Tool
	Verdict       = finding.Verdict
	Versions      = finding.Versions
)

const (
	ReasonUndated        = past.ReasonUndated
	DefaultMinTokens     = examine.DefaultMinTokens
	DefaultMinScore      = examine.DefaultMinScore
	DefaultMaxOrigins    = examine.DefaultMaxOrigins
	DefaultMaxFileSize   = examine.DefaultMaxFileSize
	DefaultCommon        = examine.DefaultCommon
	AllowedCode          = finding.AllowedCode
	Attributed           = finding.Attributed
	AttributionWrong     = finding.AttributionWrong
	Changed              = finding.Changed
	CommonCode           = finding.CommonCode
	DirectionFrom        = finding.DirectionFrom
	DirectionTo          = finding.DirectionTo
	DirectionUnknown     = finding.DirectionUnknown
	Expired              = finding.Expired
	FromBaseline         = finding.FromBaseline
	FromHistory          = finding.FromHistory
	LicenceStripped      = finding.LicenceStripped
	NotCommitted         = finding.NotCommitted
	PartSmall            = finding.PartSmall
	PartUnjudged         = finding.PartUnjudged
	PartWeak             = finding.PartWeak
	ReasonBelowThreshold = finding.ReasonBelowThreshold
	ReasonCommon         = finding.ReasonCommon
	ReasonConfigured     = finding.ReasonConfigured
	ReasonDamaged        = finding.ReasonDamaged
	ReasonExcluded       = finding.ReasonExcluded
	ReasonMissing        = finding.ReasonMissing
	ReasonOutdated       = finding.ReasonOutdated
	ReasonOwnPackage     = finding.ReasonOwnPackage
	ReasonParseErrors    = finding.ReasonParseErrors
	ReasonRepetitive     = finding.ReasonRepetitive
	ReasonSanctioned     = finding.ReasonSanctioned
	ReasonUnreadable     = finding.ReasonUnreadable
	ReasonVendored       = finding.ReasonVendored
	ReasonWithin         = finding.ReasonWithin
	Refused              = finding.Refused
	SameRegion           = finding.SameRegion
	Schema               = finding.Schema
	Skew                 = finding.Skew
	Undeclared           = finding.Undeclared
	Unused               = finding.Unused
	Used                 = finding.Used
)

var (
	TargetPast     = past.OfTarget
	OpenPast       = past.OfOrigin
	NewPiece       = past.NewPiece
	ReadSanctioned = examine.ReadSanctioned
	NewExcerpt     = examine.NewExcerpt
	Older          = versions.Older
	Since          = versions.Since
	Releases       = versions.Releases
	Plausible      = versions.Plausible
	Whole          = versions.Whole
	Fetchable      = versions.Fetchable
	LineStarts     = finding.LineStarts
	Offset         = finding.Offset
	Direct         = finding.Direct
	EscapeFrom     = finding.EscapeFrom
	EscapeName     = finding.EscapeName
	UnescapeName   = finding.UnescapeName
)
