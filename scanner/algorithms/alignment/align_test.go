package alignment

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// draw returns a text of few kinds and names, so that much of it agrees by accident.
func draw(r *rand.Rand) []Symbol {
	out := make([]Symbol, 1+r.IntN(60))
	for i := range out {
		out[i] = Symbol{Kind: 1 + r.Uint32N(3), Gain: KeywordGain}
		if out[i].Kind == 1 {
			out[i].Text, out[i].Gain = 1+r.Uint32N(4), Gain(float64(r.IntN(11)))
		}
	}
	if r.IntN(3) == 0 {
		out[r.IntN(len(out))] = Mismatch()
	}
	return out
}

// TestAlign compares the gain with that of all alignments, and with that of the runs.
func TestAlign(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 2))
	var a Aligner
	for range 300 {
		target, origin := draw(r), draw(r)
		runs, gain := a.Align(target, origin, match.Seed{}, 1000, 0)
		if want := textbook(target, origin); gain != want {
			t.Fatalf("%v and %v align for %d, %d is possible", target, origin, gain, want)
		}
		if sum := gainOf(t, target, origin, runs); sum != gain {
			t.Fatalf("%v and %v align for %d, the runs %v make %d", target, origin, gain, runs, sum)
		}
	}
}

// TestLeast: an alignment that gains at least least is found as without the limit; others are not found.
func TestLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 3))
	var a Aligner
	none := 0
	for range 2000 {
		target, origin := draw(r), draw(r)
		want, gain := a.Align(target, origin, match.Seed{}, 1000, 0)
		least := 1 + r.IntN(2*gain+2)
		runs, got := a.Align(target, origin, match.Seed{}, 1000, least)
		switch {
		case gain < least:
			if none++; runs != nil || got != 0 {
				t.Fatalf("%v and %v align for %d, where %d are asked for: %v", target, origin, gain, least, runs)
			}
		case got != gain || !slices.Equal(runs, want):
			t.Fatalf("%v and %v align for %d as %v, where %d are asked for: %d as %v", target, origin, gain, want, least, got, runs)
		}
	}
	if none < 500 {
		t.Errorf("only %d gained less than was asked for", none)
	}
}

// textbook computes the gain of the best local alignment by trying all lengths of gaps.
func textbook(target, origin []Symbol) (top int) {
	best := make([][]int, len(target)+1)
	for i := range best {
		best[i] = make([]int, len(origin)+1)
	}
	for i := 1; i <= len(target); i++ {
		for j := 1; j <= len(origin); j++ {
			if g, ok := pair(target[i-1], origin[j-1]); ok {
				best[i][j] = max(0, best[i-1][j-1]+g)
			}
			for n := 1; n <= i; n++ {
				best[i][j] = max(best[i][j], best[i-n][j]-gap(n))
			}
			for n := 1; n <= j; n++ {
				best[i][j] = max(best[i][j], best[i][j-n]-gap(n))
			}
			top = max(top, best[i][j])
		}
	}
	return top
}

func pair(t, o Symbol) (gain int, ok bool) {
	switch {
	case t.Kind != o.Kind:
		return 0, false
	case t.Text == o.Text:
		return int(t.Gain), true
	}
	return renamed, true
}

func gap(n int) int {
	if n == 0 {
		return 0
	}
	return gapOpen + (n-1)*gapToken
}

func gainOf(t *testing.T, target, origin []Symbol, runs []match.Run) (sum int) {
	t.Helper()
	for n, r := range runs {
		if n > 0 {
			b := runs[n-1]
			if r.Target < b.TargetEnd() || r.Origin < b.OriginEnd() {
				t.Fatalf("run %v overlaps the one before, %v", r, b)
			}
			sum -= gap(int(r.Target-b.TargetEnd())) + gap(int(r.Origin-b.OriginEnd()))
		}
		for i := range r.Len {
			g, ok := pair(target[r.Target+i], origin[r.Origin+i])
			if !ok {
				t.Fatalf("run %v pairs %v with %v", r, target[r.Target+i], origin[r.Origin+i])
			}
			sum += g
		}
	}
	return sum
}

// TestReused: an aligner whose memory has the ways of other alignments aligns as a new one does, whatever the band is.
func TestReused(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 4))
	var used Aligner
	for range 2000 {
		target, origin := draw(r), draw(r)
		at, band := match.Seed{Target: r.Uint32N(8), Origin: r.Uint32N(8)}, r.IntN(8)
		for i := range used.from[:cap(used.from)] {
			used.from[:cap(used.from)][i] = uint8(r.IntN(16))
		}
		got, gain := used.Align(target, origin, at, band, 0)
		if want, most := new(Aligner).Align(target, origin, at, band, 0); gain != most || !slices.Equal(got, want) {
			t.Fatalf("%v and %v, band %d at %v: %v gains %d, with new memory %v gains %d", target, origin, band, at, got, gain, want, most)
		}
	}
}

// TestBand: cells farther from the diagonal than the band are not used.
func TestBand(t *testing.T) {
	name := func(n uint32) Symbol { return Symbol{Kind: 1, Text: n, Gain: Gain(10)} }
	text := []Symbol{name(1), name(2), name(3)}
	const band = 20
	far := make([]Symbol, 2*band)
	for i := range far {
		far[i] = Symbol{Kind: 2, Gain: KeywordGain}
	}
	far = append(far, text...)
	var a Aligner
	if runs, _ := a.Align(text, far, match.Seed{}, band, 0); len(runs) > 0 {
		t.Errorf("%d tokens from the diagonal %v is found", 2*band, runs)
	}
	if runs, gain := a.Align(text, far, match.Seed{Origin: 2 * band}, band, 0); len(runs) != 1 || runs[0].Len != 3 || gain != 3*int(Gain(10)) {
		t.Errorf("on the diagonal %v is found, which gains %d", runs, gain)
	}
}

// TestNarrow: cells that are left out because they cannot reach the least gain change no alignment, at the end of either side too.
func TestNarrow(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 14))
	var a, b Aligner
	for range 20_000 {
		target, origin := draw(r), draw(r)
		if r.IntN(2) == 0 { // a copy with an edit, and other code behind it
			cut := r.IntN(len(origin) + 1)
			target = append(append(slices.Clone(origin[:cut]), draw(r)...), origin[cut:]...)
		}
		at, band := match.Seed{Target: uint32(r.IntN(len(target) + 1)), Origin: uint32(r.IntN(len(origin) + 1))}, 1+r.IntN(40)
		want, gain := a.Align(target, origin, at, band, 0)
		for _, least := range []int{1, gain / 2, gain - 1, gain} {
			if got, g := b.Align(target, origin, at, band, least); g != gain || !slices.Equal(got, want) {
				t.Fatalf("at least %d: %v with gain %d, want %v with %d", least, got, g, want, gain)
			}
		}
		if _, g := b.Align(target, origin, at, band, gain+1); g != 0 {
			t.Fatalf("gain %d, but at most %d is possible", g, gain)
		}
	}
}
