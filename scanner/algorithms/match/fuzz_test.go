package match

import (
	"slices"
	"testing"
)

// fuzzed limits a stream: the reference compares every token with every other.
const fuzzed = 96

func kinds(data []byte) []uint32 {
	out := make([]uint32, min(len(data), fuzzed))
	for i := range out {
		out[i] = uint32(data[i] & 15)
	}
	return out
}

// verified fails unless matches consist of equal tokens, in order, with each target token in one match.
func verified(t *testing.T, target, origin Side, ms []Match) []bool {
	t.Helper()
	return covered(t, example{"input", target, origin, nil}, ms)
}

// FuzzFind compares the matches of two streams with brute force: they are equal on both sides, and no shared run of t tokens is
// missing.
func FuzzFind(f *testing.F) {
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaa"), []byte("aaaaaaaaaaaa"))
	f.Add([]byte("abcdefghijklmnopqr"), []byte("xxabcdefghijklmnopqrxx"))
	f.Add([]byte("abcdefgh1abcdefgh2abcdefgh"), []byte("abcdefghabcdefgh"))
	f.Add([]byte("abcabcabcabcabcdef"), []byte("cabcabcabdefabcabc"))
	p := smallParams()
	f.Fuzz(func(t *testing.T, a, b []byte) {
		target, origin := stream(kinds(a)), stream(kinds(b))
		seeds := seedsOf(target, origin, small, 0)
		ms, whole := Find(target, origin, slices.Clone(seeds), p)
		has := verified(t, target, origin, ms)
		for _, r := range trueRuns(target, origin, small.T()) {
			missing := 0
			for i := r.Target; whole && i < r.TargetEnd(); i++ {
				if missing++; has[i] {
					missing = 0
				}
				if missing >= p.MinRun {
					t.Fatalf("%d tokens of %v up to %d are in no match of %v", missing, r, i, ms)
				}
			}
		}
		slices.Reverse(seeds)
		again, _ := Find(target, origin, seeds, p)
		if !slices.EqualFunc(ms, again, func(a, b Match) bool { return slices.Equal(a.Runs, b.Runs) }) {
			t.Fatalf("%v, and with the seeds reversed %v", ms, again)
		}
	})
}

// FuzzSeeds uses seeds that no index would return: only equal tokens match.
func FuzzSeeds(f *testing.F) {
	f.Add([]byte("abcdefgh"), []byte("xxabcdefgh"), []byte{0, 2, 1, 3, 255, 0, 0, 255})
	f.Add([]byte("aaaaaaaaaaaa"), []byte("aaaaaaaa"), []byte{0, 0, 0, 3, 3, 0, 7, 7})
	f.Fuzz(func(t *testing.T, a, b, at []byte) {
		target, origin := stream(kinds(a)), stream(kinds(b))
		var seeds []Seed
		for ; len(at) >= 2 && len(seeds) < fuzzed; at = at[2:] {
			seeds = append(seeds, Seed{wide(at[0]), wide(at[1])})
		}
		ms, _ := Find(target, origin, seeds, smallParams())
		verified(t, target, origin, ms)
	})
}

// wide maps the highest bytes to positions at the end of the 32-bit range.
func wide(b byte) uint32 {
	if b >= 250 {
		return ^uint32(255 - b)
	}
	return uint32(b)
}
