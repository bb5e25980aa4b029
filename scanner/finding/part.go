package finding

// PartOrigin is a file of a package that has part of a region, or most of it with
// too little that agrees to call it an origin.
type PartOrigin struct {
	PURL            string  `json:"purl"`
	Path            string  `json:"path"`
	StartLine       int     `json:"startLine"` // of the target
	EndLine         int     `json:"endLine"`
	OriginStartLine int     `json:"originStartLine"`
	OriginEndLine   int     `json:"originEndLine"`
	Tokens          int     `json:"tokens"` // shared with the target
	Bits            float64 `json:"bits"`   // information of the match, if it was judged
	Why             string  `json:"why"`    // part, weak, not-judged
}

// Why a file that shares tokens with a region is not among its origins.
const (
	PartSmall    = "part"       // it has less than most of the region
	PartWeak     = "weak"       // it has most, and less agrees than it takes to call it an origin, or it is made after the origin's pattern
	PartUnjudged = "not-judged" // it has most; names and values were not compared, as too many came first
)
