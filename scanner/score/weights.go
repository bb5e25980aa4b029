package score

// Weights are the numbers from which the bits of a match are computed. Every decision of this package is a weight or one of the
// limits below.
//
// The tag fifth is the measured effect of moving a weight by a fifth, down and up, or by one if it counts things. It gives the
// changes on the training set in the loss, the files with a false finding (4 of 5,814), the share of excerpts found (0.9805) and
// the true copies found (104). go run ./scanner/eval effects prints it, and refit searches for better weights; see docs/SCORE.md.
type Weights struct {
	// The order of the tokens. Tokens that repeat earlier ones of the match cost next to nothing, so ten getters count little
	// more than one. An n-gram that a share p of all directories have costs -log2 p, divided by its tokens, plus Place for each
	// token, since even a frequent n-gram could have been elsewhere.
	NewToken    float64 `unit:"bits a token" fifth:"loss -0.0007 +0.0001, false +0 +0, found +0.0000 +0.0008, true +0 +1"` // most bits of a token, whatever the n-grams around it
	RepeatThree float64 `unit:"bits a token" fifth:"loss +0.0016 -0.0010, false +0 +0, found -0.0013 +0.0024, true +0 +1"` // most bits of a token if the three tokens up to it occurred before in the match
	RepeatSix   float64 `unit:"bits a token" fifth:"loss +0.0001 -0.0001, false +0 +0, found +0.0000 +0.0000, true +0 +0"` // the same if the six tokens up to it did
	Place       float64 `unit:"bits a token" fifth:"loss +0.0008 +0.0001, false +0 +3, found -0.0051 +0.0047, true -3 +3"`

	// A gap costs bits because it is chosen so that two runs meet. A run with fewer bits than its gap counts against the match,
	// up to a limit: code gets edited.
	Gap       float64 `unit:"bits a gap" fifth:"loss -0.0003 +0.0005, false +1 +0, found +0.0003 -0.0003, true +0 +0"`
	GapLength float64 `unit:"bits a doubling of the skipped tokens, on each side" fifth:"loss -0.0002 +0.0003, false +0 +0, found +0.0000 +0.0000, true +0 +0"`
	GapWaste  float64 `unit:"bits a run" fifth:"loss -0.0001 +0.0001, false +0 +0, found +0.0000 +0.0000, true +0 +0"` // most bits that a run subtracts

	// An unchanged name or value counts at its first occurrence. The bits of unchanged names are multiplied by their share of all
	// names. If many names differ, the unchanged ones probably belong to a library that both sides call.
	RareName float64 `unit:"bits a name" fifth:"loss +0.0010 +0.0012, false +0 +1, found -0.0005 +0.0003, true -1 +1"` // of a name that no other package is known to have
	Short    float64 `unit:"bits a name" fifth:"loss +0.0005 +0.0003, false +0 +0, found +0.0000 +0.0005, true +0 +0"` // of a name of one or two characters
	Platform float64 `unit:"bits a name" fifth:"loss -0.0001 +0.0001, false +0 +0, found +0.0000 +0.0000, true +0 +0"` // most bits of a name that a platform declares: its callers must write it
	Literal  float64 `unit:"times the bits of a name" fifth:"loss +0.0004 -0.0002, false +0 +0, found +0.0000 +0.0000, true +0 +0"`
	Digit    float64 `unit:"bits a digit" fifth:"loss +0.0000 +0.0000, false +0 +0, found +0.0000 +0.0000, true +0 +0"` // most bits of a number, for each digit

	// A name that is renamed throughout. By accident it could be any of the names around. All renamed names together count little
	// more than the order of the tokens.
	Renamed   float64 `unit:"bits a name" fifth:"loss -0.0006 +0.0012, false +0 +3, found -0.0051 +0.0022, true +0 +2"`        // of a renamed name, at its first position
	Agree     float64 `unit:"bits a place" fifth:"loss -0.0001 +0.0001, false +0 +1, found -0.0008 +0.0005, true +0 +1"`       // of each further position that follows the map
	AgreeMost float64 `unit:"places" fifth:"loss +0.0003 -0.0001, false +0 +1, found -0.0008 +0.0005, true +0 +1"`             // further positions of one name that count
	MapMost   float64 `unit:"times the order" fifth:"loss +0.0000 +0.0000, false +0 +0, found +0.0000 +0.0000, true +0 +0"`    // renamed names together count at most this many times the order
	MapGap    float64 `unit:"times, for a gap" fifth:"loss -0.0002 +0.0030, false +0 +3, found -0.0016 +0.0005, true +0 +2"`   // the bits of renamed names are multiplied by this for each gap
	Against   float64 `unit:"bits an occurrence" fifth:"loss -0.0005 +0.0000, false +0 +0, found +0.0006 -0.0003, true +0 +0"` // subtracted for each occurrence of a name that breaks the map

	// Few or no names differ: unrelated code has names of its own.
	Verbatim          float64 `unit:"bits" fifth:"loss +0.0007 +0.0012, false +0 +1, found -0.0005 +0.0003, true -1 +1"`               // if no name differs
	VerbatimMost      float64 `unit:"share of names" fifth:"loss +0.0001 +0.0004, false +0 +0, found +0.0000 +0.0000, true +0 +0"`     // if this share of the names differs, or more, Verbatim counts nothing
	VerbatimNames     float64 `unit:"names" fifth:"loss +0.0000 +0.0003, false +0 +0, found +0.0000 -0.0005, true +0 +0"`              // fewer unchanged names can be accidental: then Verbatim counts nothing
	VerbatimUnchanged float64 `unit:"bits, of own names" fifth:"loss +0.0011 +0.0003, false +1 +0, found +0.0003 -0.0003, true +0 -1"` // if own names have fewer bits than this, each beyond Platform, Verbatim counts in part

	// A value that differs. Tables with different values lose more bits than their order gives.
	Unequal float64 `unit:"bits a literal" fifth:"loss -0.0000 -0.0000, false +0 +0, found +0.0000 +0.0000, true +0 +0"`

	// Copies usually cover whole lines and balanced brackets. Matches between unrelated files often start and end within a line.
	Edge        float64 `unit:"bits a token" fifth:"loss +0.0001 -0.0002, false +0 +0, found +0.0000 +0.0000, true +0 +0"`   // of each token from an end of the match to the next line that begins on both sides
	EdgeMost    float64 `unit:"tokens" fifth:"loss -0.0002 +0.0000, false +0 +0, found +0.0000 +0.0000, true +0 +0"`         // tokens at one end that count
	Bracket     float64 `unit:"bits a bracket" fifth:"loss -0.0003 +0.0000, false +0 +0, found +0.0000 +0.0000, true +0 +0"` // of each unpaired bracket
	BracketMost float64 `unit:"brackets" fifth:"loss +0.0000 +0.0000, false +0 +0, found +0.0000 +0.0000, true +0 +0"`       // unpaired brackets that count
	EdgesMost   float64 `unit:"bits" fifth:"loss -0.0008 +0.0004, false +0 +0, found +0.0000 +0.0000, true +1 +0"`           // lines and brackets together subtract at most this

	// A match shorter than BriefBelow has fewer names, lines and brackets that could count against it, and more possible
	// positions. It needs more bits to make up for that.
	Brief      float64 `unit:"bits a token" fifth:"loss +0.0010 -0.0001, false +0 +0, found +0.0000 +0.0000, true +0 -1"` // of each token that is missing
	BriefBelow float64 `unit:"tokens" fifth:"loss +0.0073 -0.0020, false +7 +0, found +0.0000 +0.0000, true +1 -2"`

	// If every name of a match without a gap is renamed and its brackets are paired, it may be shorter. Unrelated code of that length
	// usually calls the same functions of a library, so some of its names are unchanged.
	BriefRenamed   float64 `unit:"tokens" fifth:"loss -0.0001 +0.0003, false +0 +1, found +0.0000 +0.0000, true +0 +0"`         // such a match may be shorter by this, if no name is unchanged
	BriefUnchanged float64 `unit:"share of names" fifth:"loss -0.0002 +0.0002, false +0 +1, found +0.0000 +0.0000, true +0 +0"` // if this share of the names is unchanged, or more, the match may not be shorter

	// Document frequency: code in many directories of the baseline may have been written independently once more.
	Frequency float64 `unit:"bits a doubling of the directories" fifth:"loss -0.0001 +0.0004, false +0 +0, found +0.0011 -0.0005, true +0 +0"`

	// Support by another finding in the same file from the same document.
	Support float64 `unit:"share of the smaller one's bits" fifth:"loss -0.0000 +0.0001, false +0 +0, found +0.0000 +0.0000, true +0 +0"`
	// SameText is the least share of the best origin's bits for a further origin. It is no part of the loss. Of the further
	// origins in 20 excerpts of each language and size, 0.919 were true without it, 0.967 at 0.7, 0.986 at 0.8.
	SameText float64 `unit:"share of bits"`

	// Trust is the calibration factor. The model knows neither idioms nor conventions, so a bit counts less.
	Trust float64 `unit:"bits a bit" fifth:"loss +0.0037 +0.0003, false -1 +19, found -0.0151 +0.0096, true -9 +4"`
}

// DefaultWeights returns the default weights.
func DefaultWeights() *Weights {
	return &Weights{
		NewToken: 1.6, RepeatThree: 0.8, RepeatSix: 0.02, Place: 0.8,
		Gap: 10, GapLength: 1.75, GapWaste: 4,
		RareName: 10, Short: 1, Platform: 2, Literal: 1.75, Digit: 2.5,
		Renamed: 5, Agree: 1.5, AgreeMost: 2, MapMost: 2.5, MapGap: 0.9, Against: 2.5,
		Verbatim: 60, VerbatimMost: 0.2, VerbatimNames: 3, VerbatimUnchanged: 10,
		Unequal: 0.5,
		Edge:    3.5, EdgeMost: 6, Bracket: 10, BracketMost: 3, EdgesMost: 30,
		Brief: 2, BriefBelow: 55, BriefRenamed: 8, BriefUnchanged: 0.2,
		Frequency: 10,
		Support:   0.3, SameText: 0.8,
		Trust: 0.56,
	}
}

// Limits of the readings and of what is made of them. A refit does not change them.
const (
	// shortName is the length up to which a name belongs to nobody.
	shortName = 2
	// ownName is the length from which a name can be somebody's own. Shorter ones, such as rej and num, are everybody's
	// abbreviations.
	ownName = 4
	// withoutGap is how many tokens shorter a match without a gap may be: it was not chosen among several ways to join runs.
	withoutGap = 2
	// freshShare is the factor for the share of unchanged names that do more than repeat. Records of one kind repeat the same few
	// names, and only the first record is evidence.
	freshShare = 3
	// Frequent is the number of directories up to which those of a k-gram are counted. Above it some are copies of others, such
	// as forks and vendored copies.
	Frequent = 8
	// edgeReach is how many tokens from the end of a run are searched for a line that begins on both sides.
	edgeReach = 24
	// bracketSlack is how many tokens at either end may be left out to pair the brackets: they may match the neighbours of a copy
	// by accident.
	bracketSlack = 8
	// supporters is how many of the strongest findings from a document are tried as support.
	supporters = 16
	// rareNames is how many unchanged names are listed as evidence. listed is the share of RareName that such a name needs.
	rareNames = 6
	listed    = 0.9
)
