package match

import (
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
)

// Weights are the costs of a target's tokens in the light of what is common.
// They depend on the target alone; blocks of them are worked out when a match
// first reaches there, and serve all matches. Not safe for concurrent use.
type Weights struct {
	target Side
	common model.Common
	isName func(lang.Token) bool
	done   []bool    // by block: all of it
	named  []bool    // by block: its names
	turns  []float32 // per token: cost as part of the commonest turn around it
	again  []int32   // per token: 1 more than where the six up to it stood shortly before; 0 if nowhere
	kept   []float32 // per token: bits of its name if it is kept; 0 if it is no name
	hashes []uint32  // per token: hash of its name
	before []int32   // per token: where its name stood last within nameReach, or -1
	recent recent
	told   turnSet // of the match being judged
}

// Common is a stretch of the target that many documents have: half-open tokens
// and the bits it costs as a whole.
type Common struct {
	From, To int
	Bits     float64
}

// block is how many tokens are weighed at a time: the length of a short match.
const block = 64

// NewWeights prepares the weights of a target; runs are what the index itself
// knows as common, isName says which tokens the name sets of documents have.
func NewWeights(target Side, c model.Common, runs []Common, isName func(lang.Token) bool) *Weights {
	w := new(Weights)
	w.Reset(target, c, runs, isName)
	return w
}

// Reset prepares weights for another target, in the memory they have.
func (w *Weights) Reset(target Side, c model.Common, runs []Common, isName func(lang.Token) bool) {
	n := len(target.Tokens)
	w.target, w.common, w.isName = target, c, isName
	w.done, w.named = zeroed(w.done, n/block+1), zeroed(w.named, n/block+1)
	w.turns, w.again, w.kept = zeroed(w.turns, n), zeroed(w.again, n), zeroed(w.kept, n)
	w.hashes, w.before = zeroed(w.hashes, n), zeroed(w.before, n)
	for i := range w.turns {
		w.turns[i] = bitsNew
	}
	for _, r := range runs {
		each := float32(r.Bits / float64(r.To-r.From))
		for i := max(r.From, 0); i < min(r.To, n); i++ {
			w.turns[i] = min(w.turns[i], each)
		}
	}
}

// zeroed returns n zeroes in the memory of s, if it has room for them.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// Bound is what a match of some tokens carries at the very most: by their kinds,
// by names and literals that are kept, and by names that are renamed instead,
// beyond what they would tell if they were kept.
type Bound struct {
	Structure, Kept, Renamed float64
	identifiers              int
	foreign                  int // of these, named as nothing in the document is
}

// Shape is what of it does not need a name to be kept.
func (b Bound) Shape() float64 { return b.Structure + min(b.Renamed, mapMost*b.Structure) }

// Together bounds a match whose runs lie in separate stretches: all but the best
// pay for the gap that leads to them.
func Together(bs []Bound) float64 {
	b := sum(bs)
	return b.most(bitsVerbatim * min(1, b.Kept/verbatimKept))
}

// Exactly bounds a match whose runs are just these stretches.
func Exactly(bs []Bound) float64 {
	b := sum(bs)
	return b.most(verbatim(max(b.identifiers, verbatimNames), b.Kept, b.foreign, b.identifiers))
}

// most is either of a match in which too many names differ for it to be verbatim,
// or of one in which few do, and these may be renamed.
func (b Bound) most(verbatim float64) float64 {
	renamed := min(b.Renamed, mapMost*b.Structure)
	few := min(renamed, verbatimMost*float64(b.identifiers)*bitsRenamed)
	return b.Structure + b.Kept + max(renamed, few+verbatim)
}

func sum(bs []Bound) (all Bound) {
	best := 0.0
	for _, b := range bs {
		all.Kept, all.Renamed = all.Kept+b.Kept, all.Renamed+b.Renamed
		all.identifiers, all.foreign = all.identifiers+b.identifiers, all.foreign+b.foreign
		all.Structure += max(0, b.Structure-bitsGap)
		best = max(best, b.Structure)
	}
	all.Structure += min(best, bitsGap)
	return all
}

// Most bounds a match of the target tokens [from, to) with a document that may
// have the names has says.
func (w *Weights) Most(from, to int, has func(hash uint32) bool) Bound {
	from, to = max(from, 0), min(to, len(w.turns))
	w.weigh(from, to)
	var b Bound
	for i := from; i < to; i++ {
		t := w.target.Tokens[i]
		if t.Flags&lang.FlagImport != 0 {
			continue
		}
		repeats := int(w.again[i]) > from // what the match may hold
		if repeats {
			b.Structure += min(float64(w.turns[i]), bitsTable)
		} else {
			b.Structure += float64(w.turns[i])
		}
		if w.hashes[i] == 0 {
			continue
		}
		kept := 0.0
		if first := int(w.before[i]) < from; first { // for all that is known
			kept = w.keeps(i, has)
		}
		b.Kept += kept
		if t.Class != lang.Identifier {
			continue
		}
		b.identifiers++
		if w.kept[i] > 0 && !has(w.hashes[i]) {
			b.foreign++
		}
		if !repeats {
			b.Renamed += max(0, w.renamed(i, from)-kept)
		}
	}
	return b
}

// keeps is what the name at i tells if a document that has the names may have it.
func (w *Weights) keeps(i int, has func(hash uint32) bool) float64 {
	switch {
	case w.kept[i] == 0: // too short to be in a set of names
		return bitsShort
	case has(w.hashes[i]):
		return float64(w.kept[i])
	}
	return 0
}

// renamed is what the name at i adds as one that is another throughout, in a match
// that begins at from.
func (w *Weights) renamed(i, from int) float64 {
	met := 0
	for j := int(w.before[i]); j >= from; j = int(w.before[j]) {
		if int(w.again[j]) > from {
			continue
		}
		if met++; met > agreeMost {
			return 0
		}
	}
	if met == 0 {
		return bitsRenamed
	}
	return bitsAgree
}

// weigh works out the blocks of [from, to) that nobody asked for yet.
func (w *Weights) weigh(from, to int) {
	for b := from / block; b*block < to; b++ {
		if w.done[b] {
			continue
		}
		w.done[b] = true
		from, to := b*block, min((b+1)*block, len(w.turns))
		w.weighTurns(from, to)
		w.weighRepeats(from, to)
		for c := max(0, b-nameReach/block-1); c <= b; c++ {
			w.readNames(c)
		}
		for i := from; i < to; i++ {
			w.before[i] = w.lastName(i)
		}
	}
}

// readNames hashes the names of a block; the blocks behind it ask for them too.
func (w *Weights) readNames(b int) {
	if w.named[b] {
		return
	}
	w.named[b] = true
	for i := b * block; i < min((b+1)*block, len(w.turns)); i++ {
		t := w.target.Tokens[i]
		named := w.isName(t)
		if t.Flags&lang.FlagImport != 0 || !named && t.Class != lang.Identifier {
			continue
		}
		text := w.target.text(uint32(i))
		w.hashes[i] = max(1, model.NameHash(text)) // 0 is none
		switch {
		case !named:
		case t.Class == lang.Identifier:
			w.kept[i] = float32(bitsOfName(w.common, len(text), w.hashes[i]))
		default:
			w.kept[i] = float32(literalShare * literalBits(w.common, text))
		}
	}
}

// nameReach is how far back a name is known to have stood before; one that stood
// further back counts anew in the bound of a long match.
const nameReach = 96

func (w *Weights) lastName(i int) int32 {
	if w.hashes[i] == 0 {
		return -1
	}
	for j := i - 1; j >= max(0, i-nameReach); j-- {
		if w.hashes[j] == w.hashes[i] {
			return int32(j)
		}
	}
	return -1
}

// weighTurns lowers the cost of tokens to that of the commonest turn around them.
func (w *Weights) weighTurns(from, to int) {
	var kinds [block + 2*model.LongTurn]uint32
	low := max(0, from-model.LongTurn+1)
	high := min(len(w.turns), to+model.LongTurn-1)
	for i := low; i < high; i++ {
		kinds[i-low] = w.target.Tokens[i].Kind
	}
	for _, n := range []int{model.LongTurn, model.ShortTurn} {
		for i := max(low, from-n+1); i < to && i+n <= high; i++ {
			bits := w.common.Turn(kinds[i-low : i-low+n])
			if math.IsInf(bits, 1) {
				continue
			}
			each := float32(bits/float64(n) + bitsPlace)
			for j := max(i, from); j < min(i+n, to); j++ {
				w.turns[j] = min(w.turns[j], each)
			}
		}
	}
}

// weighRepeats marks tokens that end a turn of six which stood there within the
// block's length before.
func (w *Weights) weighRepeats(from, to int) {
	w.recent.reset()
	const n = len(turn{})
	for i := max(from-block, n-1); i < to; i++ {
		h := uint64(n)
		for _, t := range w.target.Tokens[i-n+1 : i+1] {
			h = (h ^ uint64(t.Kind)) * 0x9E3779B97F4A7C15
			h ^= h >> 29
		}
		before, ok := w.recent.put(h, i)
		if i >= from && ok && i-before <= block {
			w.again[i] = int32(before - n + 2)
		}
	}
}

// recent maps the hashes of two blocks of tokens to where they stood last.
type recent struct {
	hash [4 * block]uint64
	at   [4 * block]int32
}

func (r *recent) reset() { clear(r.hash[:]) }

// put sets the place of a hash and returns the one before.
func (r *recent) put(h uint64, i int) (before int, ok bool) {
	h |= 1 // 0 is free
	slot := h >> 32 % uint64(len(r.hash))
	for r.hash[slot] != 0 && r.hash[slot] != h {
		slot = (slot + 1) % uint64(len(r.hash))
	}
	before, ok = int(r.at[slot]), r.hash[slot] == h
	r.hash[slot], r.at[slot] = h, int32(i)
	return before, ok
}
