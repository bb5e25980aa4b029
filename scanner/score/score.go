package score

import "math"

// Accidents is -log2 of the matches to expect by accident at what is needed: one in 19.
const Accidents = 4.247927513443585

// Needed are the bits from which on a match is a finding. With E = target tokens × baseline tokens × 2^(-Trust·bits), the
// number of such matches to expect by accident, they make E 1/19. A score below Enough needs fewer, 0 fewer than any match has.
func (w *Weights) Needed(score float64, baseline uint64, target int) float64 {
	needed := (chances(baseline, target) + Accidents) / w.Trust
	if score < Enough {
		needed += halving * math.Log2(max(score, 1e-300)/Enough)
	}
	return needed
}

// NeededForOne are the bits at which one such match is to be expected by accident.
func (w *Weights) NeededForOne(baseline uint64, target int) float64 {
	return chances(baseline, target) / w.Trust
}

// chances are the places where a match could arise by accident, in bits.
func chances(baseline uint64, target int) float64 {
	return math.Log2(float64(max(baseline, 1))) + math.Log2(float64(max(target, 1)))
}

// Reaches tells whether so many bits can come to what is needed, with all the
// support there can be.
func (w *Weights) Reaches(bits, needed float64) bool { return bits*(1+w.Support) >= needed }

// LeastToSupport are the fewest bits that support can bring to what is needed.
func (w *Weights) LeastToSupport(needed float64) float64 { return needed / (1 + w.Support) }

// Alike tells whether so many bits are enough beside those of the best origin for
// the same text. Files of one package that were made after one pattern share shape
// and half of their names; a copy of the same text agrees in nearly all.
func (w *Weights) Alike(bits, best float64) bool { return bits >= w.SameText*best }

// Frequency is how many directories have the k-grams of a match, on average.
type Frequency struct {
	sum float64
	n   int
}

// Add counts a k-gram that so many directories have.
func (f *Frequency) Add(directories int) {
	f.sum += math.Log2(float64(min(directories, Frequent)))
	f.n++
}

// CostOfSharing are the bits that a match loses at least if so many directories have
// each of its k-grams: see Rarer.
func (w *Weights) CostOfSharing(directories int) float64 {
	return w.Frequency * math.Log2(float64(min(directories, Frequent)))
}

// Mean is the mean logarithm.
func (f Frequency) Mean() float64 {
	if f.n == 0 {
		return 0
	}
	return f.sum / float64(f.n)
}
