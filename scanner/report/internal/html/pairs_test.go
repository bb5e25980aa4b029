package html

import (
	"fmt"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/similar"
)

// TestPairsWithoutTheDirectoryOfAll: the page names the directory that all units lie in once.
func TestPairsWithoutTheDirectoryOfAll(t *testing.T) {
	for want, names := range map[string][]string{
		"1 pair of 3 units in work/a.zip. Ann Bob":        {"work/a.zip/Ann", "work/a.zip/Bob", "work/a.zip/Cid"},
		"1 pair of 3 units in work. a.zip/Ann ab.zip/Bob": {"work/a.zip/Ann", "work/ab.zip/Bob", "work/a.zip/Cid"},
		"1 pair of 3 units. Ann work/Bob":                 {"Ann", "work/Bob", "work/Cid"},
		"1 pair of 3 units. a/Ann b/Bob":                  {"a/Ann", "b/Bob", "a/Cid"},
	} {
		r := &similar.Result{Pairs: []similar.UnitPair{{A: names[0], B: names[1]}}}
		for _, n := range names {
			r.Units = append(r.Units, similar.Unit{Name: n, Files: 1, Tokens: 9})
		}
		p, err := newPairsPage(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.Head, " ", p.Pairs[0].A, " ", p.Pairs[0].B); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
