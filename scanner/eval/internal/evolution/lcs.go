package evolution

import "math/bits"

// common returns the length of the longest common subsequence of a and b, by the bit-parallel algorithm of Hyyrö
// (2004): len(a) / 64 * len(b) steps.
func common(a, b []uint64) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	words := (len(a) + 63) / 64
	at := make(map[uint64][]uint64)
	for i, s := range a {
		if at[s] == nil {
			at[s] = make([]uint64, words)
		}
		at[s][i/64] |= 1 << (i % 64)
	}
	v := make([]uint64, words)
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, s := range b {
		m := at[s]
		if m == nil {
			continue
		}
		var carry uint64
		for i, x := range v {
			u := x & m[i]
			var sum uint64
			sum, carry = bits.Add64(x, u, carry)
			v[i] = sum | (x &^ m[i])
		}
	}
	n := 0
	for i := range a {
		if v[i/64]>>(i%64)&1 == 0 {
			n++
		}
	}
	return n
}

// agreement returns the share of both sequences in their longest common subsequence.
func agreement(a, b []uint64) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	return 2 * float64(common(a, b)) / float64(len(a)+len(b))
}
