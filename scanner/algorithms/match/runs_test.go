package match

import (
	"slices"
	"testing"
)

// TestRunArithmetic cuts one run by two others.
func TestRunArithmetic(t *testing.T) {
	run := Run{Target: 10, Origin: 100, Len: 20}
	others := []Run{{Target: 12, Origin: 50, Len: 3}, {Target: 25, Origin: 110, Len: 10}}
	if got, want := run.Outside(others), []Run{{10, 100, 2}, {15, 105, 10}}; !slices.Equal(got, want) {
		t.Errorf("outside: %v, want %v", got, want)
	}
	if got, want := (Run{15, 45, 10}).Between(others), (Run{23, 53, 2}); got != want {
		t.Errorf("between: %v, want %v", got, want)
	}
	if got := (Run{15, 40, 10}).Between(others); got.Len != 0 {
		t.Errorf("between: %v, want nothing", got)
	}
	if got, want := Clip(others, Interval{13, 27}), []Run{{13, 51, 2}, {25, 110, 2}}; !slices.Equal(got, want) {
		t.Errorf("clip: %v, want %v", got, want)
	}
	if n := Shared([]Run{run}, others); n != 8 {
		t.Errorf("shared: %d tokens, want 8", n)
	}
	if got, want := InBoth([]Run{run}, others), []SharedSpan{{102, 50, 3}, {115, 110, 5}}; !slices.Equal(got, want) {
		t.Errorf("in both: %v, want %v", got, want)
	}
}
