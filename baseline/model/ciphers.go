package model

import (
	"math"
	"math/bits"
)

// isAES reports whether a number is in a table with which fast implementations of AES join its steps: for an x, the bytes 2x, x, x and
// 3x; or 14x, 9x, 13x and 11x; or x in each byte. The products are those of FIPS 197, the bytes are in any rotation and either order.
func isAES(n uint32) bool {
	for range 2 {
		for range 4 {
			a, b, c, d := byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
			if b == c && (a == times(b, 2) && d == times(b, 3) || a == b && b == d) {
				return true
			}
			if x := times(b, ninth); a == times(x, 14) && c == times(x, 13) && d == times(x, 11) {
				return true
			}
			n = bits.RotateLeft32(n, 8)
		}
		n = bits.ReverseBytes32(n)
	}
	return false
}

// ninth is the number that times 9 is 1.
const ninth = 0x4f

// times returns the product of two bytes in the field of AES.
func times(a, b byte) (product byte) {
	for ; b > 0; b >>= 1 {
		if b&1 > 0 {
			product ^= a
		}
		carry := a >> 7
		a = a<<1 ^ carry*0x1b
	}
	return product
}

// keccak adds the constants of more than 16 bits of the 24 rounds of SHA-3 (FIPS 202). A shift register gives their bits.
func keccak(out map[uint64]bool) {
	register := byte(1)
	for range 24 {
		round := uint64(0)
		for i := range 7 {
			if register&1 > 0 {
				round |= 1 << (1<<i - 1)
			}
			register = register<<1 ^ register>>7*0x71
		}
		if round > math.MaxUint16 {
			out[round] = true
		}
	}
}
