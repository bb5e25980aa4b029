package changed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/algorithms/linediff"
)

// numbered returns lines of numbers.
func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "%d\n", i)
	}
	return b.String()
}

func TestLines(t *testing.T) {
	all := numbered(1, 30)
	for _, c := range []struct {
		name, before, now string
		want              []linediff.Range
	}{
		{"equal", all, all, nil},
		{"both empty", "", "", nil},
		{"new", "", numbered(1, 3), []linediff.Range{{First: 1, Last: 7}}},
		{"a line in the middle", all, numbered(1, 10) + "x\n" + numbered(11, 30), []linediff.Range{{First: 7, Last: 15}}},
		{"a line at the begin", all, "x\n" + all, []linediff.Range{{First: 1, Last: 5}}},
		{"a line at the end", all, all + "x\n", []linediff.Range{{First: 27, Last: 35}}},
		{"no end of line at the end", all, strings.TrimSuffix(all, "\n"), []linediff.Range{{First: 26, Last: 34}}},
		{"what stood apart comes next to each other", all, numbered(1, 10) + numbered(21, 30), []linediff.Range{{First: 7, Last: 14}}},
		{"moved", all, numbered(16, 30) + numbered(1, 15), []linediff.Range{{First: 1, Last: 4}, {First: 12, Last: 19}, {First: 27, Last: 34}}},
		{"nothing is left", all, "", []linediff.Range{{First: 1, Last: 4}}},
	} {
		if got := Lines([]byte(c.before), []byte(c.now)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestKnownOnly: for any edits, five lines that are left out are consecutive in the version before, too.
func TestKnownOnly(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		before := make([]string, rnd.IntN(60))
		for i := range before {
			before[i] = fmt.Sprintf("%d\n", rnd.IntN(12))
		}
		now := slices.Clone(before)
		for range rnd.IntN(4) {
			at := rnd.IntN(len(now) + 1)
			to := min(len(now), at+rnd.IntN(4))
			now = slices.Concat(now[:at], []string{"x\n", "5\n"}[:rnd.IntN(3)], now[to:])
		}
		changed := Lines([]byte(strings.Join(before, "")), []byte(strings.Join(now, "")))
		leftOut := func(line int) bool {
			return !slices.ContainsFunc(changed, func(r linediff.Range) bool { return r.First <= line && line <= r.Last })
		}
		text := "\n" + strings.Join(before, "\n")
		for i := 0; i+together <= len(now); i++ {
			if leftOut(i+1) && leftOut(i+together) && !strings.Contains(text, "\n"+strings.Join(now[i:i+together], "\n")) {
				t.Fatalf("lines %d to %d of %q are left out, after %q; changed are %v", i+1, i+together, now, before, changed)
			}
		}
	}
}
