package object

import (
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// Pages of mapped packs that were read stay in memory as long as there is room, and count as this program's: a long
// history would come to hold all its packs. So each pack notes which parts were read, and when they are many all are
// given back. What is read again is mostly still in the page cache.
const (
	// residentPart is what a fault of a page maps at once, on Linux.
	residentPart = 64 << 10
	// maxResident bounds the parts of all packs that are mapped at a time.
	maxResident = 48 << 20
)

// residency notes the parts of a pack that were read since they were given back, a bit each.
type residency []atomic.Uint64

func newResidency(size int64) residency { return make(residency, size/residentPart/64+1) }

// touch notes that n bytes from off on are read and returns how many parts were not before.
func (r residency) touch(off, n int64) (more int64) {
	for part := off / residentPart; part <= (off+n)/residentPart && part/64 < int64(len(r)); part++ {
		word, bit := &r[part/64], uint64(1)<<(part%64)
		if word.Load()&bit == 0 && word.Or(bit)&bit == 0 {
			more++
		}
	}
	return more
}

func (r residency) clear() {
	for i := range r {
		r[i].Store(0)
	}
}

// touch notes what is about to be read of a mapped pack.
func (db *DB) touch(p *pack, off, n int64) {
	if more := p.touched.touch(off, n); more > 0 && db.resident.Add(more) > maxResident/residentPart {
		db.GiveBack()
	}
}

// GiveBack drops the pages of all packs. Whoever is reading one has it mapped again.
func (db *DB) GiveBack() {
	db.resident.Store(0)
	for _, p := range db.snapshot() {
		p.touched.clear()
		disk.GiveBack(p.data)
		disk.GiveBack(p.index)
	}
}
