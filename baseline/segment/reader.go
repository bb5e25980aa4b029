package segment

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sync/atomic"

	"github.com/git-provenance/git-provenance/baseline/disk"
)

// A Reader reads one segment, mapped into memory if the system can. It is safe for concurrent use, but Close must be
// the last call. If the file is cut short while open, reads fail with a *[disk.FaultError].
type Reader struct {
	path    string
	data    view
	parts   disk.Parts // source of data; nil if all of it is on this machine
	info    Info
	head    [sha256.Size]byte
	geo     geometry
	shards  []shard
	checked []atomic.Uint64 // one bit for each block whose CRC was checked

	f         *disk.File      // the file mapped by data; nil if parts is set
	scattered *disk.Scattered // the first blocks read from f, by bucket
}

type shard struct {
	start   uint64 // of the blocks
	end     uint64 // of the blocks: the filter follows
	starts  view   // u32 offset of each block from start, and the last one's end
	filter  filter
	crc     uint32 // of the filter
	checked atomic.Bool
	asked   atomic.Uint32 // fingerprints looked up before the filter was read
}

// Open opens a segment. It reads the header and the directory and checks their CRCs. Filters and blocks are checked
// when first touched. If the file is damaged or of another version, errors wrap *[CorruptError] or *[VersionError].
func Open(path string) (*Reader, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	size, err := f.Size()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open segment: %w", err)
	}
	data, err := f.Map(size)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open segment: %w", err)
	}
	readScattered(data)
	r := &Reader{path: path, data: data, f: f, scattered: disk.Scatter(f, size)}
	if err := disk.Guard(r.load); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// OpenParts opens a segment whose parts are fetched on demand. The reader closes f.
func OpenParts(f disk.Parts) (*Reader, error) {
	r := &Reader{path: f.Name(), data: f.Data(), parts: f}
	if err := disk.Guard(r.load); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// need fetches a range of the file if it is missing. It takes a single range, since a list would be allocated even for
// a local file.
func (r *Reader) need(s disk.Range) error {
	if r.parts == nil {
		return nil
	}
	return r.parts.Need(s)
}

// giveBack gives back the memory of what was read. A sequential reader needs no part of it again.
func (r *Reader) giveBack() { disk.GiveBack(r.data) }

// Info describes the segment.
func (r *Reader) Info() Info { return r.info }

// Close unmaps the file.
func (r *Reader) Close() error {
	data, parts, f := r.data, r.parts, r.f
	r.data, r.shards, r.parts, r.f, r.scattered = nil, nil, nil, nil, nil
	if parts != nil {
		return parts.Close()
	}
	if f != nil {
		f.Close() // it was only read
	}
	if err := disk.Unmap(data); err != nil {
		return fmt.Errorf("close segment %q: %w", r.path, err)
	}
	return nil
}

// Head identifies the file: it is the SHA-256 of the header, which has the sizes of all parts and the checksum of the directory.
func (r *Reader) Head() [sha256.Size]byte { return r.head }

func (r *Reader) corrupt(section string, off uint64, reason string) error {
	return &CorruptError{Path: r.path, Section: section, Offset: int64(off), Reason: reason}
}

func (r *Reader) load() error {
	if err := r.need(disk.Range{Len: headerSize}); err != nil {
		return err
	}
	if len(r.data) < len(magic)+4 || string(r.data[:len(magic)]) != magic {
		return &VersionError{Path: r.path, Foreign: true}
	}
	le := binary.LittleEndian
	if v := le.Uint32(r.data[8:]); v != Version {
		return &VersionError{Path: r.path, Found: v}
	}
	h, ok := r.data.span(0, headerSize)
	if !ok || crc32.Checksum(h[:headerSize-4], castagnoli) != le.Uint32(h[headerSize-4:]) {
		return r.corrupt("header", 0, "checksum mismatch")
	}
	r.head = sha256.Sum256(h)
	r.info = Info{Version: Version, KeyBits: int(h[12]), BucketBits: int(h[13]),
		MaxPostings: int(le.Uint16(h[14:])), Keys: le.Uint64(h[16:]), Postings: le.Uint64(h[24:]),
		Count: le.Uint64(h[32:]), Size: int64(len(r.data)), Scheme: string(h[61 : 61+int(h[60])])}
	r.geo = geometry{r.info.KeyBits, r.info.BucketBits}
	if g := r.geo; g.keyBits > 57 || g.bucketBits > maxBucketBits || g.keyBits < g.bucketBits+highBits || r.info.MaxPostings < 1 || r.info.MaxPostings > maxMaxPostings {
		return r.corrupt("header", 0, "parameters out of bounds")
	}
	if le.Uint64(h[48:]) != uint64(len(r.data)) {
		return r.corrupt("header", 0, "the file has another length than was written")
	}
	return r.loadDirectory(le.Uint64(h[40:]), le.Uint32(h[56:]))
}

func (r *Reader) loadDirectory(off uint64, crc uint32) error {
	size := r.geo.directorySize()
	d, ok := r.data.span(off, size)
	if !ok || off+size != uint64(len(r.data)) {
		return r.corrupt("directory", off, "it does not end the file")
	}
	willNeed(r.data, off, size)
	if err := r.need(disk.Range{Off: off, Len: size}); err != nil {
		return err
	}
	if crc32.Checksum(d, castagnoli) != crc {
		return r.corrupt("directory", off, "checksum mismatch")
	}
	r.shards = make([]shard, r.geo.shards())
	r.checked = make([]atomic.Uint64, (r.geo.buckets()+63)/64)
	starts := d[len(r.shards)*shardEntrySize:]
	width := int(4 * (r.geo.perShard() + 1))
	at := uint64(headerSize)
	for i := range r.shards {
		s := &r.shards[i]
		if !s.load(d[i*shardEntrySize:], starts[i*width:(i+1)*width], at, off) {
			return r.corrupt("directory", off, fmt.Sprintf("shard %d is not where it should be", i))
		}
		at = s.end + s.filter.size()
	}
	if at != off {
		return r.corrupt("directory", off, "the shards do not end where it starts")
	}
	return nil
}

// load reads a shard's directory entry. The shard must start exactly at the offset at and end before limit, and its
// blocks must fill it. Each block starts where the previous one ends, so no byte is part of two blocks.
func (s *shard) load(entry, starts view, at, limit uint64) bool {
	le := binary.LittleEndian
	s.start, s.end, s.starts = le.Uint64(entry), le.Uint64(entry[8:]), starts
	s.filter = filter{seed: le.Uint64(entry[16:]), length: uint64(le.Uint32(entry[24:])), count: uint64(le.Uint32(entry[28:]))}
	s.crc = le.Uint32(entry[32:])
	first, last := le.Uint32(starts), le.Uint32(starts[len(starts)-4:])
	return s.start == at && s.start <= s.end && s.end <= limit &&
		s.filter.valid() && s.filter.size() <= limit-s.end &&
		first == 0 && uint64(last) == s.end-s.start
}

// checkFilter checks a filter's CRC when it is first used.
func (r *Reader) checkFilter(s *shard) error {
	if s.checked.Load() {
		return nil
	}
	bytes, ok := r.data.span(s.end, s.filter.size())
	if !ok || crc32.Checksum(bytes, castagnoli) != s.crc {
		return r.corrupt("filter", s.end, "checksum mismatch")
	}
	s.checked.Store(true)
	return nil
}

// A place is the position of a block in the file.
type place struct{ bucket, start, end uint64 }

func (r *Reader) place(bucket uint64) (place, error) {
	s := &r.shards[bucket/r.geo.perShard()]
	i := bucket % r.geo.perShard() * 4
	entry, ok := s.starts.span(i, 8)
	if !ok {
		return place{}, r.corrupt("directory", s.end, "too short")
	}
	both := binary.LittleEndian.Uint64(entry)
	p := place{bucket, s.start + both&(1<<32-1), s.start + both>>32}
	if p.start > p.end || p.end > s.end {
		return place{}, r.corrupt("block", p.start, "it ends outside of its shard")
	}
	return p, nil
}

func (r *Reader) isChecked(bucket uint64) bool {
	return r.checked[bucket>>6].Load()>>(bucket&63)&1 == 1
}

// block parses the block at p, which must not be empty.
func (r *Reader) block(p place) (block, error) {
	data, ok := r.data.span(p.start, p.end-p.start)
	if !ok || len(data) < 4 {
		return block{}, r.corrupt("block", p.start, "too short")
	}
	if !r.isChecked(p.bucket) {
		if !whole(data) {
			return block{}, r.corrupt("block", p.start, "checksum mismatch")
		}
		r.checked[p.bucket>>6].Or(1 << (p.bucket & 63))
	}
	b, ok := parseBlock(data[:len(data)-4], r.geo.lowBits())
	if !ok {
		return block{}, r.corrupt("block", p.start, "inconsistent lengths")
	}
	return b, nil
}

// All calls fn with each list of the segment, in ascending order. The postings
// are valid until fn returns.
func (r *Reader) All(ctx context.Context, fn func(fp, count uint64, postings []uint64) error) error {
	return disk.Guard(func() error { return r.all(ctx, fn) })
}

func (r *Reader) all(ctx context.Context, fn func(fp, count uint64, postings []uint64) error) error {
	c, err := r.cursor(ctx)
	if err != nil {
		return err
	}
	for c.next() {
		if err := fn(r.geo.fp(c.key), c.count, c.postings); err != nil {
			return err
		}
	}
	return c.err
}

// Verify reads everything. It checks every CRC and every list, that each key passes its filter, and that the counts in
// the header are right.
func (r *Reader) Verify(ctx context.Context) error {
	return disk.Guard(func() error { return r.verify(ctx) })
}

func (r *Reader) verify(ctx context.Context) error {
	c, err := r.cursor(ctx)
	if err != nil {
		return err
	}
	c.recheck = true
	var keys, postings, counts uint64
	for c.next() {
		s := &r.shards[c.place.bucket/r.geo.perShard()]
		if !r.passes(s, c.key) {
			return r.corrupt("filter", s.end, "a key does not pass")
		}
		keys++
		postings += uint64(len(c.postings))
		counts += c.count
	}
	if c.err != nil {
		return c.err
	}
	if keys != r.info.Keys || postings != r.info.Postings || counts != r.info.Count {
		return r.corrupt("header", 0, "it counts other lists than there are")
	}
	return nil
}
