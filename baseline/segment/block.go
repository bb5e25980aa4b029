package segment

import (
	"encoding/binary"
	"math/bits"
)

// A bitWriter appends bits to buf, lowest first.
type bitWriter struct {
	buf []byte
	acc uint64
	n   uint
}

// put appends the low width bits of v, whose other bits must be 0; width <= 57.
func (w *bitWriter) put(v uint64, width uint) {
	w.acc |= v << w.n
	w.n += width
	for w.n >= 8 {
		w.buf = append(w.buf, byte(w.acc))
		w.acc >>= 8
		w.n -= 8
	}
}

func (w *bitWriter) zeros(n uint64) {
	for ; n > 32; n -= 32 {
		w.put(0, 32)
	}
	w.put(0, uint(n))
}

// align fills the last byte with zeros.
func (w *bitWriter) align() {
	if w.n > 0 {
		w.put(0, 8-w.n)
	}
}

// A view is a range of bytes of a file that is not trusted. All reads go through its methods, which return false
// outside the range.
type view []byte

func (v view) span(off, n uint64) (view, bool) {
	if off > uint64(len(v)) || n > uint64(len(v))-off {
		return nil, false
	}
	return v[off : off+n : off+n], true
}

// bits reads width <= 57 bits starting at bit pos.
func (v view) bits(pos, width uint64) (uint64, bool) {
	if i := pos >> 3; i+8 <= uint64(len(v)) {
		return binary.LittleEndian.Uint64(v[i:]) >> (pos & 7) & (1<<(width&63) - 1), true
	}
	return v.lastBits(pos, width)
}

func (v view) lastBits(pos, width uint64) (uint64, bool) {
	if pos+width > uint64(len(v))*8 {
		return 0, false
	}
	var x uint64
	for i, b := range v[pos>>3:] {
		x |= uint64(b) << (8 * i)
	}
	return x >> (pos & 7) & (1<<width - 1), true
}

// uvarint reads a number at a byte offset and returns the offset of the next one.
func (v view) uvarint(off uint64) (x, next uint64, ok bool) {
	if off >= uint64(len(v)) {
		return 0, 0, false
	}
	if b := v[off]; b < 0x80 {
		return uint64(b), off + 1, true
	}
	x, n := binary.Uvarint(v[off:])
	return x, off + uint64(n), n > 0
}

// A bucket collects the lists of one block. All their postings are in one slice, so a list needs no allocation of its
// own.
type bucket struct {
	rests    []uint64
	counts   []uint64
	ends     []int
	postings []uint64
}

func (b *bucket) reset() {
	b.rests, b.counts, b.ends, b.postings = b.rests[:0], b.counts[:0], b.ends[:0], b.postings[:0]
}

func (b *bucket) add(rest, count uint64, postings []uint64) {
	b.rests = append(b.rests, rest)
	b.counts = append(b.counts, count)
	b.postings = append(b.postings, postings...)
	b.ends = append(b.ends, len(b.postings))
}

func (b *bucket) list(i int) []uint64 {
	start := 0
	if i > 0 {
		start = b.ends[i-1]
	}
	return b.postings[start:b.ends[i]]
}

// A blockEncoder turns buckets into blocks.
type blockEncoder struct {
	body, lists bitWriter
	slots       []uint64 // 2*posting, or 2*offset+1
}

// encode appends the block of b, without its CRC, to dst.
func (e *blockEncoder) encode(dst []byte, b *bucket, lowBits uint) []byte {
	postingBits := widest(b.postings)
	slotBits := e.encodeLists(b, postingBits)
	dst = binary.AppendUvarint(dst, uint64(len(b.rests)))
	dst = append(dst, byte(postingBits), byte(slotBits))
	w := &e.body
	*w = bitWriter{buf: dst}
	var at uint64
	for i, rest := range b.rests {
		bit := uint64(i) + rest>>lowBits
		w.zeros(bit - at)
		w.put(1, 1)
		at = bit + 1
	}
	w.zeros(uint64(len(b.rests)) + 1<<highBits - at)
	for i, rest := range b.rests {
		w.put(rest&(1<<lowBits-1), lowBits)
		w.put(e.slots[i], 1+slotBits)
	}
	w.align()
	return append(w.buf, e.lists.buf...)
}

// encodeLists fills slots and lists and returns the width a slot needs.
func (e *blockEncoder) encodeLists(b *bucket, postingBits uint) uint {
	e.slots = e.slots[:0]
	e.lists.buf = e.lists.buf[:0]
	slotBits := postingBits
	for i, count := range b.counts {
		list := b.list(i)
		if count == 1 {
			e.slots = append(e.slots, list[0]<<1)
			continue
		}
		offset := uint64(len(e.lists.buf))
		slotBits = max(slotBits, uint(bits.Len64(offset)))
		e.slots = append(e.slots, offset<<1|1)
		e.encodeList(list, count, postingBits)
	}
	return slotBits
}

func (e *blockEncoder) encodeList(list []uint64, count uint64, postingBits uint) {
	w := &e.lists
	stored := uint64(len(list))
	if more := count - stored; more > 0 {
		w.buf = binary.AppendUvarint(w.buf, stored<<1|1)
		w.buf = binary.AppendUvarint(w.buf, more)
	} else {
		w.buf = binary.AppendUvarint(w.buf, stored<<1)
	}
	var deltas uint64
	for i, p := range list[1:] {
		deltas |= p - list[i] - 1
	}
	deltaBits := uint(bits.Len64(deltas))
	w.buf = append(w.buf, byte(deltaBits))
	w.put(list[0], postingBits)
	for i, p := range list[1:] {
		w.put(p-list[i]-1, deltaBits)
	}
	w.align()
}

func widest(values []uint64) uint {
	var all uint64
	for _, v := range values {
		all |= v
	}
	return uint(bits.Len64(all))
}

// A block reads the encoding of one bucket. Positions are in bits.
type block struct {
	data        view // without the CRC
	n           uint64
	highs       uint64
	entries     uint64
	lists       uint64 // in bytes
	entryBits   uint64
	lowBits     uint64
	postingBits uint64
	slotBits    uint64
}

// parseBlock reads the first bytes of a block. A block that it accepts has room for all highs and entries, so n is at
// most eight times its length in bytes.
func parseBlock(data view, lowBits uint) (b block, ok bool) {
	n, at, ok := data.uvarint(0)
	if !ok || n == 0 || n > uint64(len(data))*8 || at+2 > uint64(len(data)) {
		return b, false
	}
	b = block{data: data, n: n, lowBits: uint64(lowBits),
		postingBits: uint64(data[at]), slotBits: uint64(data[at+1])}
	if b.postingBits > b.slotBits || b.slotBits > 56 {
		return b, false
	}
	b.highs = (at + 2) * 8
	b.entries = b.highs + n + 1<<highBits
	b.entryBits = b.lowBits + 1 + b.slotBits
	b.lists = (b.entries + n*b.entryBits + 7) / 8
	return b, b.lists <= uint64(len(data))
}

// find returns the index of a key's rest.
func (b *block) find(rest uint64) (i uint64, found, ok bool) {
	high, low := rest>>b.lowBits, rest&(1<<b.lowBits-1)
	at, ok := b.skipZeros(high)
	if !ok {
		return 0, false, false
	}
	for i = at - high; ; i++ {
		bit, ok := b.data.bits(b.highs+i+high, 1)
		if bit == 0 {
			return 0, false, ok
		}
		if i >= b.n {
			return 0, false, false
		}
		v, ok := b.data.bits(b.entries+i*b.entryBits, b.lowBits)
		if v >= low || !ok {
			return i, v == low, ok
		}
	}
}

// skipZeros returns the position in highs after the first n zeros.
func (b *block) skipZeros(n uint64) (uint64, bool) {
	const step = 56 // keeps every read inside the fast path of bits
	if n == 0 {
		return 0, true
	}
	for at := uint64(0); at < b.n+1<<highBits; at += step {
		width := min(step, b.n+1<<highBits-at)
		word, ok := b.data.bits(b.highs+at, width)
		if !ok {
			return 0, false
		}
		word = ^word & (1<<width - 1)
		zeros := uint64(bits.OnesCount64(word))
		if zeros >= n {
			return at + selectBit(word, n-1) + 1, true
		}
		n -= zeros
	}
	return 0, false
}

// selectBit returns the position of the one bit of x that has n ones below it.
func selectBit(x, n uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	s := x - x>>1&0x5555555555555555
	s = s&0x3333333333333333 + s>>2&0x3333333333333333
	s = (s + s>>4) & 0x0F0F0F0F0F0F0F0F * ones // ones up to and including each byte
	before := (n*ones | tops) - s              // top bit set if that number is <= n
	at := uint64(bits.OnesCount64(before&tops)) * 8
	n -= s << 8 >> at & 0xFF
	x >>= at
	for ; n > 0; n-- {
		x &= x - 1
	}
	return at + uint64(bits.TrailingZeros64(x))
}

// postingsOf appends the stored postings of key i to dst.
func (b *block) postingsOf(dst []uint64, i uint64, maxPostings uint64) (count uint64, postings []uint64, ok bool) {
	slot, ok := b.data.bits(b.entries+i*b.entryBits+b.lowBits, 1+b.slotBits)
	if !ok {
		return 0, dst, false
	}
	if slot&1 == 0 {
		return 1, append(dst, slot>>1), slot>>1 <= MaxPosting
	}
	return b.list(dst, slot>>1, maxPostings)
}

func (b *block) list(dst []uint64, offset, maxPostings uint64) (count uint64, postings []uint64, ok bool) {
	head, at, ok := b.data.uvarint(b.lists + offset)
	if !ok {
		return 0, dst, false
	}
	stored, more := head>>1, uint64(0)
	if head&1 == 1 {
		if more, at, ok = b.data.uvarint(at); !ok {
			return 0, dst, false
		}
	}
	if stored == 0 || stored > maxPostings || more > MaxCount-stored || at >= uint64(len(b.data)) {
		return 0, dst, false
	}
	deltaBits := uint64(b.data[at])
	if deltaBits > 56 {
		return 0, dst, false
	}
	postings, ok = b.unpack(dst, (at+1)*8, stored, deltaBits)
	return stored + more, postings, ok
}

func (b *block) unpack(dst []uint64, pos, stored, deltaBits uint64) ([]uint64, bool) {
	p, ok := b.data.bits(pos, b.postingBits)
	if !ok {
		return dst, false
	}
	dst = append(dst, p)
	pos += b.postingBits
	for range stored - 1 {
		delta, ok := b.data.bits(pos, deltaBits)
		p += delta + 1
		if !ok || p > MaxPosting {
			return dst, false
		}
		dst = append(dst, p)
		pos += deltaBits
	}
	return dst, true
}
