package score

import "testing"

// TestDerivedNeeded: less is enough for an alignment than for a match.
func TestDerivedNeeded(t *testing.T) {
	d := StandingDerived()
	ordered, names := Evidence{Order: 30, Terms: Terms{Names: 30}}, Evidence{Order: 10, Terms: Terms{Names: 50}, Aligned: true}
	if got := d.Needed(ordered, 70); got != 70 {
		t.Errorf("a match needs %v bits of 70", got)
	}
	ordered.Aligned = true
	if got := d.Needed(ordered, 70); got != 70-d.Less || d.Less <= 0 {
		t.Errorf("an alignment needs %v bits of 70", got)
	}
	if got := d.Needed(names, 70); got != 70 {
		t.Errorf("one of names in hardly any order needs %v bits of 70", got)
	}
}
