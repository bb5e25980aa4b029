package repos

import "testing"

// gives counts how often a repository has given back what reading took.
type gives int

func (g *gives) GiveBack() { *g++ }

// A repository gives back what reading it took as soon as another is read, and not between two of its own packages.
func TestTurn(t *testing.T) {
	var turn Turn
	a, b := new(gives), new(gives)
	for _, r := range []*gives{a, a, b, b, a} {
		turn.take(r)
	}
	if *a != 1 || *b != 1 {
		t.Errorf("given back %d and %d times, want once each", *a, *b)
	}
	(*Turn)(nil).take(a)
}
