package scanner_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
)

// versions returns versions of a text as people might make them. Foreign lines are added, some of them too few to be found, and
// lines are removed, so that separate code becomes adjacent.
func versions(rnd *rand.Rand, text string, others []string, n int) (out []string) {
	lines := strings.SplitAfter(text, "\n")
	for range n {
		at := rnd.IntN(len(lines))
		if rnd.IntN(3) == 0 {
			lines = slices.Delete(lines, at, min(len(lines), at+rnd.IntN(12)))
		} else {
			from := strings.SplitAfter(others[rnd.IntN(len(others))], "\n")
			first := rnd.IntN(len(from))
			lines = slices.Insert(lines, at, from[first:min(len(from), first+1+rnd.IntN(8))]...)
		}
		out = append(out, strings.Join(lines, ""))
	}
	return out
}

// TestVersions: a version that is compared only where it differs from the one before has the same findings as when it is examined
// as a whole.
func TestVersions(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	w := s.NewWorker()
	defer w.Close()
	var known []string
	for _, name := range stdNames {
		known = append(known, std(t, name))
	}
	input := func(text string, before *examine.Earlier) examine.Output {
		out, err := w.Input(context.Background(), examine.Input{Path: "a.go", Earlier: before, Read: func(context.Context) ([]byte, error) { return []byte(text), nil }})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	compared, entered := 0, 0
	for seed := range uint64(30) {
		var before *examine.Earlier
		for i, text := range versions(rand.New(rand.NewPCG(seed, 1)), std(t, "text/tabwriter/tabwriter.go"), known, 10) {
			whole, out := input(text, nil), input(text, before)
			a, err := json.Marshal(whole.Findings)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := json.Marshal(out.Findings); err != nil || string(a) != string(b) {
				t.Errorf("version %d of %d: %d findings, %d in all of it, %v", i, seed, len(out.Findings), len(whole.Findings), err)
			}
			if before != nil {
				compared++
				entered += min(1, len(whole.Findings))
			}
			if len(whole.Findings) > 0 {
				break
			}
			before = &examine.Earlier{Read: func(context.Context) ([]byte, error) { return []byte(text), nil }, Language: out.Language, Longest: out.Longest, Aligned: out.Aligned}
		}
	}
	if t.Logf("%d versions compared, a finding entered with %d", compared, entered); compared < 60 || entered < 10 {
		t.Errorf("%d versions were compared with the one before, a finding entered with %d", compared, entered)
	}
}

// TestComparedVersions: an identical version is compared with no document; a version in another language is examined as a whole.
func TestComparedVersions(t *testing.T) {
	s := scan(t, scanner.Options{}, stdBaseline(t))
	w := s.NewWorker()
	defer w.Close()
	text := head + function(t, std(t, copied[0].file), copied[0].head).text
	read := func(context.Context) ([]byte, error) { return []byte(text), nil }
	whole, err := w.Input(context.Background(), examine.Input{Path: "a.go", Read: read})
	if err != nil || whole.Longest != whole.Tokens {
		t.Fatalf("%d tokens, %v, the longest version %d", whole.Tokens, err, whole.Longest)
	}
	n := whole.Tokens
	for _, c := range []struct {
		name    string
		b       examine.Earlier
		found   int
		longest int64
	}{
		{"the same", examine.Earlier{Read: read, Language: "go", Longest: n}, 0, n},
		{"a little shorter than one before", examine.Earlier{Read: read, Language: "go", Longest: n + n/10}, 0, n + n/10},
		{"much shorter than one before", examine.Earlier{Read: read, Language: "go", Longest: 2 * n}, 1, n},
		{"in another language", examine.Earlier{Read: read, Language: "c", Longest: n}, 1, n},
	} {
		out, err := w.Input(context.Background(), examine.Input{Path: "a.go", Earlier: &c.b, Read: read})
		if err != nil || len(out.Findings) != c.found || out.Longest != c.longest {
			t.Errorf("%s: %d findings, %v, want %d; the longest version has %d tokens, want %d", c.name, len(out.Findings), err, c.found, out.Longest, c.longest)
		}
	}
}
