package boilerplate

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestNextEntry: entries are found where the expression finds them in the whole text.
func TestNextEntry(t *testing.T) {
	anywhere := regexp.MustCompile(strings.TrimPrefix(entry().String(), "^"))
	parts := []string{`"`, `'`, `\x80`, `\xC2\x80`, `\xe2\x82\xAC\x81`, `"\x80"`, `'\x81'`, " => ", ":", "        =>        ", `\`, "x", "\n", ","}
	rng := rand.New(rand.NewPCG(2, 7))
	met := 0
	for range 20_000 {
		var b strings.Builder
		for range rng.IntN(24) {
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		var got [][]int
		for at := nextEntry([]byte(b.String()), 0); at != nil; at = nextEntry([]byte(b.String()), at[1]) {
			got = append(got, at)
		}
		want := anywhere.FindAllStringSubmatchIndex(b.String(), -1)
		if met += len(want); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%q: %v, want %v", b.String(), got, want)
		}
	}
	if met < 1000 {
		t.Errorf("only %d entries", met)
	}
}
