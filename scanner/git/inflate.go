package git

import (
	"encoding/binary"
	"errors"
	"hash/adler32"
	"math/bits"
	"slices"
)

// inflater undoes zlib's deflation (RFC 1950 and 1951) from memory to memory, where the size of the result is known as
// it is for all objects of a pack. Against a streaming reader it saves the copies through a window and half the time.
// Tables are reused.
type inflater struct {
	literals, distances []uint32 // of the block at work
	ownLiterals         []uint32 // of blocks that bring tables
	ownDistances        []uint32
	fixedLiterals       []uint32 // of those that bring none, made at the first
	fixedDistances      []uint32
	lengths             [maxLiterals + maxDistances]uint8
}

const (
	maxLiterals  = 288
	maxDistances = 32
	literalBits  = 9 // of the first level of a table: the codes of frequent symbols fit
	distanceBits = 8
	maxCode      = 15
)

// An entry of a table says how many bits its code takes in all, in the lowest byte, what it means, in the flags of the
// next, how many extra bits follow, in the rest of that, and in the upper half the literal, the base of a length or
// distance, or where the second level of the table begins. Zero is no code.
const (
	entryLiteral = 0x8000
	entryEnd     = 0x4000
	entrySub     = 0x2000
)

var (
	errDeflated  = errors.New("malformed deflated data")
	errTruncated = errors.New("deflated data end too early")
	errTooLong   = errors.New("longer than announced")
	errTooShort  = errors.New("shorter than announced")
	errChecksum  = errors.New("checksum of deflated data differs")
)

// bitReader hands out bits from the lowest on.
type bitReader struct {
	src  []byte
	at   int
	bits uint64
	n    uint
}

// fill makes at least 56 bits ready, or all there are.
func (r *bitReader) fill() {
	if r.at+8 <= len(r.src) {
		r.bits |= binary.LittleEndian.Uint64(r.src[r.at:]) << (r.n & 63)
		r.at += int((63 - r.n) >> 3)
		r.n |= 56
		return
	}
	for r.n <= 56 && r.at < len(r.src) {
		r.bits |= uint64(r.src[r.at]) << r.n
		r.at++
		r.n += 8
	}
}

// take returns n bits, at most 16.
func (r *bitReader) take(n uint) (uint, error) {
	if r.n < n {
		if r.fill(); r.n < n {
			return 0, errTruncated
		}
	}
	v := uint(r.bits) & (1<<n - 1)
	r.bits >>= n
	r.n -= n
	return v, nil
}

// align drops the bits up to the next byte and gives back the bytes read ahead.
func (r *bitReader) align() {
	r.at -= int(r.n / 8)
	r.bits, r.n = 0, 0
}

// inflate fills dst from the zlib stream src begins with. Unless head is set the stream has to end where dst is full.
func (f *inflater) inflate(dst, src []byte, head bool) error {
	if len(src) < 2 {
		return errTruncated
	}
	if src[0]&0x0f != 8 || src[0]>>4 > 7 || src[1]&0x20 != 0 || binary.BigEndian.Uint16(src)%31 != 0 {
		return errDeflated
	}
	r := bitReader{src: src, at: 2}
	out := 0
	for last := uint(0); last == 0; {
		var kind uint
		var err error
		if last, err = r.take(1); err == nil {
			kind, err = r.take(2)
		}
		if err != nil {
			return err
		}
		if out, err = f.block(kind, dst, out, &r); err != nil {
			if head && err == errTooLong {
				return nil
			}
			return err
		}
		if head && out == len(dst) {
			return nil
		}
	}
	if out != len(dst) {
		return errTooShort
	}
	r.align()
	if r.at+4 > len(src) {
		return errTruncated
	}
	if binary.BigEndian.Uint32(src[r.at:]) != adler32.Checksum(dst) {
		return errChecksum
	}
	return nil
}

func (f *inflater) block(kind uint, dst []byte, out int, r *bitReader) (int, error) {
	switch kind {
	case 0:
		return stored(dst, out, r)
	case 1:
		f.fixed()
	case 2:
		if err := f.dynamic(r); err != nil {
			return out, err
		}
	default:
		return out, errDeflated
	}
	return f.codes(dst, out, r)
}

func stored(dst []byte, out int, r *bitReader) (int, error) {
	r.n -= r.n % 8 // what is left of the byte; align works with whole bytes
	r.align()
	if r.at+4 > len(r.src) {
		return out, errTruncated
	}
	n := int(binary.LittleEndian.Uint16(r.src[r.at:]))
	if n^0xffff != int(binary.LittleEndian.Uint16(r.src[r.at+2:])) {
		return out, errDeflated
	}
	r.at += 4
	if r.at+n > len(r.src) {
		return out, errTruncated
	}
	copied := copy(dst[out:], r.src[r.at:r.at+n])
	r.at += copied
	if copied < n {
		return out + copied, errTooLong
	}
	return out + n, nil
}

// fixed sets the tables of blocks that bring none.
func (f *inflater) fixed() {
	if f.fixedLiterals == nil {
		for i := range 288 {
			switch {
			case i < 144:
				f.lengths[i] = 8
			case i < 256:
				f.lengths[i] = 9
			case i < 280:
				f.lengths[i] = 7
			default:
				f.lengths[i] = 8
			}
		}
		f.fixedLiterals, _ = table(nil, f.lengths[:288], literalBits, literalMeaning[:])
		for i := range 32 {
			f.lengths[i] = 5
		}
		f.fixedDistances, _ = table(nil, f.lengths[:32], distanceBits, distanceMeaning[:])
	}
	f.literals, f.distances = f.fixedLiterals, f.fixedDistances
}

// lengthOrder is the order in which the lengths of the code of code lengths come.
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the tables of a block.
func (f *inflater) dynamic(r *bitReader) error {
	head, err := r.take(14)
	if err != nil {
		return err
	}
	literals, distances, codes := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if literals > 286 || distances > 30 {
		return errDeflated
	}
	var order [19]uint8
	for i := range codes {
		n, err := r.take(3)
		if err != nil {
			return err
		}
		order[lengthOrder[i]] = uint8(n)
	}
	if f.ownLiterals, err = table(f.ownLiterals[:0], order[:], 7, orderMeaning[:]); err != nil {
		return err
	}
	if err := f.readLengths(f.lengths[:literals+distances], r); err != nil {
		return err
	}
	if f.lengths[256] == 0 {
		return errDeflated // nothing would end the block
	}
	if f.ownLiterals, err = table(f.ownLiterals[:0], f.lengths[:literals], literalBits, literalMeaning[:]); err != nil {
		return err
	}
	if f.ownDistances, err = table(f.ownDistances[:0], f.lengths[literals:literals+distances], distanceBits, distanceMeaning[:]); err != nil {
		return err
	}
	f.literals, f.distances = f.ownLiterals, f.ownDistances
	return nil
}

// readLengths reads the lengths of codes by the code that f.ownLiterals holds.
func (f *inflater) readLengths(out []uint8, r *bitReader) error {
	for i := 0; i < len(out); {
		if r.n < 14 {
			r.fill()
		}
		e := f.ownLiterals[r.bits&127]
		n := uint(e & 0xff)
		if n == 0 {
			return errDeflated
		}
		if r.n < n {
			return errTruncated
		}
		r.bits, r.n = r.bits>>n, r.n-n
		symbol := e >> 16
		if symbol < 16 {
			out[i] = uint8(symbol)
			i++
			continue
		}
		value, base, extra := uint8(0), uint(3), uint(3)
		switch symbol {
		case 16:
			if i == 0 {
				return errDeflated
			}
			value, extra = out[i-1], 2
		case 18:
			base, extra = 11, 7
		}
		more, err := r.take(extra)
		if err != nil {
			return err
		}
		if i+int(base+more) > len(out) {
			return errDeflated
		}
		for range base + more {
			out[i] = value
			i++
		}
	}
	return nil
}

// literalEntry says what a symbol of the first alphabet means: a byte, the end of the block or a length.
func literalEntry(symbol int) uint32 {
	switch {
	case symbol < 256:
		return uint32(symbol)<<16 | entryLiteral
	case symbol == 256:
		return entryEnd
	case symbol < 265:
		return uint32(symbol-254) << 16
	case symbol < 285:
		extra := uint32(symbol-261) / 4
		return (uint32(symbol-261)%4+4)<<extra<<16 + 3<<16 | extra<<8
	case symbol == 285:
		return 258 << 16
	}
	return 0
}

// distanceEntry says what a symbol of the second alphabet means.
func distanceEntry(symbol int) uint32 {
	switch {
	case symbol < 4:
		return uint32(symbol+1) << 16
	case symbol < 30:
		extra := uint32(symbol)/2 - 1
		return (uint32(symbol)%2+2)<<extra<<16 + 1<<16 | extra<<8
	}
	return 0
}

// The entries of symbols, without the length of their code.
var (
	literalMeaning  = meanings[[maxLiterals]uint32](literalEntry)
	distanceMeaning = meanings[[maxDistances]uint32](distanceEntry)
	orderMeaning    = meanings[[19]uint32](func(i int) uint32 { return uint32(i)<<16 | entryLiteral })
)

func meanings[A [maxLiterals]uint32 | [maxDistances]uint32 | [19]uint32](entry func(symbol int) uint32) (a A) {
	for i := range len(a) {
		a[i] = entry(i)
	}
	return a
}

// table builds the decoding table of a canonical Huffman code. A code may be incomplete only if it has a single word.
func table(t []uint32, lengths []uint8, first uint, meaning []uint32) ([]uint32, error) {
	var count [maxCode + 1]int
	used, longest := 0, uint(0)
	for _, l := range lengths {
		if l > 0 {
			count[l]++
			used++
			longest = max(longest, uint(l))
		}
	}
	var next [maxCode + 2]uint
	left := 1
	for l := 1; l <= maxCode; l++ {
		left = left<<1 - count[l]
		if left < 0 {
			return t, errDeflated
		}
		next[l+1] = (next[l] + uint(count[l])) << 1
	}
	if left > 0 && (used > 1 || used == 1 && count[1] != 1) {
		return t, errDeflated
	}
	t = slices.Grow(t, 1<<first)[:1<<first]
	clear(t)
	for symbol, l := range lengths {
		if l == 0 {
			continue
		}
		n := uint(l)
		code := bits.Reverse16(uint16(next[n])) >> (16 - n)
		next[n]++
		entry := meaning[symbol]
		if entry == 0 {
			continue // a symbol that may have a code but must not occur
		}
		entry |= uint32(n)
		if n <= first {
			for i := uint(code); i < 1<<first; i += 1 << n {
				t[i] = entry
			}
			continue
		}
		root := uint(code) & (1<<first - 1)
		if t[root] == 0 {
			t[root] = uint32(len(t))<<16 | entrySub | uint32(longest-first)<<8 | uint32(first)
			t = append(t, make([]uint32, 1<<(longest-first))...)
		}
		sub := t[t[root]>>16:][:1<<(longest-first)]
		for i := uint(code) >> first; i < uint(len(sub)); i += 1 << (n - first) {
			sub[i] = entry
		}
	}
	return t, nil
}

// codes decodes a block by the tables that are set.
func (f *inflater) codes(dst []byte, out int, r *bitReader) (int, error) {
	literals, distances := f.literals, f.distances
	b, n := r.bits, r.n
	src, at := r.src, r.at
	defer func() { r.bits, r.n, r.at = b, n, at }()
	for {
		if n < 48 { // a length and a distance with their extra bits take no more
			if at+8 <= len(src) {
				b |= binary.LittleEndian.Uint64(src[at:]) << (n & 63)
				at += int((63 - n) >> 3)
				n |= 56
			} else {
				for n <= 56 && at < len(src) {
					b |= uint64(src[at]) << (n & 63)
					at++
					n += 8
				}
			}
		}
		e := literals[b&(1<<literalBits-1)]
		if e&entrySub != 0 {
			e = literals[uint(e>>16)+uint(b>>literalBits)&(1<<(e>>8&0x1f)-1)]
		}
		l := uint(e & 0xff)
		if l > n || l == 0 {
			return out, short(l)
		}
		b >>= l & 63
		n -= l
		if e&entryLiteral != 0 {
			if out == len(dst) {
				return out, errTooLong
			}
			dst[out] = byte(e >> 16)
			out++
			continue
		}
		if e&entryEnd != 0 {
			return out, nil
		}
		extra := uint(e >> 8 & 0x1f)
		length := int(e>>16) + int(b&(1<<extra-1))
		b >>= extra & 63
		e = distances[b&(1<<distanceBits-1)]
		if e&entrySub != 0 {
			e = distances[uint(e>>16)+uint(b>>distanceBits)&(1<<(e>>8&0x1f)-1)]
		}
		d := uint(e & 0xff)
		more := uint(e >> 8 & 0x1f)
		if extra+d+more > n || d == 0 {
			return out, short(d)
		}
		b >>= d & 63
		distance := int(e>>16) + int(b&(1<<more-1))
		b >>= more & 63
		n -= extra + d + more
		if distance > out {
			return out, errDeflated
		}
		if out+length > len(dst) {
			length = len(dst) - out
			out = repeat(dst, out, distance, length)
			return out, errTooLong
		}
		out = repeat(dst, out, distance, length)
	}
}

// short tells what is wrong where a code of l bits cannot be read.
func short(l uint) error {
	if l == 0 {
		return errDeflated
	}
	return errTruncated
}

// repeat copies length bytes from distance before out, which can overlap.
func repeat(dst []byte, out, distance, length int) int {
	end := out + length
	for from := out - distance; out < end; {
		out += copy(dst[out:end], dst[from:out])
	}
	return end
}
