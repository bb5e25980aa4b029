package inflate

import (
	"encoding/binary"
	"unsafe"
)

// How decodeFast leaves a block.
type blockState uint8

const (
	blockOpen blockState = iota // src or dst is nearly at its end: decode goes on
	blockEnds
	blockBad
)

// load reads the eight bytes at p, the first the lowest. All of them have to be there.
func load(p unsafe.Pointer) uint64 { return binary.LittleEndian.Uint64((*[8]byte)(p)[:]) }

func store(p unsafe.Pointer, v uint64) { binary.LittleEndian.PutUint64((*[8]byte)(p)[:], v) }

// refill makes at least 56 bits ready, of which three literals of the first level and a length take 50 at most.
func refill(src unsafe.Pointer, b uint64, n uint, at int) (uint64, uint, int) {
	return b | load(unsafe.Add(src, at))<<(n&63), n | 56, at + int((63-n)>>3&7)
}

// put writes a literal at out.
func put(to unsafe.Pointer, out int, e codeEntry) int {
	*(*byte)(unsafe.Add(to, out)) = byte(e >> 16)
	return out + 1
}

// decodeFast decodes a block by the tables that are set for as long as neither src nor dst can end within a step. It is
// the one place of the package that does without the checks of the language; these are its bounds:
//
//   - src is read by load at at, once or twice a step, and at grows by at most 7 after each. A step begins only with
//     at <= lastAt = len(src)-16, so that the second load ends at at+7+8 <= len(src)-1.
//   - dst is written up to its capacity. A step begins only with 0 <= out <= lastOut, where lastOut <= cap(dst)-16. It
//     writes four literals at most, before anything else can be written: the highest at out+3. A repetition, which comes
//     last in a step, is written only if out+length <= lastOut, by pairs of words the last of which begins before
//     out+length: it ends before out+length+16 <= cap(dst).
//   - a repetition is read from out-distance on, with 1 <= distance <= out, so not before dst; a word that is read begins
//     before the one that is written at the same time, so it ends within dst as well.
//   - tables are arrays, and their indices are masked to their lengths.
//
// It returns with out above len(dst), by 4 at most, where the data are longer than announced.
func (f *Inflater) decodeFast(dst []byte, out int, r *bitReader) (int, blockState) {
	lastAt, lastOut := len(r.src)-16, min(len(dst), cap(dst)-Slack)
	src, to := unsafe.Pointer(unsafe.SliceData(r.src)), unsafe.Pointer(unsafe.SliceData(dst))
	literals, distances := f.literals, f.distances
	b, n, at := r.bits, r.n, r.at
	state := blockOpen
	// Of n the lowest six bits count: above them whole entries are subtracted, which saves an instruction a code.
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
		if n&63 < 28 { // what a distance and its extra bits take
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

// repeatWords fills to from out up to end with what stands distance before, by words that may reach 15 bytes beyond it.
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
	for ; out < end; out += distance { // only as many bytes of a word as the distance has are right, the next word begins with the others
		store(unsafe.Add(to, out), load(unsafe.Add(to, out-distance)))
	}
}

// repeatEnd is repeat where dst may be too short. Then it returns more than its length.
func repeatEnd(dst []byte, out, distance, length int) int {
	if out+length <= len(dst) {
		return repeat(dst, out, distance, length)
	}
	if out < len(dst) {
		repeat(dst, out, distance, len(dst)-out)
	}
	return len(dst) + 1
}
