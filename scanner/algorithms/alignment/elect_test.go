package alignment

import (
	"testing"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// TestElect: a name counts once at each place, and the place with most bits wins, for any order of votes.
func TestElect(t *testing.T) {
	vote := func(target, origin, name uint32, bits float64) Vote {
		return Vote{Seed: match.Seed{Target: target, Origin: origin}, Name: name, Bits: bits}
	}
	votes := []Vote{
		vote(10, 900, 1, 9), vote(20, 910, 1, 9), vote(30, 920, 1, 9), // one name, three times
		vote(12, 512, 2, 6), vote(40, 548, 3, 5), vote(50, 549, 4, 4), // three names, with a few tokens inserted
		vote(60, 60, 5, 8),
	}
	for range len(votes) {
		votes = append(votes[1:], votes[0])
		if seed, bits := Elect(votes); bits != 15 || seed.Origin < 512 || seed.Origin > 549 {
			t.Errorf("%+v with %v bits is elected, want the place at 512 with 15", seed, bits)
		}
	}
	if _, bits := Elect(nil); bits != 0 {
		t.Errorf("nobody votes for %v bits", bits)
	}
}

// TestElectMiddle: the place is in the middle of the names that agree, by their bits. A probe strays 40 tokens from it.
func TestElectMiddle(t *testing.T) {
	votes := []Vote{
		{Seed: match.Seed{Target: 5, Origin: 105}, Name: 1, Bits: 3},
		{Seed: match.Seed{Target: 10, Origin: 160}, Name: 2, Bits: 6},
		{Seed: match.Seed{Target: 20, Origin: 175}, Name: 3, Bits: 6},
		{Seed: match.Seed{Target: 30, Origin: 190}, Name: 4, Bits: 6},
	}
	if seed, bits := Elect(votes); bits != 21 || seed != (match.Seed{Target: 20, Origin: 175}) {
		t.Errorf("%+v with %v bits is elected, want the middle at 175 with 21", seed, bits)
	}
}
