package score

import (
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// Costs are what the tokens of a target carry, by what the frequency models and the
// index know. They depend on the target alone; blocks of them are worked out when a
// match first reaches there, and serve all matches. Not safe for concurrent use.
type Costs struct {
	w       *Weights
	target  match.Side
	common  model.Common
	isName  func(lang.Token) bool
	done    []bool    // by block: what a match is read by
	named   []bool    // by block: its names
	valued  []bool    // by block: what its names are worth
	bounded []bool    // by block: what a match is bounded by
	index   []float32 // per token: bits as part of a frequent range; see Token
	ngram   []float64 // per token: bits as part of the commonest n-gram around it; see Token
	shape   []float32 // per token: what it costs at most, by both of them
	again   []int32   // per token: 1 more than where the six up to it stood shortly before; 0 if nowhere
	kept    []float32 // per token: bits of its name if it is kept; 0 if it is no name
	hashes  []uint32  // per token: hash of its name; of a string in either quotes, as it is in double ones
	others  []uint32  // per token: hash of such a string as it is in single quotes; 0 of any other token
	before  []int32   // per token: where its name stood last within nameReach, or -1

	names    [1 << 12]nameBits // by hash: names met so far
	pairing  pairing           // of the match being read
	outlooks []Outlook
	known    map[uint64]int32 // begin and end of a stretch: its place in outlooks
	shares   []nameShare
	spots    []spot
	number   []int32 // per token: its name's place among those of the stretch being read

	recent recent
	met    ngramSet // of the match being read
	fresh  []bool   // of its tokens
	tokens []Token
	bits   []float64 // of the n-grams being read
}

// Range is a frequent range of the target, one that the index finds in Frequent
// directories and more: half-open tokens, and the bits it costs as a whole.
type Range struct {
	From, To int
	Bits     float64
}

// known is what a name is worth if it is unchanged.
func (w *Weights) known(c model.Common, length int, hash uint32) float64 {
	if length <= shortName {
		return w.Short
	}
	bits := c.NameOf(hash)
	if bits > w.Platform && c.Platform(hash) {
		bits = w.Platform
	}
	return min(w.RareName, bits)
}

// nameBits is what a name was found to be worth; files have the same names.
type nameBits struct {
	hash uint32 // 0: none
	bits float32
}

// name is known, of which names met before are not asked again.
func (c *Costs) name(length int, hash uint32) float32 {
	at := &c.names[hash%uint32(len(c.names))]
	if length <= shortName || at.hash != hash {
		bits := float32(c.w.known(c.common, length, hash))
		if length <= shortName {
			return bits
		}
		*at = nameBits{hash, bits}
	}
	return at.bits
}

// block is how many tokens are weighed at a time: the length of a short match.
const block = 64

// NewCosts prepares the costs of a target by some weights; frequent is what the
// index has often, isName says which tokens the name sets of documents have.
func NewCosts(w *Weights, target match.Side, c model.Common, frequent []Range, isName func(lang.Token) bool) *Costs {
	out := new(Costs)
	out.Reset(w, target, c, frequent, isName)
	return out
}

// Reset prepares costs for another target, in the memory they have.
func (c *Costs) Reset(w *Weights, target match.Side, common model.Common, frequent []Range, isName func(lang.Token) bool) {
	n := len(target.Tokens)
	if c.w != w || len(c.common) != len(common) || len(common) > 0 && &c.common[0] != &common[0] {
		clear(c.names[:])
	}
	c.w, c.target, c.common, c.isName = w, target, common, isName
	c.done, c.named = zeroed(c.done, n/block+1), zeroed(c.named, n/block+1)
	c.valued, c.bounded = zeroed(c.valued, n/block+1), zeroed(c.bounded, n/block+1)
	c.shape, c.again, c.kept = zeroed(c.shape, n), zeroed(c.again, n), zeroed(c.kept, n)
	c.hashes, c.before = zeroed(c.hashes, n), zeroed(c.before, n)
	if c.others = c.others[:0]; target.Quotes {
		c.others = zeroed(c.others, n)
	}
	c.index, c.ngram = zeroed(c.index, n), zeroed(c.ngram, n)
	c.number = zeroed(c.number, n)
	c.forget()
	for i := range c.index {
		c.index[i], c.ngram[i] = Unknown, Unknown
	}
	for _, r := range frequent {
		each := float32(r.Bits / float64(r.To-r.From))
		for i := max(r.From, 0); i < min(r.To, n); i++ {
			c.index[i] = min(c.index[i], each)
		}
	}
}

// zeroed returns n zeroes in the memory of s, if it has room for them.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// weigh works out what a match in [from, to) is read by, for the blocks that nobody asked
// for yet.
func (c *Costs) weigh(from, to int) {
	for b := from / block; b*block < to; b++ {
		if c.done[b] {
			continue
		}
		c.done[b] = true
		c.weighNgrams(b*block, min((b+1)*block, len(c.shape)))
		c.readNames(b)
	}
}

// bound works out what a match in [from, to) is bounded by, beyond what it is read by.
func (c *Costs) bound(from, to int) {
	c.weigh(from, to)
	for b := from / block; b*block < to; b++ {
		if c.bounded[b] {
			continue
		}
		c.bounded[b] = true
		from, to := b*block, min((b+1)*block, len(c.shape))
		c.weighRepeats(from, to)
		c.valueNames(b)
		for n := max(0, b-nameReach/block-1); n < b; n++ {
			c.readNames(n)
		}
		c.findNames(from, to)
	}
}

// readNames hashes the names of a block; the blocks behind it ask for them too.
func (c *Costs) readNames(b int) {
	if c.named[b] {
		return
	}
	c.named[b] = true
	for i := b * block; i < min((b+1)*block, len(c.shape)); i++ {
		t := c.target.Tokens[i]
		if t.Flags&lang.FlagImport == 0 && (t.Class == lang.Identifier || c.isName(t)) {
			if text := c.target.TextAt(uint32(i)); c.target.Quotes && t.Class == lang.String {
				c.hashes[i], c.others[i] = model.Quoted(text)
				c.hashes[i] = max(1, c.hashes[i])
			} else {
				c.hashes[i] = max(1, model.NameHash(text)) // 0 is none
			}
		}
	}
}

// valueNames tells what the names of a block are worth if they are kept.
func (c *Costs) valueNames(b int) {
	if c.valued[b] {
		return
	}
	c.valued[b] = true
	c.readNames(b)
	for i := b * block; i < min((b+1)*block, len(c.shape)); i++ {
		t := c.target.Tokens[i]
		if c.hashes[i] == 0 || !c.isName(t) {
			continue
		}
		text := c.target.TextAt(uint32(i))
		if t.Class == lang.Identifier {
			c.kept[i] = c.name(len(text), c.hashes[i])
		} else {
			c.kept[i] = float32(c.w.Literal * c.w.value(valueOf(c.common, text, c.target.Quotes)))
		}
	}
}

// nameReach is how far back a name is known to have stood before; one that stood
// further back counts anew in the bound of a long match.
const nameReach = 96

// findNames tells of each name where it stood last. Places of one slot are chained, the last first.
func (c *Costs) findNames(from, to int) {
	low := max(0, from-nameReach)
	var last [256]uint8 // by hash: a place in links
	var links [nameReach + block + 1]struct {
		at   int32
		next uint8
	}
	n := uint8(0)
	for i := low; i < to; i++ {
		hash := c.hashes[i]
		if hash == 0 {
			if i >= from {
				c.before[i] = -1
			}
			continue
		}
		slot := &last[hash*0x9E3779B1>>24]
		if i >= from {
			before := int32(-1)
			for l := *slot; l != 0 && int(links[l].at) >= i-nameReach; l = links[l].next {
				if c.hashes[links[l].at] == hash {
					before = links[l].at
					break
				}
			}
			c.before[i] = before
		}
		n++
		links[n].at, links[n].next = int32(i), *slot
		*slot = n
	}
}

// weighNgrams reads the commonest n-gram around each token, and what follows for
// its cost.
func (c *Costs) weighNgrams(from, to int) {
	var kinds [block + 2*model.LongNGram]uint32
	low := max(0, from-model.LongNGram+1)
	high := min(len(c.shape), to+model.LongNGram-1)
	for i := low; i < high; i++ {
		kinds[i-low] = c.target.Tokens[i].Kind
	}
	for _, n := range [...]int{model.LongNGram, model.ShortNGram} {
		first := max(low, from-n+1)
		c.bits = c.common.NGrams(c.bits[:0], kinds[first-low:min(to+n-1, high)-low], n)
		for at, bits := range c.bits {
			if math.IsInf(bits, 1) {
				continue
			}
			i := first + at
			each := bits / float64(n)
			for j := max(i, from); j < min(i+n, to); j++ {
				if each < c.ngram[j] {
					c.ngram[j] = each
				}
			}
		}
	}
	for i := from; i < to; i++ {
		c.shape[i] = min(float32(c.w.NewToken), c.w.ngram(c.index[i], c.ngram[i]))
	}
}

// weighRepeats marks tokens that end an n-gram of six which stood there within the
// block's length before.
func (c *Costs) weighRepeats(from, to int) {
	c.recent.reset()
	const n = six
	low := max(from-block, n-1)
	var kinds [2*block + n]uint64
	for i, t := range c.target.Tokens[low-n+1 : to] {
		kinds[i] = uint64(t.Kind)
	}
	for i := low; i < to; i++ {
		k := kinds[i-low:][:n]
		h := ((k[0]*mix^k[1])*mix^k[2])*mix ^ k[3] // two halves, which a processor works out side by side
		h = (h ^ h>>29) * mix
		h += ((k[4]*mix^k[5])*mix ^ k[4]) * mix
		h ^= h >> 29
		before, ok := c.recent.put(h, i)
		if i >= from && ok && i-before <= block {
			c.again[i] = int32(before - n + 2)
		}
	}
}

// mix is an odd number with bits all over.
const mix = 0x9E3779B97F4A7C15

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

// Other returns the second hash of a string at i that is the same in either quotes; 0 of any other token. The first is that of
// Name, which must have been asked for.
func (c *Costs) Other(i int) uint32 {
	if len(c.others) == 0 {
		return 0
	}
	return c.others[i]
}

// Name returns the hash of the name or literal at i, 0 if it is none or too short for the
// names of a document, and what it is worth if it is unchanged.
func (c *Costs) Name(i int) (hash uint32, bits float64) {
	c.valueNames(i / block)
	if c.kept[i] == 0 {
		return 0, 0
	}
	return c.hashes[i], float64(c.kept[i])
}
