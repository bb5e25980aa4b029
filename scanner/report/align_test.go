package report

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
	got := align(sides, []finding.Rename{{Origin: "buf", Target: "b", Count: 2}})
	want := []row{{0, 0}, {1, 1}, {2, 2}, {-1, 3}, {3, 4}, {4, -1}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Every line of both sides stands in one row, in order.
func FuzzAlign(f *testing.F) {
	f.Add("a\nb\nc", "b\nc\na")
	f.Fuzz(func(t *testing.T, a, b string) {
		s := &finding.Sides{Target: finding.Excerpt{Lines: lines(a)}, Origin: finding.Excerpt{Lines: lines(b)}}
		at, to := 0, 0
		for _, r := range align(s, nil) {
			if r.target >= 0 {
				if r.target != at {
					t.Fatalf("target line %d after %d", r.target, at)
				}
				at++
			}
			if r.origin >= 0 {
				if r.origin != to {
					t.Fatalf("origin line %d after %d", r.origin, to)
				}
				to++
			}
		}
		if at != len(s.Target.Lines) || to != len(s.Origin.Lines) {
			t.Fatalf("%d of %d and %d of %d lines", at, len(s.Target.Lines), to, len(s.Origin.Lines))
		}
	})
}

func lines(s string) []string {
	if len(s) > 200 {
		s = s[:200]
	}
	var out []string
	for _, r := range s {
		out = append(out, string(r))
	}
	return out
}
