package match

import (
	"bytes"
	"cmp"
	"slices"

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
	Kept         []string // names and literals kept that tell most, see telling
}

// Costs of the information model, in bits. A token of a turn that n % of all
// directories have costs no more than -log2(n %) shared over the turn; one that
// repeats what the run itself had before costs next to nothing, so that ten
// getters weigh little more than one.
const (
	bitsTable  = 0.02 // the six tokens up to this one stood in the run before
	bitsRepeat = 0.3  // the three tokens up to this one did
	bitsBigram = 2.0  // the token before and this one did
	bitsKind   = 3.0  // a token of this kind did
	bitsNew    = 4.5
	// A kept name or literal nobody else has, at its first occurrence; those of
	// one or two characters are everybody's.
	bitsRareName = 10.0
	bitsShort    = 1.0
	// A later occurrence that follows the one-to-one map could by accident be
	// any of the names around, unless the run only repeats itself there. One
	// against the map speaks louder: who renames does so everywhere.
	bitsAgree    = 1.0
	bitsDisagree = 2.5
	// A literal that differs; tables of them outweigh their own structure.
	bitsUnequal = 1.0
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
	if e.CloneType == 1 && (len(e.Renames) > 0 || e.Inconsistent > 0 || e.Equal < e.Literals) {
		e.CloneType = 2
	}
	e.Bits = max(e.Bits, 0)
	return e
}

// structure is the information of the kinds alone. fresh tells for each matched
// token whether it does more than repeat a turn of the run.
func (w *Weights) structure(toks []lang.Token, m Match) (fresh []bool, bits float64) {
	from, to := m.Target()
	w.weigh(int(from), int(to))
	w.told.reset(len(orders) * m.Tokens())
	for _, r := range m.Runs {
		for i := range int(r.Len) {
			at := int(r.Target) + i
			if toks[at].Flags&lang.FlagImport != 0 {
				fresh = append(fresh, false)
				continue
			}
			cost := w.told.cost(toks[r.Target : at+1])
			fresh = append(fresh, cost > bitsTable)
			bits += min(cost, float64(w.turns[at]))
		}
	}
	return fresh, bits
}

// turn is the longest turn the model of a run knows.
type turn [6]uint32

// orders are the lengths of the turns that the model of a run knows, and the
// cost of a token that ends one which the run had before.
var orders = []struct {
	n    int
	bits float64
}{{1, bitsKind}, {2, bitsBigram}, {3, bitsRepeat}, {len(turn{}), bitsTable}}

// turnSet holds the turns a run had so far, by their 64-bit hashes: a table
// with open addressing, at most half full. Its zero value needs reset.
type turnSet struct{ slots []uint64 }

func (s *turnSet) reset(turns int) {
	size := 64
	for size < 2*turns {
		size *= 2
	}
	if size > len(s.slots) {
		s.slots = make([]uint64, size)
		return
	}
	s.slots = s.slots[:cap(s.slots)][:size]
	clear(s.slots)
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

// pair is two names at the same place.
type pair struct{ origin, target string }

// names makes the one-to-one map: the pair that occurs most often is taken
// first, each name once (ties: the pair met first).
func (e *Evidence) names(target, origin Side, m Match, c model.Common, fresh []bool) {
	count, told := make(map[pair]int), make(map[pair]int)
	var order []pair
	each(target, origin, m, lang.Identifier, func(i int, o, t []byte) {
		p := pair{string(o), string(t)}
		if count[p] == 0 {
			order = append(order, p)
		}
		count[p]++
		if fresh[i] {
			told[p]++
		}
		e.Identifiers++
	})
	slices.SortStableFunc(order, func(a, b pair) int { return cmp.Compare(count[b], count[a]) })
	fwd, rev := make(map[string]bool, len(order)), make(map[string]bool, len(order))
	for _, p := range order {
		n, again := count[p], float64(max(0, told[p]-1))
		if fwd[p.origin] || rev[p.target] {
			e.Inconsistent += n
			e.Bits -= bitsDisagree * float64(n)
			continue
		}
		fwd[p.origin], rev[p.target] = true, true
		if p.origin != p.target {
			e.Renames = append(e.Renames, Rename{p.origin, p.target, n})
			e.Bits += bitsAgree * again
			continue
		}
		e.Unchanged += n
		b := nameBits(c, []byte(p.origin))
		e.keep(p.origin, b)
		e.Bits += b + min(b/bitsRareName, bitsAgree)*again
	}
}

func (e *Evidence) literals(target, origin Side, m Match, c model.Common) {
	seen := make(map[string]bool)
	add := func(_ int, o, t []byte) {
		e.Literals++
		if !bytes.Equal(o, t) {
			e.Bits -= bitsUnequal
			return
		}
		e.Equal++
		if !seen[string(o)] {
			seen[string(o)] = true
			b := nameBits(c, o)
			e.keep(string(o), b)
			e.Bits += b
		}
	}
	each(target, origin, m, lang.String, add)
	each(target, origin, m, lang.Number, add)
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
