package papers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner/algorithms/sketch"
)

// broder compares the estimates of "On the resemblance and containment of documents" with the exact values of real
// pairs, and clusters in several orders.
func broder(_ context.Context, c *corpus) (outcome, error) {
	var o outcome
	pairs := related(c, 40)
	o.estimates(pairs, c.orders)
	o.clusters(c)
	return o, nil
}

// pair is two documents that share something.
type pair struct {
	a, b        []uint64 // their sets of k-grams, as hashes
	resemblance float64
	containment float64 // of a in b
}

// leastSet is the least size of a set for a sample to be meaningful.
const leastSet = 500

// related finds pairs of documents, up to perTenth for each tenth of resemblance. A sample by Mod proposes them.
func related(c *corpus, perTenth int) []pair {
	var sets [][]uint64
	having := make(map[uint64][]int)
	seen := make(map[[2]int]bool)
	var out []pair
	var of [10]int
	for _, d := range c.docs {
		set := sketch.Union(d.grams(gram))
		if len(set) < leastSet {
			continue
		}
		b := len(sets)
		sets = append(sets, set)
		for _, x := range sketch.Mod(nil, set, 32) {
			for _, a := range having[x] {
				if seen[[2]int{a, b}] {
					continue
				}
				seen[[2]int{a, b}] = true
				r := sketch.Resemblance(sets[a], set, math.MaxInt)
				if t := min(int(r*10), 9); r < 1 && of[t] < perTenth {
					of[t]++
					out = append(out, pair{sets[a], set, r, sketch.Containment(sets[a], set)})
				}
			}
			if len(having[x]) < 16 { // elements of more documents propose little
				having[x] = append(having[x], b)
			}
		}
	}
	return out
}

// deviations sums the errors of one kind of estimates in one tenth.
type deviations struct{ sum, squares, theory, n float64 }

func (d *deviations) add(estimate, exact, theory float64) {
	e := estimate - exact
	d.sum, d.squares, d.theory, d.n = d.sum+e, d.squares+e*e, d.theory+theory, d.n+1
}

func (d deviations) rmse() float64 { return math.Sqrt(d.squares / max(d.n, 1)) }
func (d deviations) bias() float64 { return d.sum / max(d.n, 1) }

// expected returns the root of the mean variance by theory.
func (d deviations) expected() float64 { return math.Sqrt(d.theory / max(d.n, 1)) }

// estimates compares Min and Mod with the exact values.
func (o *outcome) estimates(pairs []pair, orders int) {
	min3, mod3 := []int{32, 128, 512}, []uint64{8, 32, 128}
	var mins, mods, conts [3][10]deviations
	for i := range orders {
		order := sketch.Keyed(fingerprint.NewKey(fmt.Appendf(nil, "order %d", i)))
		for _, p := range pairs {
			a, b := order.Set(nil, p.a), order.Set(nil, p.b)
			r, c := p.resemblance, p.containment
			tr, tc := min(int(r*10), 9), min(int(c*10), 9)
			union := float64(len(a)+len(b)) / (1 + r)
			for j, s := range min3 {
				k := min(float64(s), union)
				mins[j][tr].add(sketch.Resemblance(sketch.Min(a, s), sketch.Min(b, s), s), r, r*(1-r)/k*(union-k)/(union-1))
			}
			for j, m := range mod3 {
				rest := 1 - 1/float64(m) // sampling without replacement
				x, y := sketch.Mod(nil, a, m), sketch.Mod(nil, b, m)
				if len(x) > 0 {
					conts[j][tc].add(sketch.Containment(x, y), c, c*(1-c)/float64(len(x))*rest)
				}
				if n := len(sketch.Union(slices.Concat(x, y))); n > 0 {
					mods[j][tr].add(sketch.Resemblance(x, y, math.MaxInt), r, r*(1-r)/float64(n)*rest)
				}
			}
		}
	}
	for j := range min3 {
		o.deviation(fmt.Sprintf("MIN_%d", min3[j]), "resemblance", mins[j], j)
	}
	for j := range mod3 {
		o.deviation(fmt.Sprintf("MOD_%d", mod3[j]), "resemblance", mods[j], j)
	}
	for j := range mod3 {
		o.deviation(fmt.Sprintf("MOD_%d", mod3[j]), "containment", conts[j], j)
	}
}

// deviation adds the rows and lines of one estimator: measured and expected.
func (o *outcome) deviation(name, of string, by [10]deviations, nth int) {
	if len(o.tables) == 0 {
		o.tables = append(o.tables, table{name: "broder-estimates", header: []string{"sketch", "of", "exact value", "estimates", "error", "expected error", "bias"}})
	}
	kind := name[:3]
	file := "broder-" + map[string]string{"MIN": "min", "MOD": "mod"}[kind] + "-" + of
	if nth == 0 {
		o.charts = append(o.charts, chart{name: file, title: kind + " estimates of " + of + ": error by exact value (dashed: theory)", x: "exact " + of, y: "root of the mean square error"})
	}
	ch := &o.charts[len(o.charts)-1]
	got, want := series{name: name}, series{name: name + ", theory", dashed: true}
	for t, d := range by {
		if d.n == 0 {
			continue
		}
		x := float64(t)/10 + 0.05
		o.tables[0].row(name, of, fmt.Sprintf("%.1f to %.1f", float64(t)/10, float64(t+1)/10), int(d.n), d.rmse(), d.expected(), fmt.Sprintf("%+.4f", d.bias()))
		got.points, want.points = append(got.points, [2]float64{x, d.rmse()}), append(want.points, [2]float64{x, d.expected()})
	}
	ch.series = append(ch.series, got, want)
}

// clusters groups all documents by their sketches, in three orders of the documents, and once by the exact resemblance
// of all pairs that a sketch groups.
func (o *outcome) clusters(c *corpus) {
	t := table{name: "broder-clusters", header: []string{"order of documents", "documents", "clusters", "documents in them", "largest", "same as first"}}
	const s = 128
	var first string
	for _, turn := range []struct {
		name string
		less func(a, b int) int
	}{
		{"by content", cmp.Compare[int]},
		{"backwards", func(a, b int) int { return cmp.Compare(b, a) }},
		{"odd ones first", func(a, b int) int { return cmp.Or(cmp.Compare(b%2, a%2), cmp.Compare(a, b)) }},
	} {
		at := make([]int, len(c.docs))
		for i := range at {
			at[i] = i
		}
		slices.SortFunc(at, turn.less)
		var sketches [][]uint64
		for _, i := range at {
			sketches = append(sketches, slices.Clone(sketch.Min(sketch.Public().Set(nil, c.docs[i].grams(gram)), s)))
		}
		groups := sketch.Clusters(sketches, s, 0.5)
		in, largest := 0, 0
		for _, g := range groups {
			in, largest = in+len(g), max(largest, len(g))
			for j := range g {
				g[j] = at[g[j]]
			}
			slices.Sort(g)
		}
		slices.SortFunc(groups, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
		now := fmt.Sprint(groups)
		first = cmp.Or(first, now)
		t.row(turn.name, len(at), len(groups), in, largest, now == first)
	}
	o.tables = append(o.tables, t)
}
