package region

import (
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
)

func proof(runs ...match.Run) evidence.Proof {
	return evidence.Of(new(documents.Document), match.Match{Runs: runs})
}

// TestGather: the longest match makes a region with all matches that are inside it by four fifths; a match in its gap is another
// region.
func TestGather(t *testing.T) {
	long := proof(match.Run{Target: 0, Origin: 0, Len: 100}, match.Run{Target: 200, Origin: 200, Len: 100})
	for _, c := range []struct {
		name    string
		other   evidence.Proof
		regions int
	}{
		{"within", proof(match.Run{Target: 20, Origin: 500, Len: 50}), 1},
		{"four fifths within", proof(match.Run{Target: 260, Origin: 500, Len: 50}), 1},
		{"less", proof(match.Run{Target: 265, Origin: 500, Len: 50}), 2},
		{"in a gap", proof(match.Run{Target: 110, Origin: 500, Len: 50}), 2},
		{"behind", proof(match.Run{Target: 400, Origin: 500, Len: 50}), 2},
	} {
		rs := Gather([]evidence.Proof{c.other, long})
		if len(rs) != c.regions || rs[0].Proofs[0].Tokens() != 200 {
			t.Errorf("%s: %d regions, the first of %d tokens; want %d, and the longest first", c.name, len(rs), rs[0].Proofs[0].Tokens(), c.regions)
		}
	}
}

// TestRankedBundle: of two packages whose files match alike, that of the smaller file comes first, in all versions of both.
func TestRankedBundle(t *testing.T) {
	match := func(tokens uint32, key int, purls ...string) (evidence.Proof, []baseline.Occurrence) {
		p := proof(match.Run{Target: 0, Origin: 0, Len: 100})
		p.Doc.Tokens, p.Doc.Key.Baseline = tokens, key
		var os []baseline.Occurrence
		for _, u := range purls {
			os = append(os, baseline.Occurrence{PURL: u, Path: "x.js"})
		}
		return p, os
	}
	bundle, inBundle := match(5000, 1, "pkg:npm/app@1.0.0", "pkg:npm/app@1.1.0")
	file, inFile := match(120, 2, "pkg:npm/lib@2.0.0")
	longer, inLonger := match(9000, 3, "pkg:npm/lib@1.0.0")
	r := Region{Proofs: []evidence.Proof{bundle, longer, file}}
	var got []string
	for _, o := range r.Ranked(Others{bundle.Doc.Key: inBundle, file.Doc.Key: inFile, longer.Doc.Key: inLonger}) {
		got = append(got, o.PURL)
	}
	want := []string{"pkg:npm/lib@1.0.0", "pkg:npm/lib@2.0.0", "pkg:npm/app@1.0.0", "pkg:npm/app@1.1.0"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNamesPackage: a directory names a package in the spelling of any registry.
func TestNamesPackage(t *testing.T) {
	for _, c := range []struct {
		path, purl string
		want       bool
	}{
		{"src/pip/_vendor/requests/api.py", "pkg:pypi/requests@2.32.0", true},
		{"third_party/typing-extensions/x.py", "pkg:pypi/typing_extensions@4.0.0", true},
		{"vendor/github.com/pkg/errors/errors.go", "pkg:golang/github.com/pkg/errors@v0.9.1", true},
		{"third_party/github.com/prometheus/client_golang/prometheus/counter.go", "pkg:github/prometheus/client_golang@1.19.0", true},
		{"third_party/github.com/prometheus/client_golang/prometheus/counter.go", "pkg:github/prometheus/prometheus@2.48.0", false},
		{"requests.py", "pkg:pypi/requests@2.32.0", false},
		{"lib/request/api.py", "pkg:pypi/requests@2.32.0", false},
	} {
		if got := NamesPackage(c.path, c.purl); got != c.want {
			t.Errorf("%s names %s: %t", c.path, c.purl, got)
		}
	}
}

// TestMostOf: a package that a path names needs two fifths of the region.
func TestMostOf(t *testing.T) {
	c := Candidate{Best: Occurrence{Proof: proof(match.Run{Target: 100, Origin: 0, Len: 100})}}
	for shared, want := range map[uint32]bool{39: false, 40: true, 100: true} {
		if got := c.MostOf(proof(match.Run{Target: 200 - shared, Origin: 700, Len: 100}).Match); got != want {
			t.Errorf("%d of 100 tokens: %t", shared, got)
		}
	}
}
