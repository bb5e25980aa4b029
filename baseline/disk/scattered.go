package disk

import (
	"errors"
	"sync"
	"sync/atomic"
)

const (
	// scatteredShare is a divisor. After a file was read up to 1/scatteredShare of its size, its map is used instead. By
	// then the reads have cost about as much as touching the whole map.
	scatteredShare = 16
	// scatteredMost bounds the bytes read of one file.
	scatteredMost = 32 << 20
)

// Scattered reads parts of a mapped file without the map, as long as they are few. The first touch of a page costs a fault, and the
// system maps its neighbours too: 5.2 microseconds in a file of 600 MB, against 1.2 for a read of 700 bytes. So a caller that needs
// little of a large file reads the parts, and keeps the ones that it will need again. A caller that needs much of it changes to the
// map. Safe for concurrent use. A nil Scattered has no parts and reads none.
type Scattered struct {
	f     *File
	full  atomic.Bool
	blind atomic.Bool  // the system does not report which parts are in memory
	left  atomic.Int64 // bytes that may still be read

	mu   sync.Mutex
	kept map[uint64][]byte
	room []byte // buffer for the next parts
}

// chunk is the number of bytes allocated at once for parts of some hundred bytes.
const chunk = 64 << 10

// Scatter returns a Scattered for a file of this size. It returns nil if the system has no maps, since there is no gain.
func Scatter(f *File, size int64) *Scattered {
	if !Maps {
		return nil
	}
	s := &Scattered{f: f, kept: make(map[uint64][]byte)}
	s.left.Store(min(size/scatteredShare, scatteredMost))
	return s
}

// Done reports that the map must be used from now on.
func (s *Scattered) Done() bool { return s == nil || s.full.Load() }

// Get returns a part that was kept, or nil.
func (s *Scattered) Get(id uint64) []byte {
	if s.Done() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[id]
}

// Read reads the part at off into b. It returns false if the map must be used, which also reports errors.
func (s *Scattered) Read(b []byte, off uint64) bool {
	if s.Done() || !s.fits(len(b)) {
		return false
	}
	_, err := s.f.ReadAt(b, int64(off))
	return err == nil
}

// ReadCached is Read for a part in the memory of the system. It returns false if it would have to wait for the disk, or if
// the system does not report that.
func (s *Scattered) ReadCached(b []byte, off uint64) bool {
	if s.Done() || s.blind.Load() {
		return false
	}
	if err := s.f.readCached(b, int64(off)); err != nil {
		s.blind.Store(errors.Is(err, errors.ErrUnsupported))
		return false
	}
	return s.fits(len(b))
}

// fits counts the bytes of a part. It returns false, and ends scattered reading, if the limit is reached.
func (s *Scattered) fits(n int) bool {
	if s.left.Add(-int64(n)) >= 0 {
		return true
	}
	s.full.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept, s.room = nil, nil
	return false
}

// ReadKept is Read into memory that stays, for a part that is to be kept.
func (s *Scattered) ReadKept(off, n uint64) []byte {
	if s.Done() {
		return nil
	}
	if b := s.take(n); s.Read(b, off) {
		return b
	}
	return nil
}

// take returns room for a part.
func (s *Scattered) take(n uint64) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if uint64(len(s.room)) < n {
		s.room = make([]byte, max(n, chunk))
	}
	b := s.room[:n:n]
	s.room = s.room[n:]
	return b
}

// Keep keeps a part that was read and checked.
func (s *Scattered) Keep(id uint64, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil {
		s.kept[id] = b
	}
}
