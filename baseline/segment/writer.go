package segment

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/FastFilter/xorfilter"
	"github.com/git-provenance/git-provenance/baseline/disk"
)

// A Writer makes a segment from lists in ascending order of fingerprint. It writes to a temporary file beside the
// segment, "<path>.<random>.tmp". That file takes the segment's name once it is complete and durable. The first error
// sticks: later calls do nothing, and Close returns it. A Writer keeps one shard in memory, about 2 MB, and 4 bytes for
// each bucket. Not safe for concurrent use.
type Writer struct {
	path   string
	file   *disk.File
	out    *bufio.Writer
	info   Info
	geo    geometry
	off    uint64 // bytes written so far
	err    error
	closed bool

	last    uint64 // key of the newest list
	current uint64 // bucket that is being filled
	bucket  bucket
	encoder blockEncoder
	block   []byte
	merged  []uint64

	shard   uint64   // offset of the current shard
	starts  []uint32 // offsets of its blocks
	keys    []uint64 // its keys, for the filter
	fuse    xorfilter.BinaryFuseBuilder
	entries []byte // directory entries of finished shards
	offsets []byte // offsets of the blocks of finished shards
}

// Create starts a segment. If it fails, no file is left. After success either Close or Abort must be called. Abort
// after Close does nothing.
func Create(path string, o Options) (*Writer, error) {
	w, err := create(path, o, KeyBits)
	if err != nil {
		return nil, fmt.Errorf("create segment %q: %w", path, err)
	}
	return w, nil
}

func create(path string, o Options, keyBits int) (*Writer, error) {
	if o.MaxPostings == 0 {
		o.MaxPostings = DefaultMaxPostings
	}
	if o.MaxPostings < 0 || o.MaxPostings > maxMaxPostings {
		return nil, fmt.Errorf("most postings %d are not in 1..%d", o.MaxPostings, maxMaxPostings)
	}
	if len(o.Scheme) > MaxScheme {
		return nil, fmt.Errorf("scheme id has %d bytes, more than %d", len(o.Scheme), MaxScheme)
	}
	file, err := createTemp(path)
	if err != nil {
		return nil, err
	}
	w := &Writer{path: path, file: file, out: bufio.NewWriterSize(file, 1<<20)}
	w.info = Info{Version: Version, Scheme: o.Scheme, KeyBits: keyBits,
		BucketBits: bucketBitsFor(o.Keys), MaxPostings: o.MaxPostings}
	w.geo = geometry{keyBits, w.info.BucketBits}
	w.write(make([]byte, headerSize)) // the header has no magic until everything is written
	w.shard = w.off
	return w, nil
}

// createTemp honours the umask, which os.CreateTemp does not.
func createTemp(path string) (*disk.File, error) {
	for range 100 {
		name := path + "." + strconv.FormatUint(rand.Uint64(), 36) + ".tmp"
		f, err := disk.Create(name, os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
	return nil, errors.New("no free name for a temporary file")
}

// Add appends the list of a fingerprint and stores its first MaxPostings postings. Fingerprints must ascend from call
// to call. Postings must ascend; there must be at least one, and none above [MaxPosting]. The true count must be at
// least their number. If two fingerprints share a key, their lists are joined.
func (w *Writer) Add(fp, count uint64, postings []uint64) {
	if w.err != nil {
		return
	}
	key := w.geo.key(fp)
	if w.err = w.check(key, count, postings); w.err != nil {
		w.err = fmt.Errorf("add fingerprint %016x: %w", fp, w.err)
		return
	}
	count = min(count, MaxCount)
	if w.info.Keys > 0 && key == w.last {
		w.join(count, postings)
		return
	}
	for b := w.geo.bucket(key); w.current < b; {
		w.endBucket()
	}
	w.last = key
	w.info.Keys++
	w.keys = append(w.keys, key)
	w.bucket.add(key&(1<<w.geo.restBits()-1), count, w.cut(postings))
}

func (w *Writer) check(key, count uint64, postings []uint64) error {
	switch {
	case w.info.Keys > 0 && key < w.last:
		return errors.New("fingerprints do not ascend")
	case len(postings) == 0:
		return errors.New("no postings")
	case count < uint64(len(postings)):
		return fmt.Errorf("count %d is less than its %d postings", count, len(postings))
	case postings[len(postings)-1] > MaxPosting:
		return fmt.Errorf("posting %d is above %d", postings[len(postings)-1], uint64(MaxPosting))
	}
	for i, p := range postings[1:] {
		if p <= postings[i] {
			return errors.New("postings do not ascend")
		}
	}
	return nil
}

func (w *Writer) cut(postings []uint64) []uint64 {
	return postings[:min(len(postings), w.info.MaxPostings)]
}

// join adds postings to the newest list, which is still in its bucket.
func (w *Writer) join(count uint64, postings []uint64) {
	b := &w.bucket
	i := len(b.rests) - 1
	old := b.list(i)
	w.merged = append(append(w.merged[:0], old...), postings...)
	slices.Sort(w.merged)
	all := len(w.merged)
	w.merged = slices.Compact(w.merged)
	total := b.counts[i] + count - uint64(all-len(w.merged))
	b.rests = b.rests[:i]
	b.counts = b.counts[:i]
	b.ends = b.ends[:i]
	rest := w.last & (1<<w.geo.restBits() - 1)
	b.postings = b.postings[:len(b.postings)-len(old)]
	b.add(rest, min(total, MaxCount), w.cut(w.merged))
}

// endBucket writes the current bucket's block. If it is the last of its shard, it also ends the shard.
func (w *Writer) endBucket() {
	w.starts = append(w.starts, w.inShard())
	w.current++
	if b := &w.bucket; len(b.rests) > 0 {
		for _, c := range b.counts {
			w.info.Count += c
		}
		w.info.Postings += uint64(len(b.postings))
		w.block = w.encoder.encode(w.block[:0], b, w.geo.lowBits())
		w.block = binary.LittleEndian.AppendUint32(w.block, crc32.Checksum(w.block, castagnoli))
		w.write(w.block)
		b.reset()
	}
	if uint64(len(w.starts)) == w.geo.perShard() {
		w.endShard()
	}
}

func (w *Writer) inShard() uint32 {
	n := w.off - w.shard
	if n > math.MaxUint32 && w.err == nil {
		w.err = errors.New("a shard has more than 4 GiB: more keys than were expected")
	}
	return uint32(n)
}

// endShard writes the filter and keeps the directory entry until the end.
func (w *Writer) endShard() {
	w.starts = append(w.starts, w.inShard())
	var filter xorfilter.BinaryFuse[uint8]
	if len(w.keys) > 0 && w.err == nil {
		if filter, w.err = xorfilter.BuildBinaryFuse[uint8](&w.fuse, w.keys); w.err != nil {
			w.err = fmt.Errorf("build filter of %d keys: %w", len(w.keys), w.err)
		}
	}
	le := binary.LittleEndian
	w.entries = le.AppendUint64(w.entries, w.shard)
	w.entries = le.AppendUint64(w.entries, w.off)
	w.entries = le.AppendUint64(w.entries, filter.Seed)
	w.entries = le.AppendUint32(w.entries, filter.SegmentLength)
	w.entries = le.AppendUint32(w.entries, filter.SegmentCount)
	w.entries = le.AppendUint32(w.entries, crc32.Checksum(filter.Fingerprints, castagnoli))
	w.entries = le.AppendUint32(w.entries, 0)
	for _, start := range w.starts {
		w.offsets = le.AppendUint32(w.offsets, start)
	}
	w.write(filter.Fingerprints)
	w.shard = w.off
	w.starts, w.keys = w.starts[:0], w.keys[:0]
}

func (w *Writer) write(p []byte) {
	if w.err != nil {
		return
	}
	if _, err := w.out.Write(p); err != nil {
		w.err = err
	}
	w.off += uint64(len(p))
}

// Close completes the segment and gives it its name. On failure no file is left.
func (w *Writer) Close() error {
	if w.closed {
		return w.err
	}
	if err := w.finish(); err != nil {
		w.Abort()
		w.err = fmt.Errorf("write segment %q: %w", w.path, err)
	}
	w.closed = true
	return w.err
}

// Abort gives up and removes the temporary file.
func (w *Writer) Abort() {
	if w.closed {
		return
	}
	w.closed = true
	w.file.Close()
	disk.Remove(w.file.Name())
	if w.err == nil {
		w.err = fmt.Errorf("write segment %q: aborted", w.path)
	}
}

func (w *Writer) finish() error {
	for w.err == nil && w.current < w.geo.buckets() {
		w.endBucket()
	}
	directory := append(w.entries, w.offsets...)
	header := w.header(w.off, crc32.Checksum(directory, castagnoli))
	w.write(directory)
	if w.err != nil {
		return w.err
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	if _, err := w.file.WriteAt(header, 0); err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		return err
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	if err := disk.Rename(w.file.Name(), w.path); err != nil {
		return err
	}
	if err := disk.SyncDir(filepath.Dir(w.path)); err != nil {
		disk.Remove(w.path) // it might not survive a crash
		return err
	}
	return nil
}

func (w *Writer) header(directory uint64, crc uint32) []byte {
	le := binary.LittleEndian
	h := append(make([]byte, 0, headerSize), magic...)
	h = le.AppendUint32(h, Version)
	h = append(h, byte(w.info.KeyBits), byte(w.info.BucketBits))
	h = le.AppendUint16(h, uint16(w.info.MaxPostings))
	h = le.AppendUint64(h, w.info.Keys)
	h = le.AppendUint64(h, w.info.Postings)
	h = le.AppendUint64(h, w.info.Count)
	h = le.AppendUint64(h, directory)
	h = le.AppendUint64(h, directory+w.geo.directorySize())
	h = le.AppendUint32(h, crc)
	h = append(h, byte(len(w.info.Scheme)))
	h = append(h, w.info.Scheme...)
	h = append(h, make([]byte, headerSize-4-len(h))...)
	return le.AppendUint32(h, crc32.Checksum(h, castagnoli))
}
