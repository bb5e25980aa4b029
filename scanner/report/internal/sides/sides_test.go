package sides

import (
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

func TestAlign(t *testing.T) {
	sides := &finding.Sides{
		Target: finding.Excerpt{StartLine: 5, Lines: []string{"func f(b []byte) {", "  // new", "  use(b)", "}", "x"}},
		Origin: finding.Excerpt{StartLine: 9, Lines: []string{"func f(buf []byte) {", "", "\tuse( buf )", "\tlog()", "}"}},
	}
	got := Align(sides, []finding.Rename{{Origin: "buf", Target: "b", Count: 2}})
	want := []row{{0, 0}, {1, 1}, {2, 2}, {-1, 3}, {3, 4}, {4, -1}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// FuzzAlign checks that every line of both sides is in one row, in order.
func FuzzAlign(f *testing.F) {
	f.Add("a\nb\nc", "b\nc\na")
	f.Fuzz(func(t *testing.T, a, b string) {
		s := &finding.Sides{Target: finding.Excerpt{Lines: Lines(a)}, Origin: finding.Excerpt{Lines: Lines(b)}}
		at, to := 0, 0
		for _, r := range Align(s, nil) {
			if r.Target >= 0 {
				if r.Target != at {
					t.Fatalf("target line %d after %d", r.Target, at)
				}
				at++
			}
			if r.Origin >= 0 {
				if r.Origin != to {
					t.Fatalf("origin line %d after %d", r.Origin, to)
				}
				to++
			}
		}
		if at != len(s.Target.Lines) || to != len(s.Origin.Lines) {
			t.Fatalf("%d of %d and %d of %d lines", at, len(s.Target.Lines), to, len(s.Origin.Lines))
		}
	})
}

func Lines(s string) []string {
	if len(s) > 200 {
		s = s[:200]
	}
	var out []string
	for _, r := range s {
		out = append(out, string(r))
	}
	return out
}
