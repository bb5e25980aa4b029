// Package segment is the bottom of the baseline: an immutable, memory-mapped file that maps fingerprints to postings.
// [Writer] takes sorted lists of postings. [Reader.Lookup] takes a sorted batch of fingerprints and returns the lists
// of those that are present. The package knows hashes and numbers only; the caller knows what a posting means.
//
//	writer.go      lists → file, by block.go and filter.go; postings.go sorts what goes in
//	reader.go      file → Reader; lookup.go: a batch of fingerprints → lists; fetch.go: the same, of a file that is fetched in parts
//	merge.go       several segments → one; cursor.go goes through one
//	segment.go     Options, Info, the geometry of keys
//	map_unix.go, map_other.go  hints to the system
//
// # Format
//
// All numbers are little-endian; CRCs are CRC-32C. Within bit-packed fields the first bit is the lowest bit of the
// first byte. A key is the top KeyBits bits of a fingerprint. A bucket is the top BucketBits bits of a key.
//
//	file      header, shard ..., directory
//	header    4096 bytes:
//	             0  magic "GPSEG\r\n\x00"
//	             8  u32 version
//	            12  u8 key bits, u8 bucket bits, u16 most postings of a list
//	            16  u64 keys, u64 stored postings, u64 sum of the true counts
//	            40  u64 offset of the directory, u64 length of the file
//	            56  u32 CRC of the directory
//	            60  u8 length of the scheme id, the scheme id, zeros
//	          4092  u32 CRC of all before
//	shard     one of each 2^8 consecutive buckets (all of them, if fewer):
//	          block of each bucket that has keys, in order; filter
//	block     uvarint keys n, u8 posting bits p, u8 slot bits s,
//	          then bit-packed, with rest = key bits - bucket bits:
//	             n+64 bits  highs: the top 6 bits of each key's rest in unary;
//	                        key i with top bits h sets bit i+h
//	             n entries: rest-6 bits the other bits of a key's rest, then
//	                        0 and s bits the only posting, or
//	                        1 and s bits the list's byte offset in lists
//	          zeros up to a whole byte, lists, u32 CRC of all before
//	list      uvarint 2*stored + more, if more: uvarint count-stored;
//	          u8 delta bits d; bit-packed: p bits first posting, then stored-1
//	          times d bits: distance to the one before, less 1; zeros up to a
//	          whole byte
//	filter    binary fuse filter, 8 bits wide, 3-wise, over the shard's keys:
//	          h = MurmurHash3's finaliser of key+seed (modulo 2^64); the bytes
//	          at a, (a+l) ^ (h>>18 & l-1) and (a+2l) ^ (h & l-1) with
//	          a = h*l*c >> 64 xor to the low byte of h ^ h>>32, for segment
//	          length l (a power of two) and count c; (c+2)*l bytes
//	directory of each shard 40 bytes:
//	             0  u64 offset of its first block
//	             8  u64 offset of its filter: where its blocks end
//	            16  u64 filter seed
//	            24  u32 filter segment length, u32 filter segment count
//	            32  u32 CRC of the filter, u32 zero
//	          of each shard 2^8+1 (or 2^BucketBits+1) u32: where each block
//	          starts, from the first one's offset, and where the last one ends
//
// An example: bucket bits 0, so there is one bucket in one shard, and two fingerprints: 0x0000000000100000 (key 1) with
// the single posting 5, and 0xFFFFFFFFFFF00000 (key 2^44-1) with count 9 and the postings 3, 4 and 7. Its block, at
// offset 4096, before its CRC:
//
//	02 03 03                     n = 2, p = 3 (7 is the largest posting), s = 3
//	01 00 00 00 00 00 00 00 05   highs: bits 0+0 and 1+63 of 66; then the first
//	00 00 00 00 .A               entry: 38 bits 1, 0, 3 bits 5
//	            F. FF FF FF FF   second entry: 38 bits 2^38-1,
//	07                           1, 3 bits 0; two zeros
//	07 06 02 43                  list: 3 stored and more, 6 more, d = 2;
//	                             3, then 4-3-1 = 0, then 7-4-1 = 2
//
// A test spells out the whole file byte by byte.
//
// # Reasons
//
// A block is one contiguous range with its own CRC. So the same bytes can be served from a file, an object store or a
// database column. The filter answers most look-ups of code that no package has. Each shard has its own filter. So a
// writer can stream, and a small query need not check the CRC of a large filter: 16 to 32 K keys take 20 to 40 KB.
//
// # Changelog of the format
//
//	1: first version
package segment

import (
	"fmt"
	"hash/crc32"
	"math/bits"
)

// Version is the format version that is written. No other version is read.
const Version = 1

// KeyBits is how many bits of a fingerprint are stored. At 10 M single postings of 27 bits, 48 bits cost 8.26 bytes a
// posting, all included, and 44 bits 7.76. With 44 bits, a fingerprint that is absent is mistaken for one of 90 M
// present ones once in 195,000 look-ups. That is harmless: every hit is verified on tokens.
const KeyBits = 44

// Limits of stored values.
const (
	MaxPosting = 1<<56 - 1 // so that a slot is one unaligned 64-bit load
	MaxCount   = 1<<48 - 1 // higher true counts are cut to this
	MaxScheme  = 255       // in bytes

	// DefaultMaxPostings is how many postings of one fingerprint are stored by default. A fingerprint that occurs more
	// often belongs to common code.
	DefaultMaxPostings = 64
	// maxMaxPostings bounds that option. In a hostile file many keys can share a list; the bound keeps its reading time
	// linear.
	maxMaxPostings = 1024
)

const (
	magic          = "GPSEG\r\n\x00" // a transfer that rewrites line ends breaks it
	headerSize     = 4096            // one page, so that blocks start on a page
	highBits       = 6               // 64 unary steps for about 64 keys: Elias-Fano's optimum
	shardBits      = 8               // 16 to 32 K keys; 2^14 would save 0.1 bytes a key
	maxBucketBits  = 26              // 4 to 8 G keys
	bucketKeys     = 64              // least mean number of keys of a bucket: a block of about half a KB
	shardEntrySize = 40
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Options set the parameters of a new segment.
type Options struct {
	// Scheme names how fingerprints were made, in at most [MaxScheme] bytes.
	// Readers compare it with their own, by [Reader.Info].
	Scheme string
	// Keys is the expected number of fingerprints distinct in their top KeyBits bits. It chooses the number of buckets.
	// A wrong number only makes the file larger or slower.
	Keys uint64
	// MaxPostings is the most postings stored of one fingerprint; 0 means
	// DefaultMaxPostings.
	MaxPostings int
}

// Info describes a segment, from its header.
type Info struct {
	Version     int
	Scheme      string
	KeyBits     int
	BucketBits  int
	MaxPostings int
	Keys        uint64 // distinct fingerprints
	Postings    uint64 // stored
	Count       uint64 // sum of the true counts
	Size        int64  // bytes of the file
}

// bucketBitsFor returns the bits that give each bucket 64 to 128 of the expected keys.
func bucketBitsFor(keys uint64) int {
	return min(max(bits.Len64(keys/bucketKeys)-1, 0), maxBucketBits)
}

// geometry maps keys to buckets and shards.
type geometry struct {
	keyBits, bucketBits int
}

func (g geometry) restBits() uint         { return uint(g.keyBits - g.bucketBits) }
func (g geometry) lowBits() uint          { return g.restBits() - highBits }
func (g geometry) key(fp uint64) uint64   { return fp >> (64 - uint(g.keyBits)) }
func (g geometry) fp(key uint64) uint64   { return key << (64 - uint(g.keyBits)) }
func (g geometry) bucket(k uint64) uint64 { return k >> g.restBits() }
func (g geometry) shard(k uint64) uint64  { return g.bucket(k) >> min(uint(g.bucketBits), shardBits) }
func (g geometry) buckets() uint64        { return 1 << uint(g.bucketBits) }
func (g geometry) perShard() uint64       { return 1 << uint(min(g.bucketBits, shardBits)) }
func (g geometry) shards() uint64         { return g.buckets() / g.perShard() }

func (g geometry) directorySize() uint64 {
	return g.shards() * (shardEntrySize + 4*(g.perShard()+1))
}

// A CorruptError reports that a file is damaged.
type CorruptError struct {
	Path    string
	Section string // "header", "directory", "block" or "filter"
	Offset  int64  // of the section in the file
	Reason  string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("segment %q: corrupt %s at offset %d: %s", e.Path, e.Section, e.Offset, e.Reason)
}

// A VersionError reports that a file is not a segment, or a segment of another version.
type VersionError struct {
	Path    string
	Foreign bool   // not a segment at all
	Found   uint32 // the file's version, if it is a segment
}

func (e *VersionError) Error() string {
	if e.Foreign {
		return fmt.Sprintf("open segment %q: not a segment file", e.Path)
	}
	return fmt.Sprintf("open segment %q: format version %d, want %d", e.Path, e.Found, Version)
}
