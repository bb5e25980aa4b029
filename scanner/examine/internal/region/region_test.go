package region

import (
	"slices"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/documents"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/evidence"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/text"
	"github.com/git-provenance/git-provenance/scanner/score"
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

// TestElder: of two packages that match alike, the one that had most of the region before, in a file of that name, is the origin.
func TestElder(t *testing.T) {
	type had struct {
		purl, path string
		released   int // year, 0 if unknown
		share      float64
		bits       float64 // 0: it was not judged
	}
	g := New(new(text.Examined), nil)
	best := had{"pkg:npm/user@1.0.0", "ui/select.js", 2024, 1, 400}
	for _, c := range []struct {
		name string
		os   []had
		want int
	}{
		{"an older form", []had{best, {"pkg:npm/lib@2.0.0", "src/select.js", 2025, 1, 400}, {"pkg:npm/lib@1.0.0", "src/select.js", 2023, 0.6, 0}}, 1},
		{"hardly fewer bits", []had{best, {"pkg:npm/lib@2.0.0", "src/select.js", 2023, 1, 399}}, 1},
		{"fewer bits", []had{best, {"pkg:npm/lib@2.0.0", "src/select.js", 2023, 1, 398}}, 0},
		{"less of the region", []had{best, {"pkg:npm/lib@2.0.0", "src/select.js", 2023, 0.99, 400}}, 0},
		{"an older form of little", []had{best, {"pkg:npm/lib@2.0.0", "src/select.js", 2025, 1, 400}, {"pkg:npm/lib@1.0.0", "src/select.js", 2023, 0.4, 0}}, 0},
		{"an older other file", []had{best, {"pkg:npm/lib@2.0.0", "src/select.js", 2025, 1, 400}, {"pkg:npm/lib@1.0.0", "src/menu.js", 2023, 0.9, 0}}, 0},
		{"unknown age", []had{best, {"pkg:npm/lib@2.0.0", "src/select.js", 0, 1, 400}}, 0},
		{"a copy that it keeps", []had{best, {"pkg:npm/lib@2.0.0", "third_party/select.js", 2023, 1, 400}}, 0},
		{"an older copy that it kept", []had{best, {"pkg:npm/lib@2.0.0", "src/select.js", 2025, 1, 400}, {"pkg:npm/lib@1.0.0", "third_party/select.js", 2023, 1, 400}}, 0}, // of someone else's
		{"its own older version", []had{best, {"pkg:npm/user@0.9.0", "ui/select.js", 2023, 1, 400}}, 0},
		{"the oldest of three", []had{best, {"pkg:npm/other@1.0.0", "a/select.js", 2023, 1, 400}, {"pkg:npm/lib@2.0.0", "b/select.js", 2022, 1, 399.5}}, 2},
	} {
		cand := Candidate{Judged: make(map[lookup.Key]score.Evidence)}
		for i, h := range c.os {
			p := proof(match.Run{Target: 0, Origin: 0, Len: 100})
			p.Doc.Key.Baseline = i
			o := Occurrence{Proof: p, Occurrence: baseline.Occurrence{PURL: h.purl, Path: h.path}, Share: h.share, Vendored: Vendored(h.path)}
			if h.released > 0 {
				o.Released = time.Date(h.released, 1, 1, 0, 0, 0, 0, time.UTC)
			}
			if h.bits > 0 {
				cand.Judged[p.Doc.Key] = score.Evidence{Bits: h.bits, Terms: score.Terms{Frequency: 1}}
			}
			cand.Occurrences = append(cand.Occurrences, o)
		}
		if got := g.elder(&cand); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, c.os[got].purl, c.os[c.want].purl)
		}
	}
}
