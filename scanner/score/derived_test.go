package score

import (
	"math"
	"testing"
)

// TestDiscount: an alignment needs fewer bits than a match.
func TestDiscount(t *testing.T) {
	d := DefaultDerived()
	ordered, names := Evidence{Order: 30, Terms: Terms{Names: 30}}, Evidence{Order: 5, Terms: Terms{Names: 50}, Derived: true}
	if got := d.Discount(ordered); got != 0 {
		t.Errorf("a match needs %v bits fewer", got)
	}
	ordered.Derived = true
	if got := d.Discount(ordered); got != d.Less || d.Less <= 0 {
		t.Errorf("an alignment needs %v bits fewer", got)
	}
	if got := d.Discount(names); got != 0 {
		t.Errorf("one of names in hardly any order needs %v bits fewer", got)
	}
}

// TestDerivedBrief: each token that an alignment lacks costs the same.
func TestDerivedBrief(t *testing.T) {
	w, d := DefaultWeights(), DefaultDerived()
	brief := func(tokens int) float64 {
		return d.terms(w, Readings{Runs: []Run{{Tokens: make([]Token, tokens)}}}).Brief
	}
	if brief(31) != 9*d.Brief || brief(39) != d.Brief || brief(40) != 0 || brief(200) != 0 {
		t.Errorf("31, 39, 40 and 200 tokens pay %v, %v, %v and %v bits", brief(31), brief(39), brief(40), brief(200))
	}
}

// TestDiscountIsSmooth: an equal name lowers the share of order, but never raises the need by more than its own bits.
func TestDiscountIsSmooth(t *testing.T) {
	d := DefaultDerived()
	for order := 2.0; order < 60; order += 0.5 {
		for names := 0.0; names < 120; names += 0.25 {
			less := Evidence{Order: order, Terms: Terms{Names: names}, Derived: true}
			more := less
			const bit = 0.25
			more.Names += bit
			if order+names < leastAligned {
				continue
			}
			if by := d.Discount(less) - d.Discount(more); by > bit {
				t.Fatalf("%v bits of order and %v of names: %v more of names raise what is needed by %v", order, names, bit, by)
			}
		}
	}
}

// leastAligned is the number of bits below which no alignment is a finding.
const leastAligned = 40

// TestDerivedWhole: an alignment of one function on both sides needs fewer bits, whatever its names are.
func TestDerivedWhole(t *testing.T) {
	d := DefaultDerived()
	for _, names := range []float64{10, 60, 400} {
		part := Evidence{Order: 30, Terms: Terms{Names: names}, Derived: true}
		whole := part
		whole.Whole = true
		if less := d.Discount(whole) - d.Discount(part); math.Abs(less-d.Whole) > 1e-9 {
			t.Errorf("%v bits of names: %v fewer, want %v", names, less, d.Whole)
		}
	}
	if d.Discount(Evidence{Whole: true}) != 0 {
		t.Error("a match needs fewer bits too")
	}
}
