package match

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

// Rename is one pair of the one-to-one map from origin to target identifiers.
type Rename struct {
	Origin, Target string
	Count          int // occurrences that agree
}

// Evidence is what a match is worth, read off both sides.
type Evidence struct {
	Renames      []Rename // names that differ, most frequent first
	Identifiers  int      // identifier tokens compared
	Unchanged    int      // of these, same name on both sides
	Inconsistent int      // of these, against the one-to-one map
	Literals     int      // string and number tokens compared
	Equal        int      // of these, same value on both sides
	CloneType    int      // 1 verbatim but for layout and comments, 2 names or literals differ, 3 edited
	Bits         float64  // information of what is shared, see Judge
	Structure    float64  // bits of these that the kinds of the tokens carry
	Map          float64  // bits of these that names carry which were renamed one to one
	Verbatim     float64  // bits of these for names of which hardly one differs
	Edges        float64  // bits that it lost for lines and brackets it has a part of
	Spread       float64  // bits that it lost as many have its k-grams: set by who knows the postings
	Kept         []string // names and literals kept that tell most, see telling
}

// Share is the part of the names that are kept, 1 where there are none.
func (e Evidence) Share() float64 {
	if e.Identifiers == 0 {
		return 1
	}
	return float64(e.Unchanged) / float64(e.Identifiers)
}

// Costs of the information model, in bits. What a token tells is bounded twice.
// One that repeats what the run itself had before costs next to nothing, so that
// ten getters weigh little more than one. And a turn that n % of all directories
// have costs no more than -log2(n %) shared over the turn, plus bitsPlace a
// token: common as each turn may be, it could have stood elsewhere. No token
// costs more than bitsNew: what no directory of the sample has may yet be common
// where the sample is thin, as among the types of TypeScript.
//
// The values are fitted to matches of copies and of strangers, see
// docs/EVALUATION.md: at the threshold one stranger in a thousand has a finding.
const (
	bitsTable  = 0.02 // the six tokens up to this one stood in the run before
	bitsRepeat = 0.8  // the three tokens up to this one did
	bitsNew    = 1.6
	bitsPlace  = 0.8
	// What is skipped between two runs was chosen to make them meet: that there is
	// a gap at all, and how many tokens of either side. A run that is not worth its
	// gap speaks against the match, but not for ever: code gets edited.
	bitsGap       = 10.0
	bitsGapLength = 1.75 // for each doubling, on each side
	bitsGapWaste  = 4.0
	// A kept name or literal nobody else has, at its first occurrence; those of
	// one or two characters are everybody's. What somebody writes as a value is
	// more his own than a name. Kept names count by the share of the names that are
	// kept: among many that differ they are those of a library both call.
	bitsRareName = 10.0
	bitsShort    = 1.0
	literalShare = 1.75
	bitsDigit    = 2.5 // of a number at most, for each of its digits
	// A name that is another one throughout: that a new name is met at the same
	// place on both sides, and that it follows the map when it is met again, as by
	// accident it could be any of the names around. Twice is enough to know it by,
	// and where the run only repeats itself it tells nothing. It is less than a rare
	// name kept and more than a common one: idioms come with their names. All of
	// them tell little more than the order of the tokens among which they stand:
	// tests of one library have names of their own at the same few places. One
	// against the map speaks louder: who renames does so everywhere.
	bitsRenamed  = 5.0
	bitsAgree    = 1.5
	agreeMost    = 2
	mapMost      = 2.5 // times the bits of the structure
	mapGap       = 0.9 // what each gap leaves of them: strangers' matches have gaps as a rule
	bitsDisagree = 2.5
	// Hardly a name differs: strangers have names of their own. Of 15,200 matches
	// between strangers 9 had none that differs, and none of those half of the bits
	// that are needed. All of it where none differs, nothing from verbatimMost of
	// the occurrences on, for so few names that they can be chance, or where what is
	// kept is everybody's: code that calls a library and no more.
	bitsVerbatim  = 60.0
	verbatimMost  = 0.2
	verbatimNames = 3
	verbatimKept  = 10.0 // bits of names, beyond those a platform's has, from which on it counts in full
	// A literal that differs; tables of them outweigh their own structure.
	bitsUnequal = 0.5
)

// Judge reads names and literals of the matched tokens of both sides. It adds
// up the bits of a match: of its structure, of kept names, of names that follow
// a one-to-one map, of equal literals. Import clauses count for nothing.
func Judge(target, origin Side, m Match, w *Weights) Evidence {
	e := Evidence{CloneType: 1}
	if len(m.Runs) > 1 {
		e.CloneType = 3
	}
	fresh, bits := w.structure(target.Tokens, m)
	e.Bits, e.Structure = bits, bits
	if target.Text == nil || origin.Text == nil {
		e.CloneType = max(e.CloneType, 2)
		return e
	}
	e.names(target, origin, m, w.common, fresh)
	e.literals(target, origin, m, w.common)
	e.Edges = edges(target, origin, m)
	e.Bits -= e.Edges
	if e.CloneType == 1 && (len(e.Renames) > 0 || e.Inconsistent > 0 || e.Equal < e.Literals) {
		e.CloneType = 2
	}
	e.Bits = max(e.Bits, 0)
	return e
}

// structure is the information of the kinds alone: that of the best run, and what
// the others have beyond the gap that leads there. fresh tells for each matched
// token whether it does more than repeat a turn of the run.
func (w *Weights) structure(toks []lang.Token, m Match) (fresh []bool, bits float64) {
	from, to := m.Target()
	w.weigh(int(from), int(to))
	w.told.reset(len(orders) * m.Tokens())
	each := make([]float64, len(m.Runs))
	best := 0
	for n, r := range m.Runs {
		for i := range int(r.Len) {
			at := int(r.Target) + i
			if toks[at].Flags&lang.FlagImport != 0 {
				fresh = append(fresh, false)
				continue
			}
			cost := w.told.cost(toks[r.Target : at+1])
			fresh = append(fresh, cost > bitsTable)
			each[n] += min(cost, float64(w.turns[at]))
		}
		if each[n] > each[best] {
			best = n
		}
	}
	for n := range m.Runs {
		switch {
		case n < best:
			each[n] = max(-bitsGapWaste, each[n]-gapCost(m.Runs[n], m.Runs[n+1]))
		case n > best:
			each[n] = max(-bitsGapWaste, each[n]-gapCost(m.Runs[n-1], m.Runs[n]))
		}
		bits += each[n]
	}
	return fresh, bits
}

func gapCost(a, b Run) float64 {
	target, origin := float64(b.Target-a.targetEnd()), float64(b.Origin-a.originEnd())
	return bitsGap + bitsGapLength*(math.Log2(1+target)+math.Log2(1+origin))
}

// turn is the longest turn the model of a run knows.
type turn [6]uint32

// orders are the lengths of the turns that the model of a run knows, and the
// cost of a token that ends one which the run had before.
var orders = []struct {
	n    int
	bits float64
}{{3, bitsRepeat}, {len(turn{}), bitsTable}}

// turnSet holds the turns a run had so far, by their 64-bit hashes: a table
// with open addressing, at most half full. Its zero value needs reset.
type turnSet struct{ slots []uint64 }

func (s *turnSet) reset(turns int) {
	size := 64
	for size < 2*turns {
		size *= 2
	}
	// written to before it is read: a fresh page that is read first is mapped twice
	s.slots = zeroed(s.slots, size)
}

// add puts a hash in and tells whether it was there.
func (s *turnSet) add(h uint64) bool {
	h |= 1 // 0 is free
	mask := uint64(len(s.slots) - 1)
	for at := h >> 20 & mask; ; at = (at + 1) & mask {
		switch s.slots[at] {
		case h:
			return true
		case 0:
			s.slots[at] = h
			return false
		}
	}
}

// cost is the cost of the last token for who has read the run so far.
func (s *turnSet) cost(run []lang.Token) float64 {
	cost := bitsNew
	h, next := uint64(0), 0
	for n := 1; n <= len(run) && next < len(orders); n++ {
		h = (h ^ uint64(run[len(run)-n].Kind)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
		if n == orders[next].n {
			if s.add(h + uint64(n)<<1) {
				cost = orders[next].bits
			}
			next++
		}
	}
	return cost
}

// nameBits is what a kept name or literal is worth.
func nameBits(c model.Common, name []byte) float64 {
	return bitsOfName(c, len(name), model.NameHash(name))
}

// literalBits is nameBits for who wrote the value: its quotes are no part of it.
func literalBits(c model.Common, text []byte) float64 {
	bits := bitsOfName(c, len(bytes.Trim(text, "\"'`")), model.NameHash(text))
	if len(text) > 0 && (isDigit(text[0]) || text[0] == '.') {
		bits = min(bits, bitsDigit*float64(digits(text)))
	}
	return bits
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digits counts those of a number, zeros before and behind them left out: a
// thousand or the bit of a flag is soon written.
func digits(number []byte) int {
	rest := bytes.TrimLeft(number, "0.")
	hex := len(rest) < len(number) && len(rest) > 0 && rest[0]|0x20 == 'x'
	n := 0
	for _, c := range bytes.TrimRight(bytes.TrimLeft(rest, "xX0"), "0") {
		if isDigit(c) || hex && 'a' <= c|0x20 && c|0x20 <= 'f' {
			n++
		}
	}
	return n
}

func bitsOfName(c model.Common, length int, hash uint32) float64 {
	if length <= 2 {
		return bitsShort
	}
	return min(bitsRareName, c.NameOf(hash))
}

// telling is how many bits a kept name or literal has to carry to be named as
// evidence: hardly anybody else has it. The first keptNames of them will do.
const (
	telling   = 0.9 * bitsRareName
	keptNames = 6
)

func (e *Evidence) keep(name string, bits float64) {
	if bits >= telling && len(e.Kept) < keptNames {
		e.Kept = append(e.Kept, name)
	}
}

// pair is two names that stand at the same places, numbered on either side.
type pair struct {
	origin, target uint32
	count          int
	told           int // of these, places that do more than repeat a turn of the run
}

// numbers gives names numbers from 0 on.
type numbers struct {
	of    map[string]uint32
	names []string
}

func (n *numbers) number(name []byte) uint32 {
	i, ok := n.of[string(name)]
	if !ok {
		if n.of == nil {
			n.of = make(map[string]uint32)
		}
		i = uint32(len(n.names))
		n.names = append(n.names, string(name))
		n.of[n.names[i]] = i
	}
	return i
}

// names makes the one-to-one map: the pair that occurs most often is taken
// first, each name once (ties: the pair met first).
func (e *Evidence) names(target, origin Side, m Match, c model.Common, fresh []bool) {
	var origins, targets numbers
	var pairs []pair
	at := make(map[[2]uint32]int)
	each(target, origin, m, lang.Identifier, func(i int, o, t []byte) {
		key := [2]uint32{origins.number(o), targets.number(t)}
		n, ok := at[key]
		if !ok {
			n = len(pairs)
			at[key] = n
			pairs = append(pairs, pair{origin: key[0], target: key[1]})
		}
		pairs[n].count++
		if fresh[i] {
			pairs[n].told++
		}
		e.Identifiers++
	})
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.count, a.count) })
	fwd, rev := make([]bool, len(origins.names)), make([]bool, len(targets.names))
	kept, bits, own := 0, 0.0, 0.0
	for _, p := range pairs {
		if fwd[p.origin] || rev[p.target] {
			e.Inconsistent += p.count
			e.Bits -= bitsDisagree * float64(p.count)
			continue
		}
		fwd[p.origin], rev[p.target] = true, true
		from, to := origins.names[p.origin], targets.names[p.target]
		if from != to {
			e.Renames = append(e.Renames, Rename{from, to, p.count})
			if p.told > 0 {
				e.Map += bitsRenamed + bitsAgree*float64(min(p.told-1, agreeMost))
			}
			continue
		}
		kept++
		e.Unchanged += p.count
		b := nameBits(c, []byte(from))
		e.keep(from, b)
		bits += b
		own += max(0, b-model.BitsAPI)
	}
	if e.Identifiers == 0 {
		return
	}
	bits *= e.Share()
	e.Map = min(e.Map, mapMost*max(0, e.Structure)) * math.Pow(mapGap, float64(len(m.Runs)-1))
	e.Verbatim = verbatim(kept, own*e.Share(), e.Identifiers-e.Unchanged, e.Identifiers)
	e.Bits += bits + e.Map + e.Verbatim
}

// verbatim is what it is worth that of so many occurrences of names few differ,
// with so many names kept, which have so many bits of somebody's own.
func verbatim(kept int, own float64, differ, all int) float64 {
	if kept < verbatimNames {
		return 0
	}
	return bitsVerbatim * min(1, own/verbatimKept) * max(0, 1-float64(differ)/(verbatimMost*float64(all)))
}

// literals counts values that agree only where most do: a table of one's own has
// a few numbers of anybody's.
func (e *Evidence) literals(target, origin Side, m Match, c model.Common) {
	seen := make(map[string]bool)
	var told []string
	gain, last := 0.0, uint64(0)
	add := func(_ int, o, t []byte) {
		e.Literals++
		if !bytes.Equal(o, t) {
			e.Bits -= bitsUnequal
			return
		}
		e.Equal++
		if n, err := strconv.ParseUint(string(o), 0, 64); err == nil {
			follows := n == last+1 || n == 2*last
			last = n
			if follows {
				return // who counts comes to the same numbers
			}
		}
		if !seen[string(o)] {
			seen[string(o)] = true
			b := literalBits(c, o)
			if b >= telling {
				told = append(told, string(o))
			}
			gain += literalShare * b
		}
	}
	each(target, origin, m, lang.String, add)
	each(target, origin, m, lang.Number, add)
	if 2*e.Equal >= e.Literals {
		e.Bits += gain
		for _, l := range told {
			e.keep(l, telling)
		}
	}
}

// each calls fn for every matched pair of tokens of a class outside imports;
// i counts all matched tokens.
func each(target, origin Side, m Match, c lang.Class, fn func(i int, o, t []byte)) {
	n := 0
	for _, r := range m.Runs {
		for i := range r.Len {
			if t := target.Tokens[r.Target+i]; t.Class == c && t.Flags&lang.FlagImport == 0 {
				fn(n, origin.text(r.Origin+i), target.text(r.Target+i))
			}
			n++
		}
	}
}
