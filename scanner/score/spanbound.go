package score

import (
	"slices"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// SpanBound returns the bound of the target tokens [from, to). It is valid until the next call. Bounds are kept, because most
// documents share the same few stretches with a text.
func (c *Costs) SpanBound(from, to int) *SpanBound {
	key := uint64(uint32(from))<<32 | uint64(uint32(to))
	if i, ok := c.spans.known[key]; ok {
		return &c.spans.bounds[i]
	}
	if c.spans.known == nil {
		c.spans.known = make(map[uint64]int32)
	}
	if len(c.spans.shares)+len(c.spans.uses)+len(c.spans.bounds) > mostSpanBounds {
		c.spans.forget()
	}
	i := len(c.spans.bounds)
	c.spans.known[key] = int32(i)
	c.spans.bounds = append(c.spans.bounds, c.computeSpanBound(from, to))
	return &c.spans.bounds[i]
}

// computeSpanBound computes the bound of the target tokens [from, to). Its names and uses use the memory of c.
func (c *Costs) computeSpanBound(from, to int) SpanBound {
	from, to = max(from, 0), min(to, len(c.shape))
	c.bound(from, to)
	var o SpanBound
	b := &o.fixed
	names, uses := len(c.spans.shares), len(c.spans.uses)
	var short shortValues
	o.tokens = max(0, to-from)
	for i := from; i < to; i++ {
		t := &c.target.Tokens[i]
		if t.Flags&lang.FlagImport != 0 {
			continue
		}
		b.length += 1 + c.target.Omitted
		repeats := int(c.again[i]) > from // an earlier n-gram that the match may contain
		if repeats {
			b.Structure += min(float64(c.shape[i]), c.w.RepeatSix)
		} else {
			b.Structure += float64(c.shape[i])
		}
		if c.hashes[i] == 0 {
			if value := c.w.Literal * c.w.Short; short.isNew(c.target, i) {
				b.Unchanged, b.values = b.Unchanged+value, b.values+value
			}
			continue
		}
		first := int(c.before[i]) < from // as far as nameReach shows
		renamed := 0.0
		if t.Class == lang.Identifier {
			b.identifiers++
			if !repeats {
				renamed = c.renamed(i, from)
				b.told += renamed
			}
		}
		if c.unchanged[i] == 0 { // too short for a set of names
			if first {
				b.Unchanged += c.w.Short
				renamed = max(0, renamed-c.w.Short)
			}
			b.Renamed += renamed
			c.spans.number[i] = -1
			continue
		}
		c.share(i, names, from, renamed)
		if t.Class == lang.Identifier {
			c.spans.uses = append(c.spans.uses, nameUse{int32(i - from), c.spans.number[i]})
		}
	}
	b.paired = c.paired(from, to, b.length)
	o.names, o.uses = c.spans.shares[names:len(c.spans.shares):len(c.spans.shares)], c.spans.uses[uses:len(c.spans.uses):len(c.spans.uses)]
	o.All = o.UpperBound(func(uint32) bool { return true })
	return o
}

// shortValues are the first literals of a stretch that are too short for the set of names of a document.
type shortValues struct {
	met [16][2]byte
	n   int
}

// isNew reports whether a token without a name is a literal that was not met before, as far as there is room to know.
func (s *shortValues) isNew(target match.Side, i int) bool {
	if t := target.Tokens[i]; t.Class != lang.String && t.Class != lang.Number {
		return false
	}
	var text [2]byte
	copy(text[:], target.TextAt(uint32(i)))
	if slices.Contains(s.met[:s.n], text) {
		return false
	}
	if s.n < len(s.met) {
		s.met[s.n] = text
		s.n++
	}
	return true
}

// share adds the bits of the name at i to a stretch that begins at from, and whose names begin at index shares.
func (c *Costs) share(i, shares, from int, renamed float64) {
	first := int(c.before[i]) < from // as far as nameReach shows
	if first || c.spans.number[c.before[i]] < 0 {
		c.spans.number[i] = int32(len(c.spans.shares) - shares)
		c.spans.shares = append(c.spans.shares, nameShare{hash: c.hashes[i], other: c.Other(i)})
	} else {
		c.spans.number[i] = c.spans.number[c.before[i]]
	}
	n := &c.spans.shares[shares+int(c.spans.number[i])]
	n.without += renamed
	if first {
		n.unchanged = float64(c.unchanged[i])
		renamed = max(0, renamed-n.unchanged)
	}
	n.with += renamed
	if c.target.Tokens[i].Class == lang.Identifier {
		n.identifiers++
	}
}

// UpperBound returns the most bits of a match of the stretch. has reports whether the document may contain a name.
func (o *SpanBound) UpperBound(has func(hash uint32) bool) Bound {
	b := o.fixed
	for i := range o.names {
		if n := &o.names[i]; has(n.hash) || n.other != 0 && has(n.other) {
			b.Unchanged += n.unchanged
			b.Renamed += n.with
			if n.identifiers == 0 {
				b.values += n.unchanged
			}
		} else {
			b.Renamed += n.without
			b.foreign += n.identifiers
		}
	}
	return b
}

// Foreign returns how many names differ, at least, in a match of the given length. It counts the uses of names that the document
// does not have, in the part of the stretch that has the fewest of them.
func (o *SpanBound) Foreign(length int, has func(hash uint32) bool) int {
	var room [64]int32
	at := room[:0]
	last, foreign := int32(-1), false
	for _, s := range o.uses {
		if s.name != last {
			last, foreign = s.name, !has(o.names[s.name].hash)
		}
		if foreign {
			at = append(at, s.at)
		}
	}
	return fewest(at, o.tokens, length)
}

// fewest returns the least number of positions in any stretch of the given length below n. The positions must ascend. A stretch
// with fewest begins at 0 or after a position.
func fewest(at []int32, n, length int) int {
	if n < length {
		return len(at)
	}
	least, end := len(at), 0
	for i := 0; i <= len(at); i++ {
		from := 0
		if i > 0 {
			from = int(at[i-1]) + 1
		}
		if from+length > n {
			break
		}
		for end < len(at) && int(at[end]) < from+length {
			end++
		}
		least = min(least, end-i)
	}
	return least
}

// renamed returns the bits that the name at i adds if it is renamed throughout, in a match that begins at from.
func (c *Costs) renamed(i, from int) float64 {
	met := 0
	for j := int(c.before[i]); j >= from; j = int(c.before[j]) {
		if int(c.again[j]) > from {
			continue
		}
		if met++; float64(met) > c.w.AgreeMost {
			return 0
		}
	}
	if met == 0 {
		return c.w.Renamed
	}
	return c.w.Agree
}

// SpanBound is the upper bound of a match of one stretch of the target, prepared for many documents: a part that does not depend on
// names, and the share of each name.
type SpanBound struct {
	All    Bound // for a document that has every name
	fixed  Bound // the part that does not depend on names
	names  []nameShare
	uses   []nameUse
	tokens int // of the target, import clauses included
}

// nameShare is the part of a bound that one name of a stretch adds.
type nameShare struct {
	hash, other   uint32 // other: of a string in either quotes, else 0
	identifiers   int    // occurrences as an identifier
	unchanged     float64
	with, without float64 // bits as a renamed name, in a document that has it or not
}

// nameUse is an identifier of a stretch that can be foreign.
type nameUse struct {
	at   int32 // from the beginning of the stretch
	name int32
}

// spans are the span bounds of a target, and the buffers that they lie in.
type spans struct {
	bounds []SpanBound
	known  map[uint64]int32 // begin and end of a stretch: its index in bounds
	shares []nameShare
	uses   []nameUse
	number []int32 // per token: the index of its name among those of the current stretch
}

// forget drops all span bounds.
func (s *spans) forget() {
	s.bounds, s.shares, s.uses = s.bounds[:0], s.shares[:0], s.uses[:0]
	clear(s.known)
}

// mostSpanBounds limits the bounds that are kept, in names, uses and stretches: about 16 MB. A hundred versions of a large file
// have a hundred stretches of nearly all of it.
const mostSpanBounds = 1 << 20
