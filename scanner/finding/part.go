package finding

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
	Why             string  `json:"why"`    // part, weak, unlikely, generated, everybodys, not-judged
}

// The reasons why a file that shares tokens with a region is a part origin.
const (
	PartSmall      = "part"       // it has less than most of the region
	PartWeak       = "weak"       // it has most of the region but too few bits, or it follows the same pattern as the origin
	PartUnlikely   = "unlikely"   // it has most of the region, but as a finding by itself it would be more likely false than true
	PartGenerated  = "generated"  // it has the region, but it and the origin are different outputs of a program, for different owners
	PartEverybodys = "everybodys" // it has the region, but it is no code, many publishers have it at the same path, and it names no holder
	PartUnjudged   = "not-judged" // it has most of the region, but names and values were not compared, since too many files came first
)

// SameRegion is the share of a region that an origin must have to be the source of all of it.
const SameRegion = 0.8
