// Package pairing pairs the names that stand at the same positions of two texts. A Table numbers the names of each text and counts
// their pairs. Kindred tells which pairs are one rename, Series which names only count on.
package pairing

import (
	"bytes"
	"cmp"
	"slices"
)

// Pair is two names at the same positions, by their numbers.
type Pair struct {
	Origin, Target uint32
	Count          int
	Told           int  // of these, at fresh tokens, which do more than repeat earlier ones
	Fixed          bool // it occurs at fixed tokens too
}

// Table holds the names of two texts and their pairs. It keeps its buffers. The zero value is ready.
type Table struct {
	origins, targets numbers
	pairs            []Pair
	slots, hashes    []uint32 // of the pairs
}

// Reset removes all names and pairs.
func (t *Table) Reset() {
	t.origins.reset()
	t.targets.reset()
	t.pairs, t.hashes = t.pairs[:0], t.hashes[:0]
	clear(t.slots)
}

// Name is a name of either text, with its hash.
type Name struct {
	Text []byte
	Hash uint32
}

// Pair returns the pair of two names, and adds it if it is new. It is valid until the next call.
func (t *Table) Pair(origin, target Name) *Pair {
	b := t.targets.number(target.Text, target.Hash)
	return t.pair(t.origins.number(origin.Text, origin.Hash), b)
}

// Sorted returns the names of both texts by their numbers, and the pairs, the most frequent first. They are valid until the next Reset.
func (t *Table) Sorted() (origins, targets [][]byte, pairs []Pair) {
	slices.SortStableFunc(t.pairs, func(a, b Pair) int { return cmp.Compare(b.Count, a.Count) })
	return t.origins.names, t.targets.names, t.pairs
}

// numbers assigns numbers from 0 on to names. It is a hash table with open addressing, at most half full.
type numbers struct {
	slots  []uint32 // number + 1; 0 is free
	names  [][]byte
	hashes []uint32
}

func (n *numbers) reset() {
	clear(n.slots)
	n.names, n.hashes = n.names[:0], n.hashes[:0]
}

func (n *numbers) number(name []byte, hash uint32) uint32 {
	at := slotOf(n.slots, hash, func(i uint32) bool { return n.hashes[i] == hash && bytes.Equal(n.names[i], name) })
	if at != nil && *at > 0 {
		return *at - 1
	}
	n.names, n.hashes = append(n.names, name), append(n.hashes, hash)
	if at != nil && 2*len(n.names) <= len(n.slots) {
		*at = uint32(len(n.names))
	} else {
		n.slots = spread(n.slots, n.hashes)
	}
	return uint32(len(n.names) - 1)
}

// slotOf returns the slot of the number that same accepts, or the free slot for it. It returns nil if there are no slots.
func slotOf(slots []uint32, hash uint32, same func(uint32) bool) *uint32 {
	if len(slots) == 0 {
		return nil
	}
	mask := uint32(len(slots) - 1)
	at := hash & mask
	for slots[at] > 0 && !same(slots[at]-1) {
		at = (at + 1) & mask
	}
	return &slots[at]
}

// spread distributes numbers over slots by their hashes. It enlarges slots if they are too few.
func spread(slots, hashes []uint32) []uint32 {
	size := max(64, len(slots))
	for size < 4*len(hashes) {
		size *= 2
	}
	slots = slices.Grow(slots[:0], size)[:size]
	clear(slots)
	for i, h := range hashes {
		*slotOf(slots, h, func(uint32) bool { return false }) = uint32(i + 1)
	}
	return slots
}

// pair returns the pair of two numbers, and adds it if it is new.
func (t *Table) pair(origin, target uint32) *Pair {
	hash := (origin*0x9E3779B1 ^ target) * 0x85EBCA6B
	hash ^= hash >> 15
	at := slotOf(t.slots, hash, func(i uint32) bool { return t.pairs[i].Origin == origin && t.pairs[i].Target == target })
	if at != nil && *at > 0 {
		return &t.pairs[*at-1]
	}
	t.pairs, t.hashes = append(t.pairs, Pair{Origin: origin, Target: target}), append(t.hashes, hash)
	if at != nil && 2*len(t.pairs) <= len(t.slots) {
		*at = uint32(len(t.pairs))
	} else {
		t.slots = spread(t.slots, t.hashes)
	}
	return &t.pairs[len(t.pairs)-1]
}
