package similar

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/algorithms/sketch"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar/collection"
)

// crowd is a folder of more than provedUpTo files, of which 120 are copies of 40: every
// four of these have a passage in common. The others are like none.
func crowd() Part {
	files := make(map[string]string)
	file := func(seed uint64, shared, more string) string {
		return fmt.Sprintf("package p\n\nfunc own(a, b, c int) {\n%s%s%s}\n", shared, sums(rand.New(rand.NewPCG(seed, 1)), 9), more)
	}
	for f := range uint64(40) {
		shared := sums(rand.New(rand.NewPCG(f/4, 2)), 4)
		for copy := range 3 {
			files[fmt.Sprintf("f%02d_%d.go", f, copy)] = file(f, shared, sums(rand.New(rand.NewPCG(f, uint64(copy+3))), copy))
		}
	}
	for f := range uint64(provedUpTo) {
		files[fmt.Sprintf("lone%d.go", f)] = file(f+1000, "", "")
	}
	return folder("crowd", files)
}

func sums(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString("\ta = b")
		for range 12 {
			fmt.Fprintf(&b, " %s %s", pick(r, "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "&^"), pick(r, "a", "b", "c", "7"))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestBestPairs holds what is listed of a large collection against all of its pairs.
func TestBestPairs(t *testing.T) {
	part := crowd()
	part.Each = true
	run := func(pairs, workers int) *Result {
		o := options(workers)
		o.Pairs, o.Filter.Share, o.Filter.Tokens = pairs, 0.05, 1
		return compared(t, o, part)
	}
	all, some := run(0, 2), run(40, 2)
	if len(all.Units) <= provedUpTo || len(all.Pairs) < 400 || len(some.Pairs) >= len(all.Pairs)/2 {
		t.Fatalf("%d units, %d pairs, %d of them listed: no test", len(all.Units), len(all.Pairs), len(some.Pairs))
	}
	known := make(map[[2]string]UnitPair)
	for _, p := range all.Pairs {
		known[[2]string{p.A, p.B}] = p
	}
	for _, p := range some.Pairs {
		q := known[[2]string{p.A, p.B}]
		if got, want := asJSON(t, p), asJSON(t, q); got != want {
			t.Errorf("a pair of the best is\n%s, among all it is\n%s", got, want)
		}
	}
	if got, want := asJSON(t, units(some.Groups)), asJSON(t, units(all.Groups)); got != want {
		t.Errorf("groups of the best pairs are\n%s, of all\n%s", got, want)
	}
	if got, want := asJSON(t, run(40, 1)), asJSON(t, some); got != want {
		t.Error("one worker finds something else than two")
	}
	if !slices.ContainsFunc(some.Ledger, func(e finding.Entry) bool { return e.Reason == finding.ReasonOutranked && e.Path != "" }) {
		t.Error("nothing in the ledger tells of the pairs that were not compared")
	}
}

func units(gs []Group) (out [][]string) {
	for _, g := range gs {
		out = append(out, g.Units)
	}
	return out
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestLinksOnly: pairs that share less than the limit of a group, and were compared only to
// find groups, do not exceed the number of pairs asked for.
func TestLinksOnly(t *testing.T) {
	part := crowd()
	part.Each = true
	o := options(2)
	o.Pairs, o.Filter.Share, o.Filter.Tokens, o.Filter.Group = 40, 0.05, 1, 0.35
	r, weak := compared(t, o, part), 0
	for _, p := range r.Pairs {
		if p.Share() < o.Filter.Group {
			weak++
		}
	}
	if len(r.Pairs) <= o.Pairs || weak > o.Pairs {
		t.Errorf("%d pairs, %d of them link no group, of %d best", len(r.Pairs), weak, o.Pairs)
	}
}

// TestThinnedLinks: links that are dropped to save memory are none that a round would have tried, whichever pairs are proved.
func TestThinnedLinks(t *testing.T) {
	const documents = 40
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 7))
		list := func(slack int) *shortlist {
			return &shortlist{docs: make([]collection.Document, documents), n: 25, group: 0.5, slack: slack, by: func(c collection.Candidate) float32 { return c.Tokens }}
		}
		whole, thin := list(1<<20), list(64)
		for range 400 {
			a := r.IntN(documents - 1)
			c := []collection.Candidate{{Target: collection.ID(a), Origin: collection.ID(a + 1 + r.IntN(documents-a-1)), Share: r.Float32(), Tokens: r.Float32(), Likely: r.Float32()}}
			whole.add(c)
			thin.add(c)
		}
		tried := func(s *shortlist) (out [][]collection.Candidate) {
			first, links := s.settled()
			proved := rand.New(rand.NewPCG(seed, 8))
			b := &best{links: links, linked: sketch.NewDisjointSets(documents)}
			out = append(out, first)
			for _, least := range likely {
				picked := b.linking(float32(least * s.group))
				for _, c := range picked {
					if proved.IntN(3) == 0 {
						b.linked.Join(int(c.Target), int(c.Origin))
					}
				}
				out = append(out, picked)
			}
			return out
		}
		if thin.keep == 0 || len(thin.links) > len(likely)*documents+documents+thin.slack {
			t.Fatalf("%d links, %d of them needed: nothing was dropped", len(thin.links), thin.keep)
		}
		if got, want := asJSON(t, tried(thin)), asJSON(t, tried(whole)); got != want {
			t.Errorf("seed %d: tried\n%s, with all links\n%s", seed, got, want)
		}
	}
}

// TestListed: if only the first pairs are shown, these have what they have among all judged pairs, also equal files.
func TestListed(t *testing.T) {
	part := crowd()
	part.Each = true
	for _, sort := range []string{ByShare, ByTokens, ByBits} {
		run := func(listed, workers int) *Result {
			o := options(workers)
			o.Pairs, o.Filter.Share, o.Filter.Tokens, o.Listed, o.Filter.Sort = 40, 0.05, 1, listed, sort
			return compared(t, o, part)
		}
		all, some := run(0, 2), run(25, 2)
		if got, want := asJSON(t, some.Pairs[:25]), asJSON(t, all.Pairs[:25]); got != want || all.Pairs[24].Bits == 0 {
			t.Errorf("by %s the listed pairs are\n%s, of all judged pairs\n%s", sort, got, want)
		}
		if len(some.Pairs) != len(all.Pairs) || asJSON(t, some.Groups) != asJSON(t, all.Groups) || asJSON(t, some.Ledger) != asJSON(t, all.Ledger) {
			t.Errorf("by %s other pairs, groups or ledger", sort)
		}
		if judged := some.Pairs[len(some.Pairs)-1].Bits > 0; judged != (sort == ByBits) {
			t.Errorf("by %s the last pair is judged: %v", sort, judged)
		}
	}
}
