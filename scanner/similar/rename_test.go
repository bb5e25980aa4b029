package similar

import (
	"slices"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// TestNamesOfPersonsAreHidden: the name of a person is no part of what is shown of a file, whatever its spelling.
func TestNamesOfPersonsAreHidden(t *testing.T) {
	const ann, li = "hw.zip/Änn-Marie Müller_70001", "hw.zip/Li Wu_70002"
	h := newHider([]Unit{{Name: ann}, {Name: li}, {Name: "hw.zip/hw1-bob"}, {Name: "hw.zip/hw1-eve"}, {Name: "hw.zip/hw1-max"}, {Name: "hw.zip/hw1-kim"}, {Name: "hw.zip/hw1-sue"}, {Name: "hw.zip/hw1-tom"},
		{Name: "hw.zip/Poe.java"}, {Name: "hw.zip/Eliot.tar.gz"}, {Name: "hw.zip/j.lee"}})
	for _, c := range []struct{ unit, file, want string }{
		{ann, "mueller/muller_hw1.zip/src/Main.java", "mueller/[name]_hw1.zip/src/Main.java"},
		{ann, "Mu\u0308llerMarie/A.java", "[name][name]/A.java"},
		{ann, "ann/Annex.java 70001.txt", "[name]/Annex.java [name].txt"},
		{li, "li_wu/List.java", "[name]_[name]/List.java"},
		{li, "Main.java", "Main.java"},
		{"hw.zip/hw1-bob", "hw1/Bob.java", "hw1/[name].java"},
		{"hw.zip/Poe.java", "poe/Main.java", "[name]/Main.java"},
		{"hw.zip/Eliot.tar.gz", "Eliot.tar.gz: no tar", "[name].tar.gz: no tar"},
		{"hw.zip/j.lee", "lee/j.java", "[name]/j.java"},
		{"unknown", "Bob.java", "Bob.java"},
	} {
		if got := h.in(c.file, c.unit); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.file, c.unit, got, c.want)
		}
	}
}

// TestOrderTellsNobody: neither numbers nor the order of the lists follow the alphabet, of which everybody has a list.
func TestOrderTellsNobody(t *testing.T) {
	r := &Result{
		Units: []Unit{{"x/anna", 1, 10}, {"x/bert", 1, 0}, {"x/cleo", 1, 30}, {"x/dora", 1, 20}, {"x/emil", 1, 30}},
		Pairs: []UnitPair{{A: "x/dora", B: "x/emil", Files: []Pair{{A: Side{Path: "emil/copy-of-dora.c"}, B: Side{Path: "emil.c"}}}}, {A: "x/cleo", B: "x/emil", ShareA: 0.3, ShareB: 0.2, Beside: []Beside{{A: "c.c", B: "e.c"}},
			Files: []Pair{{A: Side{Path: "c.c"}, B: Side{Path: "e.c"}, Matches: []Match{{Runs: []finding.Run{{StartLine: 7, OriginStartLine: 9}}, Text: &finding.Sides{Target: finding.Excerpt{StartLine: 7}}}}}}},
			{A: "x/anna", B: "x/emil"}},
		Groups: []Group{{Units: []string{"x/anna", "x/dora", "x/emil"}}},
		Ledger: []finding.Entry{{Path: "x/anna/anna.pdf"}, {Path: "x/bert", Detail: "bert.zip: no archive"}, {Path: "x/dora/a.out"}, {Path: "x/grades.csv"}},
	}
	r.Anonymous()
	var units, paths []string
	for _, u := range r.Units {
		units = append(units, u.Name)
	}
	for _, e := range r.Ledger {
		paths = append(paths, e.Path+" "+e.Detail)
	}
	if want := []string{"unit 001", "unit 002", "unit 003", "unit 004", "unit 005"}; !slices.Equal(units, want) || r.Units[0].Tokens != 20 || r.Units[2].Tokens != 30 {
		t.Errorf("units %+v", r.Units)
	}
	if want := []string{"name hidden ", "unit 001/a.out ", "unit 004/[name].pdf ", "unit 005 [name].zip: no archive"}; !slices.Equal(paths, want) {
		t.Errorf("ledger %q", paths)
	}
	if f := r.Pairs[0].Files[0]; f.A.Path != "[name]/copy-of-[name].c" || f.B.Path != "[name].c" || r.Pairs[2].B != "unit 004" {
		t.Errorf("%+v", r.Pairs)
	}
	p := r.Pairs[1] // the sides too were in the order of the alphabet
	if m := p.Files[0].Matches[0]; p.A != "unit 002" || p.B != "unit 003" || p.ShareA != 0.2 || p.Files[0].A.Path != "e.c" || m.Runs[0].StartLine != 9 || m.Text.Origin.StartLine != 7 || p.Beside[0].A != "e.c" {
		t.Errorf("%+v", p)
	}
	if want := []string{"unit 001", "unit 002", "unit 004"}; !slices.Equal(r.Groups[0].Units, want) {
		t.Errorf("%+v", r.Groups)
	}
}
