// Package inflate decompresses zlib data (RFC 1950 and 1951) from memory to memory.
package inflate

import (
	"encoding/binary"
	"errors"
)

// Inflater inflates one stream after the other. The size of each result must be known beforehand, as it is for all
// objects of a pack. Compared with a streaming reader it saves the copies through a window. Most objects have a few
// hundred bytes, so making the tables of a block costs as much as decoding it. Tables are reused.
type Inflater struct {
	literals       *literalTable // of the current block
	distances      *distanceTable
	ownLiterals    literalTable // for blocks that bring tables
	ownDistances   distanceTable
	fixedLiterals  literalTable // for blocks that bring none
	fixedDistances distanceTable
	fixed          bool // the two fixed tables are made
	order          orderTable
	list           [maxLiterals + maxDistances]codeLength
}

// The errors of Inflate. A caller that passed only the beginning of its data learns from ErrTruncated that more is
// needed.
var (
	ErrMalformed = errors.New("malformed deflated data")
	ErrTruncated = errors.New("deflated data end too early")
	ErrTooLong   = errors.New("longer than announced")
	ErrTooShort  = errors.New("shorter than announced")
	ErrChecksum  = errors.New("checksum of deflated data differs")
)

// Slack is how many bytes of capacity a result should have after its end, to be filled at full speed. Their content is
// meaningless afterwards.
const Slack = 16

// bitReader hands out bits, the lowest first. Buffer bits from n on are zero, or equal the bits that follow in src.
type bitReader struct {
	src  []byte
	at   int
	bits uint64
	n    uint
}

// fill makes at least 56 bits ready, or all bits that are left.
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
			return 0, ErrTruncated
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

// Inflate fills dst from the zlib stream at the start of src. Unless head is set, the stream has to end where dst is
// full. The bytes between the length and the capacity of dst are overwritten.
func (f *Inflater) Inflate(dst, src []byte, head bool) error {
	if len(src) < 2 {
		return ErrTruncated
	}
	if src[0]&0x0f != 8 || src[0]>>4 > 7 || src[1]&0x20 != 0 || binary.BigEndian.Uint16(src)%31 != 0 {
		return ErrMalformed
	}
	r := bitReader{src: src, at: 2}
	out := 0
	for last := uint(0); last == 0; {
		kind, err := r.take(3)
		if err != nil {
			return err
		}
		last = kind & 1
		out, err = f.block(kind>>1, dst, out, &r)
		if head && (out >= len(dst) && err == nil || err == ErrTooLong) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	if out != len(dst) {
		return ErrTooShort
	}
	r.align()
	if r.at+4 > len(src) {
		return ErrTruncated
	}
	if binary.BigEndian.Uint32(src[r.at:]) != adler32(dst) {
		return ErrChecksum
	}
	return nil
}

// block decodes a block and returns how much of dst is then full, at most all of it.
func (f *Inflater) block(kind uint, dst []byte, out int, r *bitReader) (int, error) {
	switch kind {
	case 0:
		return stored(dst, out, r)
	case 1:
		f.useFixed()
	case 2:
		if err := f.dynamic(r); err != nil {
			return out, err
		}
	default:
		return out, ErrMalformed
	}
	out, state := f.decodeFast(dst, out, r)
	switch {
	case out > len(dst):
		return len(dst), ErrTooLong
	case state == blockBad:
		return out, ErrMalformed
	case state == blockEnds:
		return out, nil
	}
	return f.decode(dst, out, r)
}

func stored(dst []byte, out int, r *bitReader) (int, error) {
	r.n -= r.n % 8 // drops the rest of the byte; align works with whole bytes
	r.align()
	if r.at+4 > len(r.src) {
		return out, ErrTruncated
	}
	n := int(binary.LittleEndian.Uint16(r.src[r.at:]))
	if n^0xffff != int(binary.LittleEndian.Uint16(r.src[r.at+2:])) {
		return out, ErrMalformed
	}
	r.at += 4
	if r.at+n > len(r.src) {
		return out, ErrTruncated
	}
	copied := copy(dst[out:], r.src[r.at:r.at+n])
	r.at += copied
	if copied < n {
		return out + copied, ErrTooLong
	}
	return out + n, nil
}

// decode decodes a block with the current tables and checks the bounds of src and dst at every step. It decodes the part
// that decodeFast leaves: a few bytes of most blocks.
func (f *Inflater) decode(dst []byte, out int, r *bitReader) (int, error) {
	for {
		r.fill() // a length and a distance with their extra bits take 48
		e, value, err := r.code(f.literals[:], literalBits)
		switch {
		case err != nil:
			return out, err
		case e&entryLiteral != 0:
			if out == len(dst) {
				return out, ErrTooLong
			}
			dst[out] = byte(value)
			out++
			continue
		case e&entryEnd != 0:
			return out, nil
		}
		_, distance, err := r.code(f.distances[:], distanceBits)
		if err == nil && distance > out {
			err = ErrMalformed
		}
		if err != nil {
			return out, err
		}
		if out+value > len(dst) {
			return repeat(dst, out, distance, len(dst)-out), ErrTooLong
		}
		out = repeat(dst, out, distance, value)
	}
}

// repeat copies length bytes from distance before out. The two ranges can overlap.
func repeat(dst []byte, out, distance, length int) int {
	end := out + length
	for from := out - distance; out < end; {
		out += copy(dst[out:end], dst[from:out])
	}
	return end
}
