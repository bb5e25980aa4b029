package inflate

import "encoding/binary"

const (
	adlerMod = 65521
	// adlerChunk is how many bytes can be summed in 16-bit lanes without overflow: 22 words, since 255 * 22 * 23 / 2 is
	// below 1<<16, and the sum for 23 words is not.
	adlerChunk = 22 * 8
)

// adler32 is the checksum of zlib (RFC 1950). It sums eight bytes at a time, unlike the standard library: checking the
// output would take a tenth of the time of inflating.
func adler32(b []byte) uint32 {
	s1, s2 := uint64(1), uint64(0)
	for len(b) >= 8 {
		n := min(len(b)&^7, adlerChunk)
		sum, weighted := adlerWords(b[:n])
		s2 = (s2 + uint64(n)*s1 + weighted) % adlerMod
		s1 = (s1 + sum) % adlerMod
		b = b[n:]
	}
	for _, c := range b {
		s1 += uint64(c)
		s2 += s1
	}
	return uint32(s2%adlerMod<<16 | s1%adlerMod)
}

// adlerWords sums at most adlerChunk bytes, whole words: once plainly, and once weighted by the number of bytes from each
// byte to the end.
func adlerWords(b []byte) (sum, weighted uint64) {
	const lanes = 0x00ff00ff00ff00ff
	var even, odd, evens, odds uint64 // sums of bytes, and of those sums before each word
	for ; len(b) >= 8; b = b[8:] {
		w := binary.LittleEndian.Uint64(b)
		evens, odds = evens+even, odds+odd
		even, odd = even+w&lanes, odd+w>>8&lanes
	}
	// in each word the first byte counts eight times, the last once
	weighted = 8*(sumLanes(evens)+sumLanes(odds)) +
		8*(even&0xffff) + 6*(even>>16&0xffff) + 4*(even>>32&0xffff) + 2*(even>>48) +
		7*(odd&0xffff) + 5*(odd>>16&0xffff) + 3*(odd>>32&0xffff) + odd>>48
	return sumLanes(even) + sumLanes(odd), weighted
}

func sumLanes(v uint64) uint64 { return v&0xffff + v>>16&0xffff + v>>32&0xffff + v>>48 }
