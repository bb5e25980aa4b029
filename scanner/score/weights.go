package score

// Weights are the numbers that decide what a match is worth. Every decision of
// this package is one of them or one of the limits below.
//
// The tag fifth is the measured effect of moving a weight by a fifth, down and up, or
// by one where it counts things: of the loss, of the files with a false finding (1 of
// 5,814), of the share of excerpts found (0.9731) and of the true copies found (128) on
// the training set. go run ./scanner/eval effects prints it, and refit searches for
// better weights; docs/SCORE.md tells how.
type Weights struct {
	// The order of the tokens. A token that repeats what its run had before costs
	// next to nothing, so that ten getters weigh little more than one. An n-gram that
	// a share p of all directories have costs -log2 p, divided by its tokens, plus
	// Place for each: common as the n-gram may be, it could have stood elsewhere.
	NewToken    float64 `unit:"bits a token" fifth:"loss -0.0008 +0.0002, false +0 +0, found -0.0018 +0.0003, true -1 +0"` // at most, whatever the n-grams around it
	RepeatThree float64 `unit:"bits a token" fifth:"loss +0.0003 -0.0005, false +0 +0, found -0.0027 +0.0013, true -2 +0"` // the three tokens up to it stood in the run before
	RepeatSix   float64 `unit:"bits a token" fifth:"loss -0.0000 +0.0000, false +0 +0, found -0.0003 +0.0003, true +0 +0"` // the six tokens up to it did
	Place       float64 `unit:"bits a token" fifth:"loss +0.0002 +0.0005, false +0 +2, found -0.0069 +0.0042, true -3 +1"`

	// A gap between two runs was chosen to make them meet. A run that is not worth
	// its gap speaks against the match, but not for ever: code gets edited.
	Gap       float64 `unit:"bits a gap" fifth:"loss -0.0009 +0.0003, false +1 +0, found +0.0010 -0.0014, true +0 +0"`
	GapLength float64 `unit:"bits a doubling of the skipped tokens, on each side" fifth:"loss -0.0002 +0.0000, false +0 +0, found +0.0005 -0.0007, true +0 +0"`
	GapWaste  float64 `unit:"bits a run" fifth:"loss -0.0002 +0.0001, false +0 +0, found +0.0000 -0.0003, true +0 -1"` // that it takes off at most

	// An unchanged name or value counts at its first occurrence. Unchanged names are
	// multiplied by their share of all names: among many that differ they belong to a
	// library that both sides call.
	RareName float64 `unit:"bits a name" fifth:"loss +0.0006 -0.0006, false +0 +0, found -0.0005 +0.0005, true -1 +1"` // that no other package is known to have
	Short    float64 `unit:"bits a name" fifth:"loss +0.0004 +0.0003, false +0 +0, found -0.0005 +0.0008, true +0 +0"` // of one or two characters
	Platform float64 `unit:"bits a name" fifth:"loss -0.0004 +0.0004, false +0 +0, found +0.0008 -0.0010, true +0 +0"` // at most, where a platform declares it: its callers must keep it
	Literal  float64 `unit:"times the bits of a name" fifth:"loss +0.0007 +0.0002, false +0 +0, found -0.0003 +0.0013, true +0 +0"`
	Digit    float64 `unit:"bits a digit" fifth:"loss +0.0000 -0.0000, false +0 +0, found +0.0000 +0.0000, true +0 +0"` // of a number, at most

	// A name that is another one throughout. By accident it could be any of the names
	// around. All of them together tell little more than the order of the tokens.
	Renamed   float64 `unit:"bits a name" fifth:"loss +0.0003 +0.0013, false +0 +1, found -0.0049 +0.0029, true -1 +0"`        // at the first place
	Agree     float64 `unit:"bits a place" fifth:"loss +0.0002 +0.0001, false +0 +0, found -0.0010 +0.0008, true +0 +0"`       // where it follows the map again
	AgreeMost float64 `unit:"places" fifth:"loss +0.0006 -0.0000, false +0 +1, found -0.0016 +0.0010, true +0 +0"`             // of a name that count so
	MapMost   float64 `unit:"times the order" fifth:"loss +0.0012 -0.0001, false +0 +0, found -0.0010 +0.0005, true +0 +0"`    // that renamed names count at most
	MapGap    float64 `unit:"times, for a gap" fifth:"loss +0.0008 +0.0020, false +0 +2, found -0.0031 +0.0010, true -1 +0"`   // what is left of renamed names
	Against   float64 `unit:"bits an occurrence" fifth:"loss -0.0002 +0.0004, false +0 +0, found +0.0008 -0.0013, true +0 +0"` // of a name that breaks the map; taken off

	// Hardly a name differs: unrelated code has names of its own.
	Verbatim      float64 `unit:"bits" fifth:"loss +0.0009 -0.0007, false +0 +0, found -0.0020 +0.0016, true +0 +1"`               // where no name differs
	VerbatimMost  float64 `unit:"share of names" fifth:"loss +0.0006 -0.0005, false +0 +0, found -0.0009 +0.0003, true +0 +1"`     // that differ, from which on it counts nothing
	VerbatimNames float64 `unit:"names" fifth:"loss +0.0000 +0.0005, false +0 +0, found +0.0000 -0.0005, true +0 +0"`              // fewer unchanged ones can be chance
	VerbatimKept  float64 `unit:"bits, of own names" fifth:"loss -0.0006 +0.0006, false +0 +0, found +0.0016 -0.0018, true +0 +0"` // beyond a platform's, from which on it counts in full

	// A value that differs; tables of them outweigh their own structure.
	Unequal float64 `unit:"bits a literal" fifth:"loss +0.0001 -0.0001, false +0 +0, found +0.0000 -0.0003, true +0 +0"`

	// Copies take whole lines and whole brackets. Unrelated code agrees from the
	// middle of one line to the middle of another.
	Edge        float64 `unit:"bits a token" fifth:"loss +0.0002 -0.0003, false +0 +0, found +0.0003 -0.0005, true +0 -1"`   // by which an end misses a line that begins on both sides
	EdgeMost    float64 `unit:"tokens" fifth:"loss -0.0000 +0.0000, false +0 +0, found +0.0000 +0.0000, true +0 +0"`         // of an end that count so
	Bracket     float64 `unit:"bits a bracket" fifth:"loss -0.0001 +0.0001, false +0 +0, found +0.0000 -0.0003, true +0 -1"` // without its other half
	BracketMost float64 `unit:"brackets" fifth:"loss +0.0000 +0.0000, false +0 +0, found +0.0000 +0.0000, true +0 +0"`       // that count so
	EdgesMost   float64 `unit:"bits" fifth:"loss -0.0002 +0.0001, false +0 +0, found +0.0000 +0.0000, true +1 +0"`           // of lines and brackets together

	// A match shorter than BriefBelow has fewer names, lines and brackets that could
	// speak against it, and there are more places for it. It has to make up for that.
	Brief      float64 `unit:"bits a token" fifth:"loss +0.0092 -0.0076, false +1 +0, found +0.0000 +0.0000, true +0 +0"` // that is missing
	BriefBelow float64 `unit:"tokens" fifth:"loss +0.0430 -0.0340, false +10 -4, found +0.0000 -0.0021, true +2 -2"`

	// Document frequency: what many directories of the baseline have, one more may
	// have written.
	Frequency float64 `unit:"bits a doubling of the directories" fifth:"loss -0.0001 +0.0008, false +0 +0, found +0.0029 -0.0018, true +0 +0"`

	// Another finding in the same file with the same document supports this one.
	Support      float64 `unit:"share of the smaller one's bits" fifth:"loss +0.0000 -0.0000, false +0 +0, found +0.0000 +0.0000, true +0 +0"`
	SupportApart float64 `unit:"share of unchanged names" fifth:"loss +0.0000 +0.0000, false +0 +0, found +0.0000 +0.0000, true +0 +0"` // by which the two may differ
	// SameText is the share of the best origin's bits that a further one has at least.
	// It is no part of the loss: of the further origins in 20 excerpts of each language
	// and size 0.919 were true without it, 0.967 at 0.7, 0.986 at 0.8.
	SameText float64 `unit:"share of bits"`

	// Trust is what a bit of the model counts: it knows neither idioms nor conventions.
	Trust float64 `unit:"bits a bit" fifth:"loss -0.0000 +0.0000, false -1 +7, found -0.0211 +0.0105, true -4 +1"`
}

// Standing returns the weights in use.
func Standing() *Weights {
	return &Weights{
		NewToken: 1.6, RepeatThree: 0.8, RepeatSix: 0.02, Place: 0.8,
		Gap: 10, GapLength: 1.75, GapWaste: 4,
		RareName: 10, Short: 1, Platform: 2, Literal: 1.75, Digit: 2.5,
		Renamed: 5, Agree: 1.5, AgreeMost: 2, MapMost: 2.5, MapGap: 0.9, Against: 2.5,
		Verbatim: 60, VerbatimMost: 0.2, VerbatimNames: 3, VerbatimKept: 10,
		Unequal: 0.5,
		Edge:    3.5, EdgeMost: 6, Bracket: 10, BracketMost: 3, EdgesMost: 30,
		Brief: 2, BriefBelow: 55,
		Frequency: 10,
		Support:   0.3, SupportApart: 0.5, SameText: 0.8,
		Trust: 0.56,
	}
}

// Limits of what is read. The readings hold nothing beyond them, so that no refit
// moves them.
const (
	// Frequent is the number of directories up to which those of a k-gram are
	// counted. Above it some are copies of others: a few forks and vendored copies
	// are not that many.
	Frequent = 8
	// edgeReach is how many tokens from the end of a run a line is looked for that
	// begins on both sides.
	edgeReach = 24
	// bracketSlack is how many tokens of either end may be left out to pair the
	// brackets: they agree by accident with what stands next to a copy.
	bracketSlack = 8
	// supporters is how many of the strongest findings with a document are tried as
	// support.
	supporters = 16
	// keptNames is how many unchanged names are named as evidence, and listed the
	// part of RareName that such a name carries.
	keptNames = 6
	listed    = 0.9
)
