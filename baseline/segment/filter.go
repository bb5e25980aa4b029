package segment

import "math/bits"

// A filter locates the bytes of a binary fuse filter of 8 bits (Graf and Lemire, "Binary fuse filters", 2022). A key
// has three bytes, in three neighbouring segments. If the key was put in, they xor to eight bits of its hash; otherwise
// they do so once in 256 times.
type filter struct {
	seed   uint64
	length uint64 // of a segment, a power of two
	count  uint64 // of segments that contain the first of three bytes
}

func (f filter) empty() bool { return f.length == 0 }

// size returns the filter's length in bytes. The other two segments may follow the last counted one.
func (f filter) size() uint64 {
	if f.empty() {
		return 0
	}
	return f.length * (f.count + 2)
}

// valid reports whether probe stays inside size.
func (f filter) valid() bool {
	return f.empty() || f.length&(f.length-1) == 0 && f.count > 0 && f.size() < 1<<32
}

// probe returns the positions of a key's three bytes and what they xor to.
func (f *filter) probe(key uint64) (at [3]uint64, want byte) {
	h := murmur(key + f.seed)
	at[0], _ = bits.Mul64(h, f.length*f.count)
	at[1] = (at[0] + f.length) ^ (h >> 18 & (f.length - 1))
	at[2] = (at[0] + 2*f.length) ^ (h & (f.length - 1))
	return at, byte(h ^ h>>32)
}

// murmur is the finaliser of MurmurHash3.
func murmur(h uint64) uint64 {
	h = (h ^ h>>33) * 0xFF51AFD7ED558CCD
	h = (h ^ h>>33) * 0xC4CEB9FE1A85EC53
	return h ^ h>>33
}

// passes reports whether a shard's filter lets a key through.
func (r *Reader) passes(s *shard, key uint64) bool {
	if s.filter.empty() {
		return false
	}
	at, want := s.filter.probe(key)
	for _, p := range at {
		b, ok := r.data.span(s.end+p, 1)
		if !ok {
			return false
		}
		want ^= b[0]
	}
	return want == 0
}
