package order_test

import (
	"math/rand/v2"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	"github.com/git-provenance/git-provenance/scanner/report/order"
)

func TestRankedAndFocus(t *testing.T) {
	r := reporttest.Many(50)
	rnd := rand.New(rand.NewPCG(5, 6))
	for i := range r.Findings {
		r.Findings[i].Level = []string{"ignore", "note", "warning", "error", "odd"}[rnd.IntN(5)]
	}
	weight := func(f *finding.Finding) int {
		return map[string]int{"error": 0, "warning": 1, "odd": 1, "note": 2, "ignore": 3}[f.Level]
	}
	ranked := order.Ranked(r.Findings)
	for i := range ranked[1:] {
		a, b := ranked[i], ranked[i+1]
		if weight(a) > weight(b) || weight(a) == weight(b) && a.Bits < b.Bits {
			t.Errorf("%s %.0f before %s %.0f", a.Level, a.Bits, b.Level, b.Bits)
		}
	}
	for _, c := range []struct{ f, want finding.Lines }{
		{finding.Lines{StartLine: 3, EndLine: 9}, finding.Lines{StartLine: 3, EndLine: 9}},
		{finding.Lines{StartLine: -3, EndLine: -9}, finding.Lines{StartLine: 1, EndLine: 1}},
	} {
		if got := order.Focus(&finding.Finding{StartLine: c.f.StartLine, EndLine: c.f.EndLine}); got != c.want {
			t.Errorf("%v: %v", c.f, got)
		}
	}
}

// TestProseRanked: prose is behind code, however much it weighs.
func TestProseRanked(t *testing.T) {
	ranked := order.Ranked(reporttest.Grouping().Findings)
	if last := ranked[len(ranked)-1]; last.ID != "p1" {
		t.Errorf("%s is last", last.ID)
	}
}

// TestPackageOf: a group that comes from several versions of a package names none of them.
func TestPackageOf(t *testing.T) {
	of := func(purls ...string) (g []*finding.Finding) {
		for _, p := range purls {
			g = append(g, &finding.Finding{Origins: []finding.Origin{{PURL: p}}})
		}
		return g
	}
	for _, c := range []struct {
		g    []*finding.Finding
		want string
	}{
		{of("pkg:npm/pad@1.0.0", "pkg:npm/pad@1.0.0"), "pkg:npm/pad@1.0.0"},
		{of("pkg:npm/pad@1.0.0", "pkg:npm/pad@1.1.0"), "pkg:npm/pad"},
	} {
		if got := order.PackageOf(c.g); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
