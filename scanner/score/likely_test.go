package score

import (
	"math/rand/v2"
	"testing"
)

// TestScoreRises: more of any trait never lowers a score. A match with enough bits never scores below one without.
func TestScoreRises(t *testing.T) {
	rnd := rand.New(rand.NewPCG(15, 16))
	l := DefaultLikelihood()
	for range 2000 {
		a := Traits{Above: 300*rnd.Float64() - 100, Order: rnd.Float64(), Unchanged: rnd.Float64(), Supported: rnd.IntN(2) > 0}
		before := l.Score(a)
		if before < 0 || before > 1 || (a.Above >= 0) != (before >= Enough) && before != Enough {
			t.Fatalf("%+v has a score of %v", a, before)
		}
		more := a
		switch rnd.IntN(4) {
		case 0:
			more.Above += 100 * rnd.Float64()
		case 1:
			more.Order += (1 - a.Order) * rnd.Float64()
		case 2:
			more.Unchanged += (1 - a.Unchanged) * rnd.Float64()
		case 3:
			more.Supported = true
		}
		if after := l.Score(more); after < before {
			t.Fatalf("%+v has a score of %v, %+v of %v", a, before, more, after)
		}
	}
}

// TestNeededMeetsScore: the bits needed for a score below Enough give that score, if the other traits are good.
func TestNeededMeetsScore(t *testing.T) {
	w, l := DefaultWeights(), DefaultLikelihood()
	enough := w.Needed(Enough, 1<<20, 1000)
	for _, score := range []float64{0.04, 0.02, 0.01} {
		above := w.Needed(score, 1<<20, 1000) - enough
		if got := l.Score(Traits{Above: above, Order: 1, Unchanged: 1}); got != score {
			t.Errorf("%.1f bits above what is needed: score %v, want %v", above, got, score)
		}
	}
	for _, score := range []float64{Enough, 0.5, 1} {
		if got := w.Needed(score, 1<<20, 1000); got != enough {
			t.Errorf("score %v needs %v bits, not %v", score, got, enough)
		}
	}
}

// TestNoNames: a match without names, such as one of a text, has no unchanged names that speak for a copy. One with names has.
func TestNoNames(t *testing.T) {
	text := Evidence{Order: 90}
	code := Evidence{Order: 90, Identifiers: 12, Unchanged: 12}
	if a, b := text.Traits(10, 0), code.Traits(10, 0); a.Unchanged != 0 || b.Unchanged != 1 || a.Order != b.Order {
		t.Errorf("%+v of a text, %+v of code", a, b)
	}
	l := DefaultLikelihood()
	if a, b := l.Score(text.Traits(10, 0)), l.Score(code.Traits(10, 0)); a > 0.6 || b < 0.9 {
		t.Errorf("a text scores %v, code %v", a, b)
	}
	if !Doubted(0.1, text.Share()) {
		t.Error("a text of which nothing was renamed is not doubted")
	}
}

// TestDoubted: code that keeps its names is doubted below a score, renamed code is not.
func TestDoubted(t *testing.T) {
	for _, c := range []struct {
		score, unchanged float64
		want             bool
	}{{0.1, 0.9, true}, {0.1, 0.1, false}, {0.19, 0.41, true}, {0.2, 1, false}, {0.9, 1, false}} {
		if got := Doubted(c.score, c.unchanged); got != c.want {
			t.Errorf("score %v, %v unchanged: %v", c.score, c.unchanged, got)
		}
	}
}
