// Package fingerprint is the stage between tokens and the index. It takes the values of tokens and returns the few hashes that
// represent a document. It knows nothing of languages, files or the index.
//
// # Definition, fixed for ever
//
// Everything below is part of the baseline's format. Any change needs a new [SchemeVersion], so that a baseline is only
// searched with the hashes it was built with. All arithmetic is modulo 2^64.
//
//	mix(x):             x ^= x >> 30;  x *= 0xBF58476D1CE4E5B9
//	                    x ^= x >> 27;  x *= 0x94D049BB133111EB
//	                    x ^= x >> 31                      (splitmix64's finaliser)
//	FNV(s):             64-bit FNV-1a of the bytes of s
//	salt(family):       mix(FNV(family))
//	value(family,kind): mix(salt(family) + kind * 0x9E3779B97F4A7C15)
//	gram(v[0..k-1]):    mix(sum of v[i] * M^(k-1-i)),  M = 0x5851F42D4C957F2D
//	pair(family,a,b):   mix(mix(salt(family) ^ "pairs") + min(a,b) * 0x9E3779B97F4A7C15 + max(a,b) * M)
//	comment(family):    mix(salt(family) ^ "comm"), the salt of the words of comments
//
// A token's value is a bijection of its kind for a fixed family, so two kinds of one family never share a value. M is
// the multiplier of Knuth's MMIX generator; being 5 modulo 8 it has the largest order an odd number can have (2^62).
// The sum can be rolled: one multiplication adds the new token and one removes the oldest. The low bits of such a sum
// depend only on the low bits of the values. The finaliser mixes them: afterwards all bits are equally good, including
// the top ones that choose an index's bucket.
//
// # Winnowing
//
// A window is w consecutive k-grams. [Winnow] and [WinnowRobust] follow sections 3 and 5.1 of Schleimer, Wilkerson and
// Aiken, "Winnowing: local algorithms for document fingerprinting" (2003), by the definition and not by the listing in
// its figure 5. A document with fewer than w k-grams counts as one short window, so it has a fingerprint too. A
// document with fewer than k tokens has none.
//
// # The guarantee, on the exact diagonal
//
// Claim: index a document with WinnowRobust (or Winnow), query another with [WinnowTies]. If both hold the same t =
// w+k-1 tokens, at index position a and query position b, then there is an indexed fingerprint (h, a+x) and a queried
// one (h, b+x) with 0 <= x < w.
//
// Proof: the run has w k-grams, so it fills one whole window on each side, and the two windows hold the same hashes.
// The index side selects in each window a position with the window's minimal hash h; let it be a+x. By equality the
// hash at b+x is h and is the minimum of the query's window, which contains b+x; WinnowTies selects every such
// position. ∎
//
// With the same selection on both sides this would fail: robust winnowing keeps the choice of the window to the left,
// and the tokens to the left of the run differ. The hashes would still match, but off the diagonal. Selecting all ties
// on the query side costs nothing in the index. The index keeps the density of robust winnowing: 1/w, not 1, if all
// hashes are equal.
package fingerprint

import (
	"fmt"
	"math/bits"
	"slices"
)

// SchemeVersion numbers the definition in the package comment.
//
//	1: first version
const SchemeVersion = 1

const (
	multiplier = 0x5851F42D4C957F2D
	gamma      = 0x9E3779B97F4A7C15
	fnvOffset  = 0xCBF29CE484222325
	fnvPrime   = 0x100000001B3
	pairs      = 0x7061697273 // "pairs": never used for the value of a token
	comments   = 0x636F6D6D   // "comm": likewise
	tables     = 0x7461626C   // "tabl": likewise
)

// Bounds of [Params]. From 1024 tokens on, two different Thue-Morse sequences collide under any polynomial hash modulo
// 2^64, whatever its multiplier. MaxK is half of that, to leave room. MaxW bounds the time of winnowing, which
// hashes that ascend throughout can make w times as long.
const (
	MaxK = 512
	MaxW = 1024
)

// Params are the two parameters of winnowing.
type Params struct {
	K int // tokens of a k-gram: the noise threshold, since no shorter run matches
	W int // k-grams of a window
}

// T returns the guarantee threshold: every shared run of T tokens is found.
func (p Params) T() int { return p.K + p.W - 1 }

// String returns a name for the definition and the parameters, which is part of a scheme id.
func (p Params) String() string {
	return fmt.Sprintf("winnow%d-k%d-w%d", SchemeVersion, p.K, p.W)
}

// Validate returns an error for the first parameter that is out of bounds.
func (p Params) Validate() error {
	if p.K < 1 || p.K > MaxK {
		return fmt.Errorf("fingerprint parameters: k %d is not in 1..%d", p.K, MaxK)
	}
	if p.W < 1 || p.W > MaxW {
		return fmt.Errorf("fingerprint parameters: w %d is not in 1..%d", p.W, MaxW)
	}
	return nil
}

// TokenValue returns the value of a token of the given kind in the streams of a family. For many tokens of one family,
// use [FamilySalt] and [Value].
func TokenValue(family string, kind uint32) uint64 {
	return Value(FamilySalt(family), kind)
}

// FamilySalt returns the part of [TokenValue] that is the same for a whole stream.
func FamilySalt(family string) uint64 {
	h := uint64(fnvOffset)
	for i := range len(family) {
		h = (h ^ uint64(family[i])) * fnvPrime
	}
	return mix(h)
}

// Value returns the value of a token kind under the salt of its family.
func Value(salt uint64, kind uint32) uint64 {
	return mix(salt + uint64(kind)*gamma)
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// CommentSalt is FamilySalt for the words of comments.
func CommentSalt(family string) uint64 { return mix(FamilySalt(family) ^ comments) }

// TableSalt is FamilySalt for the values of tables of numbers.
func TableSalt(family string) uint64 { return mix(FamilySalt(family) ^ tables) }

// Number returns the value of a number under the salt of its family's tables.
func Number(salt, digest uint64) uint64 { return mix(salt + digest*gamma) }

// Pair returns the hash of two names in either order, under the salt of their family.
func Pair(salt uint64, a, b uint32) uint64 {
	return mix(mix(salt^pairs) + uint64(min(a, b))*gamma + uint64(max(a, b))*multiplier)
}

// KGrams appends to dst the hash of each run of k values, in order: one for each position with at least k values left.
// It appends nothing for k < 1. dst may be values[:0]: then the hashes replace the values.
func KGrams(dst, values []uint64, k int) []uint64 {
	if k < 1 || len(values) < k {
		return dst
	}
	dst = slices.Grow(dst, len(values)-k+1)
	var sum uint64
	for _, v := range values[:k] {
		sum = sum*multiplier + v
	}
	oldest, gone := values[0], power(multiplier, k)
	dst = append(dst, mix(sum))
	for i, v := range values[k:] {
		sum = sum*multiplier + v - oldest*gone
		oldest = values[i+1]
		dst = append(dst, mix(sum))
	}
	return dst
}

func power(x uint64, n int) uint64 {
	p := uint64(1)
	for i := bits.Len(uint(n)) - 1; i >= 0; i-- {
		p *= p
		if n>>i&1 == 1 {
			p *= x
		}
	}
	return p
}
