package examine

import (
	"math"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// TestNeeds: less is enough for an alignment, but not where frameworks are extended in one way.
func TestNeeds(t *testing.T) {
	aligned := score.Evidence{Aligned: true, Order: 30, Terms: score.Terms{Names: 20}}
	for language, want := range map[string]float64{"go": 50, "cpp": 50, "typescript": 50, "kotlin": 50, "php": 50, "rust": 50, "ruby": 70, "csharp": 70, "swift": 70} {
		q := query{e: &Examiner{derived: score.StandingDerived()}, Stream: Stream{Language: lang.ByName(language)}}
		if got := q.needs(aligned, 70); got != want {
			t.Errorf("%s: an alignment needs %v bits, want %v", language, got, want)
		}
		if got := q.needs(score.Evidence{}, 70); got != 70 {
			t.Errorf("%s: a match needs %v bits, want 70", language, got)
		}
	}
}

// TestCertainRuns: comments that agree make a match certain, but leave as much to be found around it as there was.
func TestCertainRuns(t *testing.T) {
	for _, c := range []struct {
		name           string
		bits, comments float64
		tokens         uint32
		want           int
	}{
		{"certain by its code", beyondDoubt, 0, denseRun, 1},
		{"certain by a comment", beyondDoubt, 40, denseRun, 0},
		{"certain, and a comment", beyondDoubt + 40, 40, denseRun, 1},
		{"short", beyondDoubt, 0, denseRun - 1, 0},
	} {
		one := candidate{ev: score.Evidence{Bits: c.bits, Terms: score.Terms{Comments: c.comments}}}
		one.best.Runs = []match.Run{{Len: c.tokens}}
		if got := certainRuns([]candidate{one}); len(got) != c.want {
			t.Errorf("%s: %v, want %d stretches", c.name, got, c.want)
		}
	}
}

// TestRoomsOf: a region may reach half of the way to the next one on either side, and not beyond itself where another
// overlaps it, has its lines, or lies in it.
func TestRoomsOf(t *testing.T) {
	lines := []git.Range{{First: 10, Last: 20}, {First: 31, Last: 40}, {First: 60, Last: 90}, {First: 70, Last: 75}, {First: 100, Last: 110}, {First: 100, Last: 110}}
	want := []room{{1, 25}, {26, 50}, {60, 90}, {70, 75}, {100, 110}, {100, 110}}
	if got := roomsOf(lines); !slices.Equal(got, want) {
		t.Errorf("%v have room %v, want %v", lines, got, want)
	}
	if got := roomsOf(lines[:1]); got[0] != (room{1, math.MaxInt}) {
		t.Errorf("a region alone has room %v", got[0])
	}
}
