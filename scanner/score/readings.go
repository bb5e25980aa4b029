package score

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/score/internal/pairing"
)

// Readings are the counts of a match that its bits are computed from. They do not depend on weights, so one dump serves every
// refit.
type Readings struct {
	Runs     []Run
	Edited   bool // the sides differ between the runs
	Compared bool // both texts were there; without them only Runs and Edited are read

	Names       []Name   // pairs of names, those that occur most often first
	Renames     []Rename // names that differ, most frequent first
	Identifiers int      // identifier tokens compared
	Unchanged   int      // of these, same name on both sides

	Values   []Value // literals equal on both sides, each once, in their order
	Literals int     // string and number tokens compared
	Equal    int     // of these, same value on both sides

	Late, Early int // tokens from either end to the next line that begins on both sides
	Uneven      int // unpaired brackets

	words string // of prose: its rarest words
	mute  bool   // texts of names and values are left out: only the bits are asked for

	Omitted float64 // tokens that the language leaves out for each token

	Fixed int // tokens fixed by a trait or interface that both sides implement; they are not read

	Directories float64 // mean log2 of the directories of the baseline that have a k-gram of it; set by the caller that knows the postings
}

// tokens counts the tokens of all runs.
func (r Readings) tokens() (n int) {
	for _, run := range r.Runs {
		n += len(run.Tokens)
	}
	return n
}

// length is the number of matched tokens, as long as they would be with the tokens that the language leaves out.
func (r Readings) length() float64 { return float64(r.tokens()+r.Fixed) * (1 + r.Omitted) }

// Run is one run of the match.
type Run struct {
	Tokens         []Token // without import clauses, which carry no bits
	Target, Origin int     // tokens that either side skips between the previous run and this one
}

// Token is one token of a run.
type Token struct {
	Before int32   // length of the n-gram up to it that occurred before in the match: 0, 3 or 6
	Index  float32 // bits as part of a k-gram in Frequent directories or more
	Ngram  float64 // bits as part of the most frequent n-gram around it, without Weights.Place
}

// UnknownBits stands for the bits of an n-gram or name that no directory has.
const UnknownBits = 1000

// Rarity tells how rare a name or a value is.
type Rarity struct {
	Bits     float64 // by how many directories have it
	Short    bool    // one or two characters
	Platform bool    // a platform declares it
}

// times returns the rarity of a name of a series.
func (r Rarity) times(w pairing.Worth) Rarity {
	switch w {
	case pairing.Little:
		r.Platform = true
	case pairing.Nothing:
		return Rarity{}
	}
	return r
}

// Name is a pair of names at the same positions.
type Name struct {
	Fate   Fate
	Count  int    // positions
	Told   int    // positions that do more than repeat six tokens of the match
	Rarity        // of an unchanged name
	Own    bool   // long enough to be somebody's own
	Akin   bool   // of a renamed name: another one had the same words changed
	text   string // of the origin
}

// Fate says whether a name is unchanged, renamed, or breaks the map.
type Fate string

// A pair of names agrees with the one-to-one map of the match or breaks it.
const (
	Same    Fate = "unchanged"
	Renamed Fate = "renamed"
	Against Fate = "against" // the map
)

// Rename is one pair of the one-to-one map from origin to target identifiers.
type Rename struct {
	Origin, Target string
	Count          int // occurrences that agree
}

// Value is a literal that is equal on both sides.
type Value struct {
	Rarity
	Digits int // of a number or a single escape such as '\x1b', without zeros at either end; -1 for other literals
	text   string
}

// Discount sets the bits of the given unchanged names to 0.
func (r *Readings) Discount(names map[string]bool) {
	for i := range r.Names {
		if n := &r.Names[i]; n.Fate == Same && names[n.text] {
			n.Bits = 0
		}
	}
}

// AsPlatform returns the readings with the given unchanged names marked as names of a platform. All callers of a platform must
// write its names.
func (r Readings) AsPlatform(names []string) Readings {
	r.Names = slices.Clone(r.Names)
	for i := range r.Names {
		if n := &r.Names[i]; n.Fate == Same && slices.Contains(names, n.text) {
			n.Platform = true
		}
	}
	return r
}

// rarity reads a name or value by the frequency model and the platforms. length is its number of characters.
func rarity(c model.Frequencies, text []byte, length int) Rarity {
	h := model.NameHash(text)
	return Rarity{Bits: min(UnknownBits, c.NameOf(h)), Short: length <= shortName, Platform: c.Platform(h)}
}

// pairs holds the buffers for pairing names.
type pairs struct {
	table    pairing.Table
	was, is  []string // the names
	fwd, rev []bool   // names that have a partner
	names    []Name   // of mute readings
	renames  []Rename // of mute readings
	kin      pairing.Kindred
	series   pairing.Series
}

// each calls fn for every matched pair of tokens of a class, except in imports. i counts all matched tokens.
func each(target, origin match.Side, m match.Match, c lang.Class, fn func(i int, o, t []byte)) {
	n := 0
	for _, r := range m.Runs {
		for i := range r.Len {
			if t := target.Tokens[r.Target+i]; t.Class == c && t.Flags&lang.FlagImport == 0 {
				fn(n, origin.TextAt(r.Origin+i), target.TextAt(r.Target+i))
			}
			n++
		}
	}
}
