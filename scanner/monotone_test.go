package scanner_test

import (
	"path/filepath"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// stdPackages are the source files of packages of the Go distribution.
func stdPackages(t *testing.T, dirs ...string) files {
	t.Helper()
	root, err := goroot()
	if err != nil {
		t.Skipf("no Go distribution: %v", err)
	}
	var names []string
	for _, dir := range dirs {
		found, err := filepath.Glob(filepath.Join(root, "src", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			names = append(names, dir+"/"+filepath.Base(name))
		}
	}
	return stdFiles(t, names...)
}

// TestThresholdsOnlyCut: a finding of a longer minimum is one of a shorter, with the same
// tokens, lines and evidence, and what is found at a higher score is found at a lower.
func TestThresholdsOnlyCut(t *testing.T) {
	b := based(t, pack{"pkg:generic/known@1", "BSD-3-Clause", "2020-01-01", stdPackages(t, "sort", "strings", "encoding/hex", "go/scanner")})
	target := stdPackages(t, "slices", "bytes", "encoding/base64", "text/scanner").dir(t)
	found := func(tokens int, score float64) map[string]finding.Finding {
		o := scanner.Options{Options: examine.Options{MinTokens: tokens, MinScore: score}}
		out := make(map[string]finding.Finding)
		for _, f := range tree(t, scan(t, o, b), target).Findings {
			out[f.ID] = f
		}
		return out
	}
	for _, score := range []float64{0.5, 0.95} {
		loose := found(31, score)
		for _, tokens := range []int{40, 55, 80, 200} {
			strict := found(tokens, score)
			if len(strict) == 0 || len(strict) == len(loose) {
				t.Errorf("%d findings of %d tokens and more, %d of 31 and more: the setting cuts nothing", len(strict), tokens, len(loose))
			}
			for id, f := range strict {
				if g, ok := loose[id]; !ok || g.Tokens != f.Tokens || g.StartLine != f.StartLine || g.EndLine != f.EndLine || g.Bits != f.Bits {
					t.Errorf("%s:%d-%d of %d tokens and %v bits is found from %d tokens on; from 31 on it is %+v", f.Path, f.StartLine, f.EndLine, f.Tokens, f.Bits, tokens, g)
				}
			}
			loose = strict
		}
	}
	loose, strict := lines(found(31, 0.5)), lines(found(31, 0.95))
	for l := range strict {
		if !loose[l] {
			t.Errorf("%s:%d is found at 0.95 but not at 0.5", l.path, l.line)
		}
	}
}

// line is a line that comes from a file of an origin.
type line struct {
	path, origin string
	line         int
}

// lines are all that findings have. What a lower score adds can join two regions of one
// file, so that findings of a higher are not the same ones.
func lines(fs map[string]finding.Finding) map[line]bool {
	out := make(map[line]bool)
	for _, f := range fs {
		for n := f.StartLine; n <= f.EndLine; n++ {
			out[line{f.Path, f.Origins[0].Path, n}] = true
		}
	}
	return out
}
