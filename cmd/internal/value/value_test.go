package value_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/cmd/internal/value"
)

// TestSuffixes: the flag grows, and is a list for the environment and the configuration file. Wildcards are refused each way.
func TestSuffixes(t *testing.T) {
	var got []string
	v := value.Suffixes(&got)
	if err := v.Set(".go"); err != nil {
		t.Fatal(err)
	}
	if err := v.Append(".c"); err != nil || !slices.Equal(got, []string{".go", ".c"}) {
		t.Errorf("%q, %v", got, err)
	}
	if err := v.Replace([]string{".java", ".kt"}); err != nil || !slices.Equal(got, []string{".java", ".kt"}) {
		t.Errorf("%q, %v", got, err)
	}
	if v.Set("*.go") == nil || v.Append("") == nil || v.Replace([]string{"*.go"}) == nil {
		t.Error("a wildcard or nothing is no suffix")
	}
}

func TestNearest(t *testing.T) {
	words := []string{"min-tokens", "min-score", "baseline", "base", "key"}
	for in, want := range map[string]string{
		"min-token": "min-tokens", "min_score": "min-score", "baselines": "baseline", "bas": "base", "basleine": "baseline",
		"min-": "", "ky": "key", "k": "", "": "", "colour": "", strings.Repeat("b", 100): "",
	} {
		if got := value.Nearest(in, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", in, got, want)
		}
	}
}
