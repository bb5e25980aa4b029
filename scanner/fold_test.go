package scanner_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// TestOverlapping: two packages that have the same function, one without its first
// lines, the other without its last, are one finding of the better of them.
func TestOverlapping(t *testing.T) {
	fn := function(t, std(t, copied[0].file), copied[0].head)
	lines := strings.SplitAfter(fn.text, "\n")
	n := len(lines)
	short := strings.Join(lines[n/2-6:n/2+14], "") // all is about these 20 lines
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

// TestUniqueIDs: the same text at several places is several findings, of which each
// has an id of its own, whatever the number of workers.
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
