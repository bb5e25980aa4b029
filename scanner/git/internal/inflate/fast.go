package inflate

import (
	"encoding/binary"
	"unsafe"
)

// blockState says how decodeFast left a block.
type blockState uint8

const (
	blockOpen blockState = iota // src or dst is nearly at its end: decode continues
	blockEnds
	blockBad
)

// load reads the eight bytes at p, little-endian. All eight must exist.
func load(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }

func store(p unsafe.Pointer, v uint64) { binary.LittleEndian.PutUint64((*[8]byte)(p)[:], v) }

// refill makes at least 56 bits ready. Three literals of the first level and a length take 50 at most.
func refill(src unsafe.Pointer, b uint64, n uint, at int) (uint64, uint, int) {
	return b | load(unsafe.Add(src, at))<<(n&63), n | 56, at + int((63-n)>>3&7)
}

// put writes a literal at out.
func put(to unsafe.Pointer, out int, e codeEntry) int {
	*(*byte)(unsafe.Add(to, out)) = byte(e >> 16)
	return out + 1
}

// decodeFast decodes a block with the current tables, as long as no step can reach the end of src or dst. It is the only
// place of the package that skips the bounds checks of the language; these are its bounds:
//
//   - src is read by load at at, once or twice a step, and at grows by at most 7 after each. A step begins only with
//     at <= lastAt = len(src)-16, so that the second load ends at at+7+8 <= len(src)-1.
//   - dst is written up to its capacity. A step begins only with 0 <= out <= lastOut, where lastOut <= cap(dst)-16. It
//     first writes four literals at most, the highest at out+3. A repetition comes last in a step. It is written only if
//     out+length <= lastOut, by pairs of words. The last pair begins before out+length, so it ends before
//     out+length+16 <= cap(dst).
//   - a repetition is read from out-distance on, with 1 <= distance <= out, so not before dst. A word that is read begins
//     before the one that is written at the same time, so it ends within dst as well.
//   - tables are arrays, and their indices are masked to their lengths.
//
// It returns with out above len(dst), by 4 at most, if the data are longer than announced.
func (f *Inflater) decodeFast(dst []byte, out int, r *bitReader) (int, blockState) {
	lastAt, lastOut := len(r.src)-16, min(len(dst), cap(dst)-Slack)
	src, to := unsafe.Pointer(unsafe.SliceData(r.src)), unsafe.Pointer(unsafe.SliceData(dst))
	literals, distances := f.literals, f.distances
	b, n, at := r.bits, r.n, r.at
	state := blockOpen
	// Only the lowest six bits of n count. Whole entries are subtracted above them, which saves an instruction a code.
	for at <= lastAt && out <= lastOut {
		b, n, at = refill(src, b, n, at)
		e := literals[b%(1<<literalBits)]
		if e&entryLiteral != 0 {
			b, n = b>>(e&63), n-uint(e)
			out = put(to, out, e)
			if e = literals[b%(1<<literalBits)]; e&entryLiteral != 0 {
				b, n = b>>(e&63), n-uint(e)
				out = put(to, out, e)
				if e = literals[b%(1<<literalBits)]; e&entryLiteral != 0 {
					b, n = b>>(e&63), n-uint(e)
					out = put(to, out, e)
					if e = literals[b%(1<<literalBits)]; e&entryLiteral != 0 {
						b, n = b>>(e&63), n-uint(e)
						out = put(to, out, e)
						continue
					}
				}
			}
		}
		if e&entryOdd != 0 {
			if e&entrySub != 0 {
				b, n = b>>literalBits, n-literalBits
				e = literals[(uint64(e>>16)+b&(1<<(e>>8&15)-1))%uint64(len(literals))]
			}
			if e&entryLiteral != 0 {
				b, n = b>>(e&63), n-uint(e)
				out = put(to, out, e)
				continue
			}
			if e&entryOdd != 0 {
				if state = blockBad; e&entryEnd != 0 {
					b, n = b>>(e&63), n-uint(e)
					state = blockEnds
				}
				break
			}
		}
		length := e.value(b)
		b, n = b>>(e&63), n-uint(e)
		if n&63 < 28 { // the bits that a distance and its extra bits take
			b, n, at = refill(src, b, n, at)
		}
		e = distances[b%(1<<distanceBits)]
		if e&entryOdd != 0 {
			if e&entrySub != 0 {
				b, n = b>>distanceBits, n-distanceBits
				e = distances[(uint64(e>>16)+b&(1<<(e>>8&15)-1))%uint64(len(distances))]
			}
			if e&entryOdd != 0 {
				state = blockBad
				break
			}
		}
		distance := e.value(b)
		b, n = b>>(e&63), n-uint(e)
		if distance > out {
			state = blockBad
			break
		}
		end := out + length
		if end > lastOut {
			out = repeatEnd(dst, out, distance, length)
			continue
		}
		repeatWords(to, out, end, distance)
		out = end
	}
	r.bits, r.n, r.at = b, n&63, at
	return out, state
}

// repeatWords fills to from out up to end with the bytes that begin distance before out. It writes words that may reach
// 15 bytes beyond end.
func repeatWords(to unsafe.Pointer, out, end, distance int) {
	if distance >= 8 {
		for ; out < end; out += 16 {
			store(unsafe.Add(to, out), load(unsafe.Add(to, out-distance)))
			store(unsafe.Add(to, out+8), load(unsafe.Add(to, out-distance+8)))
		}
		return
	}
	if distance == 1 {
		for v := uint64(*(*byte)(unsafe.Add(to, out-1))) * 0x0101010101010101; out < end; out += 8 {
			store(unsafe.Add(to, out), v)
		}
		return
	}
	for ; out < end; out += distance { // only the first distance bytes of a word are right; the next word begins after them
		store(unsafe.Add(to, out), load(unsafe.Add(to, out-distance)))
	}
}

// repeatEnd is repeat for a dst that may be too short. In that case it returns more than its length.
func repeatEnd(dst []byte, out, distance, length int) int {
	if out+length <= len(dst) {
		return repeat(dst, out, distance, length)
	}
	if out < len(dst) {
		repeat(dst, out, distance, len(dst)-out)
	}
	return len(dst) + 1
}
