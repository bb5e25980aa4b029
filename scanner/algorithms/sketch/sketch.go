// Package sketch estimates how alike documents are from small samples of their k-grams. It turns sets of hashes into
// sketches, estimates and clusters.
//
// Terms and estimators are Broder's ("On the resemblance and containment of documents", 1997). For sets A and B of
// k-gram hashes
//
//	resemblance  r(A,B) = |A ∩ B| / |A ∪ B|
//	containment  c(A,B) = |A ∩ B| / |A|          how much of A is in B
//
// A sketch keeps hashes that come first in an [Order], a permutation of all hashes. [Min] keeps the s first: its size
// is constant, and it estimates resemblance. [Mod] keeps one in m: its size is proportional to the document's, and it
// estimates containment too. Both estimates are unbiased. An order keyed by a secret is the defence of Heintze
// ("Scalable document fingerprinting", 1996): without the key nobody can tell which k-grams an edit has to spare.
package sketch

import (
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

// Order is a permutation of the hashes: a sketch keeps those that come first in it.
type Order struct{ key fingerprint.Key }

// Public returns the order that everybody knows.
func Public() Order { return Order{} }

// Keyed returns an order that only the holders of a key know.
func Keyed(key fingerprint.Key) Order { return Order{key} }

// put replaces hashes by their positions in the order.
func (o Order) put(hashes []uint64) {
	if !o.key.IsZero() {
		o.key.Order(hashes)
		return
	}
	for i, h := range hashes {
		hashes[i] = mix(h)
	}
}

// Set appends to dst the distinct values of hashes in an order, ascending. Min and Mod sample from it.
func (o Order) Set(dst, hashes []uint64) []uint64 {
	at := len(dst)
	dst = append(dst, hashes...)
	o.put(dst[at:])
	slices.Sort(dst[at:])
	return append(dst[:at], slices.Compact(dst[at:])...)
}

// Min returns the s first elements of a set, or all if it has fewer.
func Min(set []uint64, s int) []uint64 { return set[:min(s, len(set))] }

// Mod appends to dst the elements of a set that m divides.
func Mod(dst, set []uint64, m uint64) []uint64 {
	for _, x := range set {
		if x%m == 0 {
			dst = append(dst, x)
		}
	}
	return dst
}

// Resemblance estimates the resemblance of two sets from their sketches by Min of size s: the share of the s first
// elements of the union that both have. For two whole sets, with s at least the size of their union, it is exact. Two
// empty sets are equal.
func Resemblance(a, b []uint64, s int) float64 {
	both, either := count(a, b, s)
	if either == 0 {
		return 1
	}
	return float64(both) / float64(either)
}

// Containment estimates how much of A is in B from their sketches by Mod. For two whole sets it is exact. An empty set
// is contained in any.
func Containment(a, b []uint64) float64 {
	if len(a) == 0 {
		return 1
	}
	both, _ := count(a, b, len(a)+len(b))
	return float64(both) / float64(len(a))
}

// count walks the first s elements of the union of two ascending sets, and counts
// those that are in both.
func count(a, b []uint64, s int) (both, either int) {
	for either < s && (len(a) > 0 || len(b) > 0) {
		either++
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			a = a[1:]
		case len(a) == 0 || b[0] < a[0]:
			b = b[1:]
		default:
			both++
			a, b = a[1:], b[1:]
		}
	}
	return both, either
}

// mix is splitmix64's finaliser. Package fingerprint has applied it to the hashes once. Applying it again makes the
// order independent of winnowing's selection.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Union makes one set of the elements of several: ascending, each once. It reuses the memory of its argument.
func Union(elements []uint64) []uint64 {
	slices.Sort(elements)
	return slices.Compact(elements)
}
