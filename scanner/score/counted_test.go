package score

import "testing"

// TestCountedNames: parameters that count on are written out by everybody in the same way, so from the third on they are evidence like
// names that a platform declares.
func TestCountedNames(t *testing.T) {
	names := func(text string) float64 {
		side := golang(t, text)
		return EvidenceOf(side, side, only(t, side, side), newCosts(DefaultWeights(), side, nil, nil, isName)).Names
	}
	counted := names("package p\n\nfunc f(Arg10 int, Arg11 int, Arg12 int, Arg13 int, Arg14 int, Arg15 int, Arg16 int, Arg17 int) { call(Arg10, Arg11, Arg12, Arg13, Arg14, Arg15, Arg16, Arg17) }\n")
	named := names("package p\n\nfunc f(Argon int, Argot int, Argue int, Argus int, Argyl int, Argil int, Argal int, Argan int) { call(Argon, Argot, Argue, Argus, Argyl, Argil, Argal, Argan) }\n")
	w := DefaultWeights()
	if want := named - 6*(w.RareName-w.Platform); counted != want {
		t.Errorf("%.1f bits of names that count on, want %.1f: %.1f of others", counted, want, named)
	}
}
