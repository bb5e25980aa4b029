package describe

import (
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestBeside: a doubted finding stays if another one of the same package, in any version, is likely a copy.
func TestBeside(t *testing.T) {
	of := func(score float64, pkg string) Found {
		return Found{Finding: finding.Finding{Score: score, Origins: []finding.Origin{{PURL: pkg}}}}
	}
	doubted := of(0.1, "pkg:generic/zlib@1.2.13")
	for _, c := range []struct {
		name string
		with Found
		want bool
	}{
		{"likely", of(0.9, "pkg:generic/zlib@1.3"), true},
		{"doubted too", of(0.1, "pkg:generic/zlib@1.2.13"), false},
		{"of another package", of(0.9, "pkg:generic/libpng@1.6"), false},
	} {
		if got := len((&doubts{found: []Found{doubted, c.with}}).beside(0, companion)) > 0; got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
