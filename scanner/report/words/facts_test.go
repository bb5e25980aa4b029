package words

import (
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestAmount: a part is never nothing, and annotations are told if they are half of the gaps.
func TestAmount(t *testing.T) {
	runs := make([]finding.Run, 4)
	for want, f := range map[string]finding.Finding{
		"40 tokens, under 1% of the file; edited (type 3)":                                            {Tokens: 40, CloneType: 3},
		"documentation copied: 40 words of a comment, under 1% of those in the file's comments":       {Tokens: 40, Documentation: true},
		"40 tokens in 4 runs, 50% of the file; edited (type 3), type annotations added (2 of 3 gaps)": {Tokens: 40, FileShare: 0.5, CloneType: 3, Runs: runs, TypeAnnotations: 2},
		"40 tokens in 4 runs, 50% of the file; edited (type 3)":                                       {Tokens: 40, FileShare: 0.5, CloneType: 3, Runs: runs, TypeAnnotations: 1},
		"40 tokens, 50% of the file; edited (type 3), derived: all runs together are the evidence":    {Tokens: 40, FileShare: 0.5, CloneType: 3, Runs: runs[:1], Derived: true},
		"40 tokens in 2 runs, 100% of the file; edited (type 3), type annotations added (1 of 1 gap)": {Tokens: 40, FileShare: 1, CloneType: 3, Runs: runs[:2], TypeAnnotations: 1},
		"40 tokens, 100% of the file; same tokens, layout or comments may differ (type 1)":            {Tokens: 40, FileShare: 1, CloneType: 1},
	} {
		if got := Amount(&f).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestFunctions: a pair of one name has it once, and a few pairs are enough in short.
func TestFunctions(t *testing.T) {
	f := &finding.Finding{}
	for range 7 {
		f.Functions = append(f.Functions, finding.Pair{Name: "add", OriginName: "add", StartLine: 1, EndLine: 3, Share: 1})
	}
	f.Functions[1].OriginName = "put"
	brief := Functions(f, Brief)
	if want := []string{"add (lines 1-3, 100% of it)", "add (lines 1-3) is put (100% of it)"}; !slices.Equal(brief[:2], want) || len(brief) != maxFunctions+1 || brief[maxFunctions] != "+2 more" {
		t.Errorf("%q", brief)
	}
	if all := Functions(f, Full); len(all) != 7 {
		t.Errorf("%q", all)
	}
}
