package parameterized

import (
	"cmp"
	"slices"
)

// window is the hash of the encoding of least tokens from a position on.
type window struct {
	hash uint64
	at   int
}

// The encoding of a token: its identity, or the distance to the last occurrence of its name.
const (
	multiplier = 0x5851F42D4C957F2D // as in package fingerprint
	fixedSalt  = 0x9E3779B97F4A7C15
	nameSalt   = 0xD1B54A32D192ED03
)

func fixedCode(v uint64) uint64 { return mix(v ^ fixedSalt) }
func nameCode(back int) uint64  { return mix(uint64(back) + nameSalt) }

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// windows returns the hashes of all windows of n tokens, sorted by hash, then
// position.
func (t Text) windows(n int) []window {
	if len(t.Names) < n {
		return nil
	}
	prev, next := t.links()
	powers := make([]uint64, n)
	powers[0] = 1
	for i := 1; i < n; i++ {
		powers[i] = powers[i-1] * multiplier
	}
	code := func(i, from int) uint64 { // of token i in a window that begins at from
		switch {
		case t.Names[i] == None:
			return fixedCode(t.Fixed[i])
		case prev[i] >= from:
			return nameCode(i - prev[i])
		}
		return nameCode(0)
	}
	out := make([]window, 0, len(t.Names)-n+1)
	sum := uint64(0)
	for end := range t.Names {
		from := end - n + 1 // of the window that ends with this token
		if from > 0 {
			sum -= code(from-1, from-1) * powers[n-1]
			if i := next[from-1]; t.Names[from-1] != None && i < end {
				sum += (nameCode(0) - nameCode(i-from+1)) * powers[end-1-i]
			}
		}
		sum = sum*multiplier + code(end, max(from, 0))
		if from >= 0 {
			out = append(out, window{mix(sum), from})
		}
	}
	slices.SortFunc(out, func(a, b window) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.at, b.at)) })
	return out
}

// links returns for each name its previous occurrence, -1 if there is none, and its next, the length of the text if
// there is none.
func (t Text) links() (prev, next []int) {
	prev, next = make([]int, len(t.Names)), make([]int, len(t.Names))
	last := make([]int, len(t.Names))
	for i := range last {
		last[i] = -1
	}
	for i, n := range t.Names {
		prev[i], next[i] = -1, len(t.Names)
		if n == None {
			continue
		}
		if prev[i] = last[n]; prev[i] >= 0 {
			next[prev[i]] = i
		}
		last[n] = i
	}
	return prev, next
}
