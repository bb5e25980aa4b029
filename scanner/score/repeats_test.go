package score

import (
	"testing"

	"github.com/git-provenance/git-provenance/lang"
)

// TestRepeats reads a match of one token, repeated, and one of different tokens.
func TestRepeats(t *testing.T) {
	const n = 1 << 20
	equal, different := make([]lang.Token, n), make([]lang.Token, n)
	for i := range different {
		different[i].Kind = uint32(i)
	}
	var s ngramSet
	s.Reset(2 * n)
	for i := range equal {
		want := 0 // the first has no six tokens that occurred before
		if i >= 3 {
			want = 3
		}
		if i >= 6 {
			want = 6
		}
		if got := s.repeated(equal[:i+1]); got != want {
			t.Fatalf("token %d of equal ones repeats %d, want %d", i, got, want)
		}
	}
	s.Reset(2 * n)
	for i := range different {
		if got := s.repeated(different[:i+1]); got != 0 {
			t.Fatalf("token %d of different ones repeats %d", i, got)
		}
	}
}
