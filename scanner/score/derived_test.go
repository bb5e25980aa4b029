package score

import (
	"math"
	"testing"
)

// TestFewer: an alignment needs fewer bits than a match.
func TestFewer(t *testing.T) {
	d := StandingDerived()
	ordered, names := Evidence{Order: 30, Terms: Terms{Names: 30}}, Evidence{Order: 5, Terms: Terms{Names: 50}, Derived: true}
	if got := d.Fewer(ordered); got != 0 {
		t.Errorf("a match needs %v bits fewer", got)
	}
	ordered.Derived = true
	if got := d.Fewer(ordered); got != d.Less || d.Less <= 0 {
		t.Errorf("an alignment needs %v bits fewer", got)
	}
	if got := d.Fewer(names); got != 0 {
		t.Errorf("one of names in hardly any order needs %v bits fewer", got)
	}
}

// TestDerivedBrief: each token that an alignment lacks costs the same.
func TestDerivedBrief(t *testing.T) {
	w, d := Standing(), StandingDerived()
	brief := func(tokens int) float64 {
		return d.terms(w, Readings{Runs: []Run{{Tokens: make([]Token, tokens)}}}).Brief
	}
	if brief(31) != 9*d.Brief || brief(39) != d.Brief || brief(40) != 0 || brief(200) != 0 {
		t.Errorf("31, 39, 40 and 200 tokens pay %v, %v, %v and %v bits", brief(31), brief(39), brief(40), brief(200))
	}
}

// TestFewerIsSmooth: an equal name lowers the share of order, but never raises the need by more than its own bits.
func TestFewerIsSmooth(t *testing.T) {
	d := StandingDerived()
	for order := 2.0; order < 60; order += 0.5 {
		for names := 0.0; names < 120; names += 0.25 {
			less := Evidence{Order: order, Terms: Terms{Names: names}, Derived: true}
			more := less
			const bit = 0.25
			more.Names += bit
			if order+names < leastAligned {
				continue
			}
			if by := d.Fewer(less) - d.Fewer(more); by > bit {
				t.Fatalf("%v bits of order and %v of names: %v more of names raise what is needed by %v", order, names, bit, by)
			}
		}
	}
}

// leastAligned is the number of bits below which no alignment is a finding.
const leastAligned = 40

// TestDerivedWhole: an alignment of one function on both sides needs fewer bits, whatever its names are.
func TestDerivedWhole(t *testing.T) {
	d := StandingDerived()
	for _, names := range []float64{10, 60, 400} {
		part := Evidence{Order: 30, Terms: Terms{Names: names}, Derived: true}
		whole := part
		whole.Whole = true
		if less := d.Fewer(whole) - d.Fewer(part); math.Abs(less-d.Whole) > 1e-9 {
			t.Errorf("%v bits of names: %v fewer, want %v", names, less, d.Whole)
		}
	}
	if d.Fewer(Evidence{Whole: true}) != 0 {
		t.Error("a match needs fewer bits too")
	}
}
