package model

import "sync/atomic"

// index is a hash table of a table's entries. A table is queried as stored, which costs a scan of ten files nothing at the start. But in
// its buckets, the processor guesses wrong at most look-ups. So a table that is asked often gets an index.
//
// A slot is a hash and its level, or 0. The slots ascend with the hashes, and an entry is in the first free slot from its own on.
type index []uint64

// often is how many look-ups for each entry of a table pay for its index.
const often = 4

// newIndex returns the index of a table, or nil if the table is damaged.
func newIndex(t *table) index {
	es, ok := t.all()
	if !ok {
		return nil
	}
	x := make(index, 2*len(es))
	for _, e := range es {
		at := x.slot(e.hash)
		for x[at] != 0 {
			at = x.next(at)
		}
		x[at] = uint64(e.hash)<<8 | uint64(e.level)
	}
	return x
}

// slot returns where the search for a hash begins.
func (x index) slot(h uint32) int { return int(uint64(h) * uint64(len(x)) >> 32) }

func (x index) next(at int) int {
	if at++; at < len(x) {
		return at
	}
	return 0
}

// get returns the level of a hash, or 0.
func (x index) get(h uint32) uint8 {
	for at := x.slot(h); x[at] != 0; at = x.next(at) {
		if uint32(x[at]>>8) == h {
			return uint8(x[at])
		}
	}
	return 0
}

// lateIndex makes the index of a table when it has been asked often enough.
type lateIndex struct {
	asked atomic.Int64
	made  atomic.Pointer[index]
}

// of returns the index of a table that is not empty, or nil if there is none yet. hashes is how many hashes the caller looks up
// now.
func (l *lateIndex) of(t *table, hashes int) index {
	x := l.made.Load()
	if x == nil {
		if l.asked.Add(int64(hashes)) < often*int64(t.len()) {
			return nil
		}
		made := newIndex(t) // two workers may both make it
		l.made.Store(&made)
		x = &made
	}
	return *x
}
