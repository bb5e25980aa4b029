package score

import (
	"math"

	"github.com/git-provenance/git-provenance/baseline/model"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// Costs hold the bits of each token of a target, by the frequency models and the index. They depend on the target alone. Blocks
// are computed when a match first reaches them, and then serve all matches. Not safe for concurrent use.
type Costs struct {
	w           *Weights
	target      match.Side
	frequencies model.Frequencies
	isName      func(lang.Token) bool
	names       [1 << 12]nameBits // by hash: bits of names seen so far

	// by block: what is computed
	done    []bool // ngram, shape and hashes
	named   []bool // hashes
	valued  []bool // unchanged
	bounded []bool // again and before

	// per token
	index     []float32 // bits as part of a frequent range; see Token
	ngram     []float64 // bits as part of the most frequent n-gram around it; see Token
	shape     []float32 // the most bits by index and ngram
	hashes    []uint32  // hash of its name; a string that may have either quotes is hashed in double ones
	others    []uint32  // hash of such a string in single quotes; 0 for other tokens
	nests     []int8    // 1 if it opens a bracket, -1 if it closes one, else 0
	again     []int32   // 1 + the first token of an equal n-gram of six shortly before; 0 if there is none
	unchanged []float32 // bits of its name if unchanged; 0 if it has none
	before    []int32   // the last position of its name within nameReach, or -1

	reading readBuffers
	edges   edgeBuffers
	spans   spans
	recent  recent
	bits    []float64 // of the current n-grams
}

// Range is a frequent range of the target: half-open tokens that the index finds in Frequent directories or more, and its bits as
// a whole.
type Range struct {
	From, To int
	Bits     float64
}

// known returns the bits of a name if it is unchanged.
func (w *Weights) known(c model.Frequencies, length int, hash uint32) float64 {
	if length <= shortName {
		return w.Short
	}
	bits := c.NameOf(hash)
	if bits > w.Platform && c.Platform(hash) {
		bits = w.Platform
	}
	return min(w.RareName, bits)
}

// nameBits caches the bits of a name, since many files have the same names.
type nameBits struct {
	hash uint32 // 0: none
	bits float32
}

// name is Weights.known with a cache.
func (c *Costs) name(length int, hash uint32) float32 {
	at := &c.names[hash%uint32(len(c.names))]
	if length <= shortName || at.hash != hash {
		bits := float32(c.w.known(c.frequencies, length, hash))
		if length <= shortName {
			return bits
		}
		*at = nameBits{hash, bits}
	}
	return at.bits
}

// block is how many tokens are computed at a time: the length of a short match.
const block = 64

// Reset sets another target and reuses the buffers.
func (c *Costs) Reset(w *Weights, target match.Side, frequencies model.Frequencies, frequent []Range, isName func(lang.Token) bool) {
	n := len(target.Tokens)
	if c.w != w || len(c.frequencies) != len(frequencies) || len(frequencies) > 0 && &c.frequencies[0] != &frequencies[0] {
		clear(c.names[:])
	}
	c.w, c.target, c.frequencies, c.isName = w, target, frequencies, isName
	c.done, c.named = zeroed(c.done, n/block+1), zeroed(c.named, n/block+1)
	c.valued, c.bounded = zeroed(c.valued, n/block+1), zeroed(c.bounded, n/block+1)
	c.shape, c.hashes = zeroed(c.shape, n), zeroed(c.hashes, n)
	c.again, c.unchanged, c.before, c.spans.number = c.again[:0], c.unchanged[:0], c.before[:0], c.spans.number[:0]
	if c.others = c.others[:0]; target.Quotes {
		c.others = zeroed(c.others, n)
	}
	c.index, c.ngram = zeroed(c.index, n), zeroed(c.ngram, n)
	c.nests = zeroed(c.nests, n)
	c.spans.forget()
	for i := range c.index {
		c.index[i], c.ngram[i] = UnknownBits, UnknownBits
	}
	for _, r := range frequent {
		each := float32(r.Bits / float64(r.To-r.From))
		for i := max(r.From, 0); i < min(r.To, n); i++ {
			c.index[i] = min(c.index[i], each)
		}
	}
}

// prepare computes the costs needed to read a match in [from, to), for blocks that are not done.
func (c *Costs) prepare(from, to int) {
	for b := from / block; b*block < to; b++ {
		if c.done[b] {
			continue
		}
		c.done[b] = true
		from, to := b*block, min((b+1)*block, len(c.shape))
		c.weighNgrams(from, to)
		for i := from; i < to; i++ {
			c.nests[i] = bracket(c.target, uint32(i))
		}
		c.readNames(b)
	}
}

// forBounds makes room for the costs that only bounds need, which the comparison of two files never asks for.
func (c *Costs) forBounds() {
	if n := len(c.shape); len(c.again) < n {
		c.again, c.unchanged, c.before, c.spans.number = zeroed(c.again, n), zeroed(c.unchanged, n), zeroed(c.before, n), zeroed(c.spans.number, n)
	}
}

// bound computes the costs needed to bound a match in [from, to), besides those needed to read it.
func (c *Costs) bound(from, to int) {
	c.prepare(from, to)
	for b := from / block; b*block < to; b++ {
		if c.bounded[b] {
			continue
		}
		c.bounded[b] = true
		c.forBounds()
		from, to := b*block, min((b+1)*block, len(c.shape))
		c.weighRepeats(from, to)
		c.valueNames(b)
		for n := max(0, b-nameReach/block-1); n < b; n++ {
			c.readNames(n)
		}
		c.findNames(from, to)
	}
}

// readNames hashes the names of a block. Later blocks need them too.
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

// valueNames computes the bits of the names of a block if they are unchanged.
func (c *Costs) valueNames(b int) {
	if c.valued[b] {
		return
	}
	c.valued[b] = true
	c.forBounds()
	c.readNames(b)
	for i := b * block; i < min((b+1)*block, len(c.shape)); i++ {
		t := c.target.Tokens[i]
		if c.hashes[i] == 0 || !c.isName(t) {
			continue
		}
		text := c.target.TextAt(uint32(i))
		if t.Class == lang.Identifier {
			c.unchanged[i] = c.name(len(text), c.hashes[i])
		} else {
			c.unchanged[i] = float32(c.w.Literal * c.w.value(valueOf(c.frequencies, text, &c.target)))
		}
	}
}

// nameReach is how many tokens back an earlier occurrence of a name is found. Beyond that a name counts again in the bound of a
// long match.
const nameReach = 96

// findNames finds the last earlier position of each name. Positions with the same slot are linked, the last first.
func (c *Costs) findNames(from, to int) {
	low := max(0, from-nameReach)
	var last [256]uint8 // by hash: an index in links
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

// weighNgrams finds the most frequent n-gram around each token, and the token's cost by it.
func (c *Costs) weighNgrams(from, to int) {
	var kinds [block + 2*model.LongNGram]uint32
	low := max(0, from-model.LongNGram+1)
	high := min(len(c.shape), to+model.LongNGram-1)
	for i := low; i < high; i++ {
		kinds[i-low] = c.target.Tokens[i].Kind
	}
	for _, n := range [...]int{model.LongNGram, model.ShortNGram} {
		first := max(low, from-n+1)
		c.bits = c.frequencies.NGrams(c.bits[:0], kinds[first-low:min(to+n-1, high)-low], n)
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

// weighRepeats marks the tokens that end an n-gram of six which occurred within the last block tokens.
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
		h := ((k[0]*mix^k[1])*mix^k[2])*mix ^ k[3] // two halves, which a processor computes in parallel
		h = (h ^ h>>29) * mix
		h += ((k[4]*mix^k[5])*mix ^ k[4]) * mix
		h ^= h >> 29
		before, ok := c.recent.put(h, i)
		if i >= from && ok && i-before <= block {
			c.again[i] = int32(before - n + 2)
		}
	}
}

// Other returns the hash in single quotes of a string at i whose quotes do not matter; 0 for any other token. Name returns the
// hash in double quotes, and must be called first.
func (c *Costs) Other(i int) uint32 {
	if len(c.others) == 0 {
		return 0
	}
	return c.others[i]
}

// Name returns the hash of the name or literal at i and its bits if unchanged. The hash is 0 if the token has none, or if it is
// too short for the names of a document.
func (c *Costs) Name(i int) (hash uint32, bits float64) {
	c.valueNames(i / block)
	if c.unchanged[i] == 0 {
		return 0, 0
	}
	return c.hashes[i], float64(c.unchanged[i])
}

// Names returns what Name returns for the tokens [from, to); the hash of a token without bits means nothing.
func (c *Costs) Names(from, to int) (hashes []uint32, bits []float32) {
	for b := from / block; b*block < to; b++ {
		c.valueNames(b)
	}
	return c.hashes[from:to], c.unchanged[from:to]
}

// bracket returns 1 if token i opens a bracket, -1 if it closes one, else 0.
func bracket(s match.Side, i uint32) int8 {
	if text := s.TextAt(i); len(text) == 1 {
		switch text[0] {
		case '(', '[', '{':
			return 1
		case ')', ']', '}':
			return -1
		}
	}
	return 0
}

// recent maps the hashes of two blocks of tokens to their last positions.
type recent struct {
	hash [4 * block]uint64
	at   [4 * block]int32
}

func (r *recent) reset() { clear(r.hash[:]) }

// put sets the position of a hash and returns the previous one.
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
