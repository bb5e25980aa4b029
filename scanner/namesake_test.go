package scanner_test

import (
	"math"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// TestNamesakeNeedsLess: an alignment of one function on both sides needs fewer bits if the function has a name of its own. The name of a
// method that overrides another is not its own.
func TestNamesakeNeedsLess(t *testing.T) {
	const text = "package mill;\n\nclass Mill extends Works {\n\tint grindSack(int n, int[] out) {\n\t\tif (n < 1) {\n\t\t\tthrow new IdleStones(n);\n\t\t}\n\t\tfor (int i = 0; i < n; i++) {\n\t\t\tout[i] = n - i;\n\t\t}\n\t\treturn furrowDepth(n);\n\t}\n}\n"
	edits := strings.NewReplacer("int[] out", "final int[] out", "new Idle", "(RuntimeException) new Idle", "n < 1", "n < 1 || out.length < n", "i = 0; i < n; i++", "i = n; i > 0; i--", "n - i", "2 * n - i")
	override := func(s string) string { return strings.Replace(s, "\tint grindSack", "\t@Override\n\tint grindSack", 1) }
	needs := func(was, is string) float64 {
		b := based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"Mill.java": was}}, pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go")})
		fs := tree(t, scan(t, scanner.Options{}, b), files{"Mill.java": is}.dir(t)).Findings
		if len(fs) != 1 || !fs[0].Derived {
			t.Fatalf("%d findings, want one that is derived: %+v", len(fs), fs)
		}
		return fs[0].Bits - fs[0].ScoredBy.Above
	}
	edited := edits.Replace(text)
	named, renamed, overrides := needs(text, edited), needs(text, strings.ReplaceAll(edited, "grindSack", "crushGrain")), min(needs(override(text), edited), needs(text, override(edited)))
	if less := renamed - named; math.Abs(less-score.DefaultDerived().Named) > 0.5 {
		t.Errorf("under its own name it needs %.1f bits fewer, want %.1f", less, score.DefaultDerived().Named)
	}
	if overrides-named < score.DefaultDerived().Named/2 {
		t.Errorf("an override needs %.1f bits, a method of its own %.1f", overrides, named)
	}
}
