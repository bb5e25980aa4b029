package filter

import (
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
)

func rules() Rules {
	return Rules{Params: fingerprint.Params{K: 20, W: 12}, Match: match.Defaults(20), Least: 31}
}

// TestLeastSeeds: one seed reaches 42 tokens with k 20 and w 12, and each further seed adds at most as many.
func TestLeastSeeds(t *testing.T) {
	for least, want := range map[int]int{1: 1, 31: 1, 42: 1, 43: 2, 84: 2, 85: 3} {
		r := rules()
		r.Least = least
		if got := New(r).LeastSeeds(); got != want {
			t.Errorf("%d tokens: %d seeds, want %d", least, got, want)
		}
	}
}

// TestCheapAnswers: proposals that are too short, or within a longer match, are rejected without reading names.
func TestCheapAnswers(t *testing.T) {
	at := func(targets ...uint32) lookup.Proposal {
		p := lookup.Proposal{Count: len(targets)}
		for _, s := range targets {
			p.Seeds = append(p.Seeds, match.Seed{Target: s, Origin: s})
		}
		return p
	}
	long := cover{spans: []match.Interval{{From: 100, To: 300}}, tokens: 200}
	for _, c := range []struct {
		name    string
		least   int
		covered []cover
		p       lookup.Proposal
		want    Answer
		first   uint32
	}{
		{"a seed reaches 42 tokens", 43, nil, at(150), TooShort, 0},
		{"within a match of four times its length", 31, []cover{long}, at(150), Covered, 139},
		{"with some slack at its ends", 31, []cover{long}, at(100), Covered, 89},
	} {
		r := rules()
		r.Least = c.least
		f := New(r)
		f.Begin(Text{Tokens: 400})
		f.covered = c.covered
		if d, err := f.Ask(c.p); err != nil || d.Answer != c.want || d.First != c.first {
			t.Errorf("%s: answer %d from token %d, %v; want %d from %d", c.name, d.Answer, d.First, err, c.want, c.first)
		}
	}
	f := New(rules())
	f.reach, f.covered = []match.Interval{{From: 100, To: 160}}, []cover{long}
	if f.inCovered() {
		t.Error("60 tokens are a small part of 200")
	}
	f.reach = []match.Interval{{From: 280, To: 320}}
	if f.inCovered() {
		t.Error("a stretch that leads out of the match is within it")
	}
	f.reach, f.text.Repeats = []match.Interval{{From: 110, To: 150}}, []match.Interval{{From: 155, To: 290}}
	if f.inCovered() {
		t.Error("a stretch that can go on where no seeds are followed is a small part")
	}
	f.text.Repeats = []match.Interval{{From: 175, To: 290}}
	if !f.inCovered() {
		t.Error("a stretch far from where no seeds are followed is no small part")
	}
}
