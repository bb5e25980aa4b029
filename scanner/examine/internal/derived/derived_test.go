package derived

import (
	"math"
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// TestCertainRuns: the bits of comments do not make runs certain, so derived code around them is still searched.
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
		one := region.Candidate{Evidence: score.Evidence{Bits: c.bits, Terms: score.Terms{Comments: c.comments}}}
		one.Best.Runs = []match.Run{{Len: c.tokens}}
		if got := CertainRuns([]region.Candidate{one}); len(got) != c.want {
			t.Errorf("%s: %v, want %d stretches", c.name, got, c.want)
		}
	}
}

// TestChained: overlapping alignments with one document become one, unless their orders contradict each other.
func TestChained(t *testing.T) {
	rules := &text.Rules{Matching: match.Defaults(20), Least: 31}
	se := &Search{text: &text.Examined{Rules: rules}}
	one, other := &documents.Document{}, &documents.Document{Key: lookup.Key{ID: 1}}
	aligned := func(d *documents.Document, runs ...match.Run) evidence.Proof {
		p := evidence.Of(d, match.Match{Runs: runs})
		p.Derived = true
		return p
	}
	ps := []evidence.Proof{
		aligned(one, match.Run{Target: 300, Origin: 340, Len: 100}, match.Run{Target: 450, Origin: 500, Len: 100}),
		aligned(other, match.Run{Target: 390, Origin: 390, Len: 100}),
		aligned(one, match.Run{Target: 0, Origin: 20, Len: 200}, match.Run{Target: 300, Origin: 340, Len: 50}),
		aligned(one, match.Run{Target: 540, Origin: 0, Len: 200}), // later in the target, earlier in the document
		aligned(one, match.Run{Target: 900, Origin: 950, Len: 100}),
	}
	got := se.chained(ps)[len(ps):]
	want := []match.Run{{Target: 0, Origin: 20, Len: 200}, {Target: 300, Origin: 340, Len: 100}, {Target: 450, Origin: 500, Len: 100}}
	if len(got) != 1 || got[0].Doc != one || !slices.Equal(got[0].Runs, want) || got[0].From != 0 || got[0].To != 550 {
		t.Errorf("chains %+v, want one of %v", got, want)
	}
}

// TestSpansWith: a document that was loaded again in between is the same document.
func TestSpansWith(t *testing.T) {
	key := lookup.Key{ID: 1}
	ps := []evidence.Proof{
		evidence.Of(&documents.Document{Key: key}, match.Match{Runs: []match.Run{{Target: 10, Len: 40}}}),
		evidence.Of(&documents.Document{Key: lookup.Key{ID: 2}}, match.Match{Runs: []match.Run{{Target: 90, Len: 40}}}),
	}
	want := []match.Interval{{From: 10, To: 50}}
	if got := spansWith(ps, &documents.Document{Key: key}); !slices.Equal(got, want) {
		t.Errorf("have %v of the target, want %v", got, want)
	}
}

// TestRoomsOf: a region may reach half of the way to the next one on either side. If another region overlaps it, shares its lines
// or is inside it, it may not grow.
func TestRoomsOf(t *testing.T) {
	lines := []linediff.Range{{First: 10, Last: 20}, {First: 31, Last: 40}, {First: 60, Last: 90}, {First: 70, Last: 75}, {First: 100, Last: 110}, {First: 100, Last: 110}}
	want := []linediff.Range{{First: 1, Last: 25}, {First: 26, Last: 50}, {First: 60, Last: 90}, {First: 70, Last: 75}, {First: 100, Last: 110}, {First: 100, Last: 110}}
	if got := roomsOf(lines); !slices.Equal(got, want) {
		t.Errorf("%v have room %v, want %v", lines, got, want)
	}
	if got := roomsOf(lines[:1]); got[0] != (linediff.Range{First: 1, Last: math.MaxInt}) {
		t.Errorf("a region alone has room %v", got[0])
	}
}
