package segment

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"
	"os"
	"sync/atomic"

	"github.com/FastFilter/xorfilter"
)

// A Reader reads one segment, mapped into memory where the system can. It is
// safe for concurrent use, but Close must come after all else. A file must not
// be truncated or rewritten while it is open; segments never are.
type Reader struct {
	path   string
	data   view
	info   Info
	geo    geometry
	shards []shard
	seen   []atomic.Uint64 // one bit for each block whose CRC was right
}

type shard struct {
	start   uint64 // of the blocks
	end     uint64 // of the blocks: the filter follows
	size    uint64 // of the filter
	starts  view   // of each block, u32 from start on, and the last one's end
	crc     uint32
	checked atomic.Bool
	filter  xorfilter.BinaryFuse8
}

// Open opens a segment. It reads the header and the directory and checks their
// CRCs; filters and blocks are checked when first touched. Errors wrap
// *[CorruptError] or *[VersionError] where the file is to blame.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	data, err := mapFile(f, stat.Size())
	if err != nil {
		return nil, fmt.Errorf("open segment %q: %w", path, err)
	}
	r := &Reader{path: path, data: data}
	if err := r.load(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Info describes the segment.
func (r *Reader) Info() Info { return r.info }

// Close unmaps the file.
func (r *Reader) Close() error {
	data := r.data
	r.data, r.shards = nil, nil
	if err := unmapFile(data); err != nil {
		return fmt.Errorf("close segment %q: %w", r.path, err)
	}
	return nil
}

func (r *Reader) corrupt(section string, off uint64, reason string) error {
	return &CorruptError{Path: r.path, Section: section, Offset: int64(off), Reason: reason}
}

func (r *Reader) load() error {
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
	r.info = Info{Version: Version, KeyBits: int(h[12]), BucketBits: int(h[13]),
		MaxPostings: int(le.Uint16(h[14:])), Keys: le.Uint64(h[16:]), Postings: le.Uint64(h[24:]),
		Count: le.Uint64(h[32:]), Size: int64(len(r.data)), Scheme: string(h[61 : 61+int(h[60])])}
	r.geo = geometry{r.info.KeyBits, r.info.BucketBits}
	if g := r.geo; g.keyBits > 57 || g.bucketBits > maxBucketBits || g.keyBits < g.bucketBits+highBits || r.info.MaxPostings == 0 {
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
	if crc32.Checksum(d, castagnoli) != crc {
		return r.corrupt("directory", off, "checksum mismatch")
	}
	r.shards = make([]shard, r.geo.shards())
	r.seen = make([]atomic.Uint64, (r.geo.buckets()+63)/64)
	starts := d[len(r.shards)*shardEntrySize:]
	width := int(4 * (r.geo.perShard() + 1))
	for i := range r.shards {
		if !r.loadShard(i, d[i*shardEntrySize:], starts[i*width:(i+1)*width]) {
			return r.corrupt("directory", off, fmt.Sprintf("shard %d lies outside", i))
		}
	}
	return nil
}

// loadShard accepts only a filter whose lookups stay inside its bytes: three
// positions below (segment count + 2) * segment length, a power of two.
func (r *Reader) loadShard(i int, entry, starts view) bool {
	le := binary.LittleEndian
	s := &r.shards[i]
	s.start, s.end, s.starts, s.crc = le.Uint64(entry), le.Uint64(entry[8:]), starts, le.Uint32(entry[32:])
	length, count := le.Uint32(entry[24:]), le.Uint32(entry[28:])
	if length != 0 {
		s.size = uint64(length) * (uint64(count) + 2)
	}
	fingerprints, ok := r.data.span(s.end, s.size)
	if !ok || s.start > s.end || length&(length-1) != 0 || s.size > 1<<32-1 || length != 0 && count == 0 {
		return false
	}
	s.filter = xorfilter.BinaryFuse8{Seed: le.Uint64(entry[16:]), SegmentLength: length,
		SegmentLengthMask: length - 1, SegmentCount: count, SegmentCountLength: length * count,
		Fingerprints: fingerprints}
	return true
}

// checkFilter checks a filter's CRC the first time.
func (r *Reader) checkFilter(s *shard) error {
	if s.checked.Load() {
		return nil
	}
	willNeed(r.data, s.end, s.size)
	if crc32.Checksum(s.filter.Fingerprints, castagnoli) != s.crc {
		return r.corrupt("filter", s.end, "checksum mismatch")
	}
	s.checked.Store(true)
	return nil
}

// A place is where a block lies in the file.
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

// block parses the block at p, which is not empty.
func (r *Reader) block(p place) (block, error) {
	data, ok := r.data.span(p.start, p.end-p.start)
	if !ok || len(data) < 4 {
		return block{}, r.corrupt("block", p.start, "too short")
	}
	body, crc := data[:len(data)-4], data[len(data)-4:]
	word, bit := &r.seen[p.bucket>>6], uint64(1)<<(p.bucket&63)
	if word.Load()&bit == 0 {
		if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(crc) {
			return block{}, r.corrupt("block", p.start, "checksum mismatch")
		}
		word.Or(bit)
	}
	b, ok := parseBlock(body, r.geo.lowBits())
	if !ok {
		return block{}, r.corrupt("block", p.start, "inconsistent lengths")
	}
	return b, nil
}

// batch is how many fingerprints pass the filter before the first block is
// read: enough for the processor to overlap their cache misses.
const batch = 256

// A candidate is a fingerprint of a batch that passed the filter.
type candidate struct {
	i     int // in the batch
	key   uint64
	place place
}

// Lookup calls fn, in order, for each fingerprint of fps that is present, with
// its index in fps, its true count and its stored postings. The postings are
// valid until fn returns. fps must ascend without duplicates. Lookup stops at
// the first error, its own or that of fn or ctx.
func (r *Reader) Lookup(ctx context.Context, fps []uint64, fn func(i int, count uint64, postings []uint64) error) error {
	if r.data == nil {
		return fmt.Errorf("look up in segment %q: %w", r.path, os.ErrClosed)
	}
	var room [batch]candidate
	postings := make([]uint64, 0, r.info.MaxPostings)
	for base := 0; base < len(fps); base += batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := fps[base:min(base+batch, len(fps))]
		if base > 0 && fps[base-1] >= part[0] || !ascend(part) {
			return fmt.Errorf("look up in segment %q: fingerprints do not ascend", r.path)
		}
		found, err := r.filter(&room, part)
		if err != nil {
			return err
		}
		if err := r.locate(found); err != nil {
			return err
		}
		for _, c := range found {
			count, list, err := r.get(c, postings)
			if err != nil {
				return err
			}
			if count == 0 {
				continue
			}
			if err := fn(base+c.i, count, list); err != nil {
				return err
			}
		}
	}
	return nil
}

func ascend(fps []uint64) bool {
	for i := 1; i < len(fps); i++ {
		if fps[i-1] >= fps[i] {
			return false
		}
	}
	return true
}

func (r *Reader) filter(room *[batch]candidate, fps []uint64) ([]candidate, error) {
	n := 0
	at := ^uint64(0)
	var s *shard
	shift := r.geo.restBits() + uint(bits.TrailingZeros64(r.geo.perShard()))
	for i, fp := range fps {
		key := r.geo.key(fp)
		if key>>shift != at {
			at = key >> shift
			s = &r.shards[at]
			if err := r.checkFilter(s); err != nil {
				return nil, err
			}
		}
		if s.size > 0 && s.filter.Contains(key) {
			room[n] = candidate{i: i, key: key}
			n++
		}
	}
	return room[:n], nil
}

// locate finds the blocks of candidates and asks for those that were never
// read before, which may have to come from disk.
func (r *Reader) locate(found []candidate) error {
	for i := range found {
		c := &found[i]
		var err error
		if c.place, err = r.place(r.geo.bucket(c.key)); err != nil {
			return err
		}
	}
	return nil
}

// get returns count 0 for what is not there.
func (r *Reader) get(c candidate, dst []uint64) (count uint64, postings []uint64, err error) {
	if c.place.start == c.place.end {
		return 0, nil, nil
	}
	b, err := r.block(c.place)
	if err != nil {
		return 0, nil, err
	}
	i, found, ok := b.find(c.key & (1<<r.geo.restBits() - 1))
	if ok && !found {
		return 0, nil, nil
	}
	if ok {
		count, postings, ok = b.postingsOf(dst, i, uint64(r.info.MaxPostings))
	}
	if !ok {
		return 0, nil, r.corrupt("block", c.place.start, "a list lies outside")
	}
	return count, postings, nil
}

// All calls fn with each list of the segment, in ascending order. The postings
// are valid until fn returns.
func (r *Reader) All(ctx context.Context, fn func(fp, count uint64, postings []uint64) error) error {
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

// Verify reads everything: every CRC, every list, that each key passes its
// filter, and that the header counts right.
func (r *Reader) Verify(ctx context.Context) error {
	c, err := r.cursor(ctx)
	if err != nil {
		return err
	}
	c.recheck = true
	var keys, postings, counts uint64
	for c.next() {
		s := &r.shards[c.place.bucket/r.geo.perShard()]
		if s.size == 0 || !s.filter.Contains(c.key) {
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

// A cursor walks all lists of a segment.
type cursor struct {
	ctx     context.Context
	r       *Reader
	recheck bool // CRCs, also of what was seen before
	err     error

	bucket uint64 // the next one
	place  place
	block  block
	i      uint64 // the next key of the block
	at     uint64 // its search position in highs

	key, count uint64
	postings   []uint64
}

func (r *Reader) cursor(ctx context.Context) (*cursor, error) {
	if r.data == nil {
		return nil, fmt.Errorf("read segment %q: %w", r.path, os.ErrClosed)
	}
	return &cursor{ctx: ctx, r: r}, nil
}

// next moves to the next list. At the end, and on error, it returns false.
func (c *cursor) next() bool {
	for c.err == nil && c.i == c.block.n {
		if c.bucket == c.r.geo.buckets() {
			return false
		}
		c.err = c.nextBlock()
	}
	if c.err == nil {
		c.err = c.read()
	}
	return c.err == nil
}

func (c *cursor) nextBlock() error {
	if c.bucket%c.r.geo.perShard() == 0 {
		if err := c.nextShard(); err != nil {
			return err
		}
	}
	p, err := c.r.place(c.bucket)
	if err != nil {
		return err
	}
	c.place, c.block, c.i, c.at = p, block{}, 0, 0
	if p.start < p.end {
		if c.recheck {
			c.r.seen[p.bucket>>6].And(^(uint64(1) << (p.bucket & 63)))
		}
		c.block, err = c.r.block(p)
	}
	c.bucket++
	return err
}

func (c *cursor) nextShard() error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	s := &c.r.shards[c.bucket/c.r.geo.perShard()]
	willNeed(c.r.data, s.start, s.end-s.start)
	if c.recheck {
		s.checked.Store(false)
		return c.r.checkFilter(s)
	}
	return nil
}

// read decodes the list at i.
func (c *cursor) read() error {
	b := &c.block
	for {
		if c.at >= b.n+1<<highBits {
			return c.r.corrupt("block", c.place.start, "it has fewer keys than it says")
		}
		bit, _ := b.data.bits(b.highs+c.at, 1)
		c.at++
		if bit == 1 {
			break
		}
	}
	high := c.at - 1 - c.i
	low, ok := b.data.bits(b.lows+c.i*b.lowBits, b.lowBits)
	key := c.place.bucket<<c.r.geo.restBits() | high<<b.lowBits | low
	if c.i > 0 && key <= c.key || high >= 1<<highBits {
		return c.r.corrupt("block", c.place.start, "keys do not ascend")
	}
	if ok {
		c.count, c.postings, ok = b.postingsOf(c.postings[:0], c.i, uint64(c.r.info.MaxPostings))
	}
	if !ok {
		return c.r.corrupt("block", c.place.start, "a list lies outside")
	}
	c.key = key
	c.i++
	return nil
}
