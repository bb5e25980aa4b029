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
	// scatteredMost bounds the bytes kept of one file.
	scatteredMost = 32 << 20
)

// Scattered reads parts of a mapped file without the map, as long as they are few. The first touch of a page costs a
// fault, and the system maps its neighbours too: 5.2 microseconds in a file of 600 MB, against 1.2 for a read of 700
// bytes. So a caller that needs little of a large file reads the parts and keeps them; a caller that needs much changes to
// the map. Safe for concurrent use. A nil Scattered has no parts and reads none.
type Scattered struct {
	f     *File
	full  atomic.Bool
	blind atomic.Bool // the system does not report which parts are in memory

	mu   sync.Mutex
	kept map[uint64][]byte
	left int64
	room []byte // buffer for the next parts
}

// chunk is the number of bytes allocated at once for parts of some hundred bytes.
const chunk = 64 << 10

// Scatter returns a Scattered for a file of this size. It returns nil if the system has no maps, since there is no gain.
func Scatter(f *File, size int64) *Scattered {
	if !Maps {
		return nil
	}
	return &Scattered{f: f, kept: make(map[uint64][]byte), left: min(size/scatteredShare, scatteredMost)}
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

// Read reads a part. It returns nil if the map must be used, which also reports errors.
func (s *Scattered) Read(off, n uint64) []byte {
	if s.Done() {
		return nil
	}
	s.mu.Lock()
	var b []byte
	if s.fits(n) {
		b = s.take(n)
	}
	s.mu.Unlock()
	if b == nil {
		return nil
	}
	if _, err := s.f.ReadAt(b, int64(off)); err != nil {
		return nil
	}
	return b
}

// ReadCached is Read for a part in the memory of the system. It returns nil if it would have to wait for the disk, or if
// the system does not report that.
func (s *Scattered) ReadCached(off, n uint64) []byte {
	if s.Done() || s.blind.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.fits(n) {
		return nil
	}
	if _, err := s.f.readCached(s.room[:n], int64(off)); err != nil {
		s.blind.Store(errors.Is(err, errors.ErrUnsupported))
		return nil
	}
	return s.take(n)
}

// fits makes room for a part. It returns false, and ends scattered reading, if the limit is reached.
func (s *Scattered) fits(n uint64) bool {
	if s.left < int64(n) {
		s.kept, s.room = nil, nil
		s.full.Store(true)
		return false
	}
	if uint64(len(s.room)) < n {
		s.room = make([]byte, max(n, chunk))
	}
	return true
}

// take returns the room of a part.
func (s *Scattered) take(n uint64) []byte {
	b := s.room[:n:n]
	s.room, s.left = s.room[n:], s.left-int64(n)
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
