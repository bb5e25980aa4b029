package object

import (
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// Pages of mapped packs that were read stay in memory as long as there is room, and count as memory of this program. Over a long
// history that would be all packs. So each pack notes which of its parts were read. If there are too many, all pages are released.
// Most pages that are needed again are still in the page cache.
const (
	// residentPart is the size that one page fault maps, on Linux.
	residentPart = 64 << 10
	// maxResident bounds the parts of all packs that are mapped at a time, in bytes.
	maxResident = 48 << 20
)

// residency notes which parts of a pack were read since the last release, one bit each.
type residency []atomic.Uint64

func newResidency(size int64) residency { return make(residency, size/residentPart/64+1) }

// touch notes that n bytes from off on are read and returns how many parts are new.
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

// touch notes a read of a mapped pack before it happens.
func (db *DB) touch(p *pack, off, n int64) {
	if more := p.touched.touch(off, n); more > 0 && db.resident.Add(more) > maxResident/residentPart {
		db.GiveBack()
	}
}

// GiveBack drops the pages of all packs. Pages in use are mapped again.
func (db *DB) GiveBack() {
	db.resident.Store(0)
	for _, p := range db.snapshot() {
		p.touched.clear()
		disk.GiveBack(p.data)
		disk.GiveBack(p.index)
	}
}
