package score

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/score/internal/pairing"
)

// Readings are the counts of a match that its bits are computed from. They do not depend on weights, so one dump serves every
// refit.
type Readings struct {
	Runs     []Run
	Compared bool // both texts were there; without them only Runs is read

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
	Before int     // length of the n-gram up to it that occurred before in the match: 0, 3 or 6
	Index  float32 // bits as part of a k-gram in Frequent directories or more
	Ngram  float64 // bits as part of the most frequent n-gram around it, without Weights.Place
}

// Unknown stands for the bits of an n-gram or name that no directory has.
const Unknown = 1000

// Rarity tells how rare a name or a value is.
type Rarity struct {
	Bits     float64 // by how many directories have it
	Short    bool    // one or two characters
	Platform bool    // a platform declares it
}

// Name is a pair of names at the same positions.
type Name struct {
	Fate   Fate
	Count  int    // positions
	Told   int    // positions that do more than repeat six tokens of the match
	Rarity        // of an unchanged name
	Own    bool   // long enough to be somebody's own
	Akin   bool   // of a renamed name: a name that differs only in case, underscores or the I of an interface was renamed alike
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

// Read counts what both sides of a match have. Without the text of either side it only reads the order of the tokens. The tokens
// of the runs are valid until the next call with the same costs.
func Read(target, origin match.Side, m match.Match, c *Costs) Readings {
	return ReadBeside(target, origin, m, nil, c)
}

// ReadBeside is Read without the matched tokens that are fixed, as if the match did not contain them. fixed has an entry for each
// matched token; nil means that none is fixed. An unchanged name that also occurs among fixed tokens carries no bits.
func ReadBeside(target, origin match.Side, m match.Match, fixed []bool, c *Costs) Readings {
	r := Readings{Runs: c.runs(target.Tokens, m, fixed), Omitted: target.Omitted}
	for _, f := range fixed {
		if f {
			r.Fixed++
		}
	}
	if target.Text == nil || origin.Text == nil {
		return r
	}
	r.Compared = true
	r.names(target, origin, m, fixed, c)
	r.literals(target, origin, m, c.common)
	r.edges(target, origin, m)
	if target.Prose {
		r.words = c.phrase(target, m)
	}
	return r
}

// runs reads the tokens of each run. It marks the matched tokens that are fresh: those that do more than repeat six tokens of the
// match.
func (c *Costs) runs(toks []lang.Token, m match.Match, fixed []bool) []Run {
	from, to := m.Target()
	c.weigh(int(from), int(to))
	c.met.reset(2 * m.Tokens())
	c.fresh, c.tokens = c.fresh[:0], slices.Grow(c.tokens[:0], m.Tokens())
	out := make([]Run, len(m.Runs))
	for n, r := range m.Runs {
		if n > 0 {
			before := m.Runs[n-1]
			out[n].Target, out[n].Origin = int(r.Target-before.TargetEnd()), int(r.Origin-before.OriginEnd())
		}
		first := len(c.tokens)
		for at := r.Target; at < r.TargetEnd(); at++ {
			if n := len(c.fresh); toks[at].Flags&lang.FlagImport != 0 || fixed != nil && fixed[n] {
				c.fresh = append(c.fresh, false)
				continue
			}
			before := c.met.repeated(toks[r.Target : at+1])
			c.fresh = append(c.fresh, before < six)
			c.tokens = append(c.tokens, Token{before, c.index[at], c.ngram[at]})
		}
		out[n].Tokens = c.tokens[first:len(c.tokens):len(c.tokens)]
	}
	return out
}

// names makes the one-to-one map. The most frequent pair is taken first, and each name once. Of equally frequent pairs the first
// is taken.
func (r *Readings) names(target, origin match.Side, m match.Match, fixed []bool, c *Costs) {
	origins, targets, pairs := c.pairsOf(target, origin, m, fixed)
	w := &c.pairs
	w.fwd, w.rev = zeroed(w.fwd, len(origins)), zeroed(w.rev, len(targets))
	w.was, w.is = texts(w.was[:0], origins), texts(w.is[:0], targets)
	w.kin.Reset()
	fwd, rev := w.fwd, w.rev
	r.Names = slices.Grow(r.Names, len(pairs))
	for _, p := range pairs {
		if p.Count == 0 {
			continue
		}
		from, to := origins[p.Origin], targets[p.Target]
		n := Name{Fate: Renamed, Count: p.Count, Told: p.Told, text: w.was[p.Origin]}
		switch {
		case fwd[p.Origin] || rev[p.Target]:
			n.Fate = Against
		case bytes.Equal(from, to):
			n.Fate = Same
			if !p.Fixed && !model.FixedName(from) { // such names carry no bits
				n.Rarity = rarity(c.common, from, len(from))
			}
			n.Short, n.Own = len(from) <= shortName, len(from) >= ownName
			r.Unchanged += p.Count
		default:
			n.Akin = w.kin.Met(from, to)
			r.Renames = append(r.Renames, Rename{n.text, w.is[p.Target], p.Count})
		}
		if n.Fate != Against {
			fwd[p.Origin], rev[p.Target] = true, true
		}
		r.Names = append(r.Names, n)
		r.Identifiers += p.Count
	}
}

// texts appends names as strings that share one allocation.
func texts(dst []string, names [][]byte) []string {
	size := 0
	for _, n := range names {
		size += len(n)
	}
	var all strings.Builder
	all.Grow(size)
	for _, n := range names {
		all.Write(n)
	}
	rest := all.String()
	for _, n := range names {
		dst, rest = append(dst, rest[:len(n)]), rest[len(n):]
	}
	return dst
}

// Discount sets the bits of the given unchanged names to 0.
func (r *Readings) Discount(names map[string]bool) {
	for i := range r.Names {
		if n := &r.Names[i]; n.Fate == Same && names[n.text] {
			n.Bits = 0
		}
	}
}

// Owned lists the unchanged names that carry more bits than one that a platform declares.
func (r *Readings) Owned(w *Weights) (out []string) {
	for _, n := range r.Names {
		if n.Fate == Same && w.name(n.Rarity) > w.Platform {
			out = append(out, n.text)
		}
	}
	return out
}

// Borrow returns the readings with the given unchanged names as those that a platform declares: its callers must write them.
func (r Readings) Borrow(names []string) Readings {
	r.Names = slices.Clone(r.Names)
	for i := range r.Names {
		if n := &r.Names[i]; n.Fate == Same && slices.Contains(names, n.text) {
			n.Platform = true
		}
	}
	return r
}

// rarity reads a name or value of so many characters, by the frequency model and the platforms.
func rarity(c model.Common, text []byte, length int) Rarity {
	h := model.NameHash(text)
	return Rarity{Bits: min(Unknown, c.NameOf(h)), Short: length <= shortName, Platform: c.Platform(h)}
}

// pairs holds the buffers for pairing names.
type pairs struct {
	table    pairing.Table
	was, is  []string // the names
	fwd, rev []bool   // names that have a partner
	kin      pairing.Kindred
}

// pairsOf lists the names of both sides and their pairs, the most frequent pair first. They are valid until the next call.
func (c *Costs) pairsOf(target, origin match.Side, m match.Match, fixed []bool) (origins, targets [][]byte, _ []pairing.Pair) {
	table := &c.pairs.table
	table.Reset()
	n := -1
	for _, r := range m.Runs {
		for i := range r.Len {
			n++
			at := r.Target + i
			if t := &target.Tokens[at]; t.Class != lang.Identifier || t.Flags&lang.FlagImport != 0 {
				continue
			}
			from, to, hash := origin.TextAt(r.Origin+i), target.TextAt(at), c.hashes[at]
			was := hash
			if !bytes.Equal(from, to) {
				was = max(1, model.NameHash(from))
			}
			p := table.Pair(pairing.Name{Text: from, Hash: was}, pairing.Name{Text: to, Hash: hash})
			if fixed != nil && fixed[n] {
				p.Fixed = true
				continue
			}
			p.Count++
			if c.fresh[n] {
				p.Told++
			}
		}
	}
	return table.Sorted()
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
