package scanner_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestBaseCode: base code is no copy, in any place, renamed or not. Copied code beside it still is, with its own lines and
// shares.
func TestBaseCode(t *testing.T) {
	text := std(t, copied[3].file)
	b := based(t, pack{"pkg:generic/trie@1.0", "MIT", "", files{"replace.go": text}})
	fn := function(t, text, copied[3].head)
	lines := strings.SplitAfter(fn.text, "\n")
	half := len(lines) / 2
	first, second := strings.Join(lines[:half], ""), strings.Join(lines[half:], "")
	base := files{"skeleton.go": head + strings.ReplaceAll(first, "src", "wort")}.dir(t)
	target := files{"x.go": head + first + second}.dir(t)

	plain := one(t, tree(t, scan(t, scanner.Options{}, b), target))
	set := readBase(t, b, base)
	r := tree(t, scan(t, scanner.Options{Options: examine.Options{BaseCode: set}}, b), target)
	f := one(t, r)
	from := strings.Count(head, "\n") + half
	if f.Tokens >= plain.Tokens || f.StartLine < from-1 || f.StartLine > from+2 || f.EndLine != plain.EndLine {
		t.Errorf("lines %d-%d of %d tokens; before %d-%d of %d; base code ends at line %d", f.StartLine, f.EndLine, f.Tokens, plain.StartLine, plain.EndLine, plain.Tokens, from)
	}
	if f.FileShare < 0.9 {
		t.Errorf("the share of the file is %v: base code is still in the denominator", f.FileShare)
	}
	if !slices.ContainsFunc(r.Ledger, func(e finding.Entry) bool { return e.Path == "x.go" && e.Reason == finding.ReasonBaseCode }) {
		t.Errorf("nothing of it in the ledger: %v", r.Ledger)
	}

	all := readBase(t, b, files{"skeleton.go": head + fn.text}.dir(t))
	if r := tree(t, scan(t, scanner.Options{Options: examine.Options{BaseCode: all}}, b), target); len(r.Findings) > 0 {
		t.Errorf("base code alone: %s", list(r))
	}
	if _, err := basecode.Read(context.Background(), []string{filepath.Join(base, "none")}, b.Params()); err == nil {
		t.Error("base code that is not there was read")
	}
}

func readBase(t *testing.T, b *baseline.Baseline, dir string) basecode.Set {
	t.Helper()
	s, err := basecode.Read(context.Background(), []string{dir}, b.Params())
	if err != nil || len(s) == 0 {
		t.Fatalf("%d k-grams, %v", len(s), err)
	}
	return s
}
