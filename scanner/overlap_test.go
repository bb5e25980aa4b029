package scanner_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// TestOverlapping: two packages have the same function, one without its first lines, the other without its last. They become one
// finding, of the better one.
func TestOverlapping(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	lines := strings.SplitAfter(fn.text, "\n")
	n := len(lines)
	short := strings.Join(lines[n/2-6:n/2+14], "") // the test is about these 20 lines
	upper := "package a\n\nfunc a() {\n\tfor {\n" + strings.Join(lines[n/2-6:n/2+8], "") + "\n}}}}\n"
	lower := "package b\n\nfunc b() {\n\tfor {\n" + strings.Join(lines[n/2:n/2+14], "") + "\n}}}}\n"
	b := based(t, pack{"pkg:generic/upper@1.0", "MIT", "2015-01-01", files{"a.go": upper}}, pack{"pkg:generic/lower@1.0", "MIT", "2016-01-01", files{"b.go": lower}})
	target := "package x\n\nfunc x() {\n\tfor {\n" + short + "\n}}}}\n"
	r := tree(t, scan(t, scanner.Options{}, b), files{"x.go": target}.dir(t))
	if len(r.Findings) != 1 {
		t.Fatal(list(r))
	}
	if f := r.Findings[0]; f.OriginCount+f.PartOriginCount != 2 {
		t.Errorf("%v, %v", names(f.Origins), partNames(f.PartOrigins))
	}
}

// TestOverlapOfOneFile: regions that a file shares with one file of a package have no line in common. Together they have the
// lines and tokens that they had before joining.
func TestOverlapOfOneFile(t *testing.T) {
	b := based(t, pack{"pkg:generic/known@1", "BSD-3-Clause", "2020-01-01", stdPackages(t, "strings")})
	target := stdPackages(t, "bytes")
	fs := tree(t, scan(t, scanner.Options{}, b), target.dir(t)).Findings
	lines := make(map[string]int)
	for i, f := range fs {
		for _, g := range fs[:i] {
			if f.Path == g.Path && f.Origins[0].Path == g.Origins[0].Path && f.StartLine <= g.EndLine && g.StartLine <= f.EndLine {
				t.Errorf("%s:%d-%d and %d-%d are both of %s", f.Path, g.StartLine, g.EndLine, f.StartLine, f.EndLine, f.Origins[0].Path)
			}
		}
		last := 0
		for _, r := range f.Runs {
			if r.StartLine < last {
				t.Errorf("%s:%d-%d: run %d-%d follows line %d", f.Path, f.StartLine, f.EndLine, r.StartLine, r.EndLine, last)
			}
			last = r.EndLine
		}
		lines[f.Path] += f.EndLine - f.StartLine + 1
	}
	if lines["bytes/bytes.go"] < 850 || lines["bytes/bytes_test.go"] < 1600 {
		t.Error(lines)
	}
}

// TestUniqueIDs: the same text at several places is several findings with different ids, for any number of workers.
func TestUniqueIDs(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	var want []string
	for _, workers := range []int{1, 8} {
		r := tree(t, scan(t, scanner.Options{Workers: workers}, stdBaseline(t)), files{"b.go": head + fn.text, "a.go": head + fn.text + "\n" + fn.text, "c/c.go": head + fn.text}.dir(t))
		var ids []string
		for _, f := range r.Findings {
			ids = append(ids, f.ID)
		}
		if len(ids) != 4 || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != 4 {
			t.Fatal(ids)
		}
		for i, f := range r.Findings {
			if f.ContentID() != ids[0] || i > 0 && !strings.HasPrefix(f.ID, ids[0]+"-") {
				t.Errorf("%s: id %s of content %s", f.Path, f.ID, f.ContentID())
			}
		}
		if want != nil && !slices.Equal(ids, want) {
			t.Errorf("%v with one worker, %v with more", want, ids)
		}
		want = ids
	}
	alone := one(t, tree(t, scan(t, scanner.Options{}, stdBaseline(t)), files{"z.go": head + fn.text}.dir(t)))
	if alone.ID != want[0] {
		t.Errorf("the first of equals is %s, alone it is %s", want[0], alone.ID)
	}
}
