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
		if got := newDoubts(nil, nil, []Found{doubted, c.with}, nil).accompanied(0, companion); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestDoubtsOfMany: a text may have thousands of findings of one package. To ask each for a companion must not read all others.
func TestDoubtsOfMany(t *testing.T) {
	found := make([]Found, 4000)
	for i := range found {
		found[i] = Found{Finding: finding.Finding{Score: 0.9, Origins: []finding.Origin{{PURL: "pkg:golang/example.com/ring@v1.2.3"}}}}
	}
	d := newDoubts(nil, nil, found, nil)
	if n := testing.AllocsPerRun(10, func() { d.accompanied(0, companion) }); n > 10 {
		t.Errorf("%v allocations to find a companion among %d", n, len(found))
	}
}
