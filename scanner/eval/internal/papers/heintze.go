package papers

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner/algorithms/sketch"
)

// stored is the size of a stored sketch in "Scalable document fingerprinting": 100 substrings of each document, and up
// to 1,000 of a query.
const stored = 100

// heintze stores sketches of constant size and queries with larger ones, by three rules of selection.
func heintze(_ context.Context, c *corpus) (outcome, error) {
	docs := unlike(c)
	t := table{name: "heintze", header: []string{"selection", "query sketch", "passage", "queries", "found by 1 element", "found by 3", "found by 5", "noise by 1", "noise by 3", "noise by 5"}}
	ch := chart{name: "heintze", title: fmt.Sprintf("A passage of a document in another: found by 3 of %d stored elements", stored), x: "share of the document that is copied", y: "found"}
	for _, rule := range rulesOf(docs) {
		in := make(map[uint64][]int32)
		for i, d := range docs {
			for _, x := range rule.pick(d.values, stored) {
				in[x] = append(in[x], int32(i))
			}
		}
		for _, q := range []int{100, 300, 1000, 3000} {
			line := series{name: fmt.Sprintf("%s, query %d", rule.name, q), dashed: rule.name != "lowest hash"}
			for _, part := range []float64{0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1} {
				r := ask(docs, in, rule, q, part)
				t.row(rule.name, q, part, r.queries, share(r.found[0], r.queries), share(r.found[1], r.queries), share(r.found[2], r.queries),
					share(r.noise[0], r.queries), share(r.noise[1], r.queries), share(r.noise[2], r.queries))
				line.points = append(line.points, [2]float64{part, share(r.found[1], r.queries)})
			}
			if q == 100 || q == 1000 {
				ch.series = append(ch.series, line)
			}
		}
	}
	return outcome{[]table{t}, []chart{ch}}, nil
}

// unlike selects documents of some size, none of which resembles another.
func unlike(c *corpus) (out []*document) {
	var sketches [][]uint64
	var large []*document
	for _, d := range c.docs {
		if len(d.values) >= 400 {
			large = append(large, d)
			sketches = append(sketches, slices.Clone(sketch.Min(sketch.Public().Set(nil, d.grams(gram)), 128)))
		}
	}
	drop := make(map[int]bool)
	for _, g := range sketch.Clusters(sketches, 128, 0.05) {
		for _, i := range g[1:] {
			drop[i] = true
		}
	}
	for i, d := range large {
		if !drop[i] {
			out = append(out, d)
		}
	}
	return out
}

// rule selects n k-grams of a stream.
type rule struct {
	name string
	pick func(values []uint64, n int) []uint64
}

// prefix is how many tokens determine the rarity of a k-gram, like Heintze's first five letters.
const prefix = 5

// rulesOf returns three rules: the lowest hashes; the lowest of those that few documents have; and the lowest of those
// that begin with rare tokens.
func rulesOf(docs []*document) []rule {
	in, begins := make(map[uint64]int), make(map[uint64]int)
	for _, d := range docs {
		for _, g := range sketch.Union(d.grams(gram)) {
			in[g]++
		}
		for _, g := range d.grams(prefix) {
			begins[g]++
		}
	}
	lowest := func(dst []uint64, n int) []uint64 { return slices.Clone(sketch.Min(sketch.Union(dst), n)) }
	return []rule{
		{"lowest hash", func(vs []uint64, n int) []uint64 { return lowest(fingerprint.KGrams(nil, vs, gram), n) }},
		{"suppressed", func(vs []uint64, n int) []uint64 {
			gs := fingerprint.KGrams(nil, vs, gram)
			return lowest(slices.DeleteFunc(gs, func(g uint64) bool { return in[g] >= 4 }), n)
		}},
		{"rare heads", func(vs []uint64, n int) []uint64 { return rarest(vs, begins, n) }},
	}
}

// rarest selects the k-grams whose first tokens are rarest, rounded to a power of two; among equally rare ones the
// lowest hashes.
func rarest(values []uint64, begins map[uint64]int, n int) (out []uint64) {
	type candidate struct {
		rarity int
		gram   uint64
	}
	var cs []candidate
	heads := fingerprint.KGrams(nil, values, prefix)
	for i, g := range fingerprint.KGrams(nil, values, gram) {
		cs = append(cs, candidate{bits.Len(uint(begins[heads[i]])), g})
	}
	slices.SortFunc(cs, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.rarity, b.rarity), cmp.Compare(a.gram, b.gram)) })
	cs = slices.Compact(cs)
	for _, c := range cs[:min(n, len(cs))] {
		out = append(out, c.gram)
	}
	return out
}

// answers counts queries: those whose document was found, and those that found other documents, by 1, 3 and 5 common
// elements.
type answers struct {
	queries      int
	found, noise [3]int
}

// ask puts the same part of every tenth document into another document, and queries with that.
func ask(docs []*document, in map[uint64][]int32, rule rule, size int, part float64) (a answers) {
	for i := 0; i < len(docs); i += 10 {
		host := (i + len(docs)/2) % len(docs)
		n := int(part * float64(len(docs[i].values)))
		from := (len(docs[i].values) - n) / 2
		h := docs[host].values
		text := slices.Concat(h[:len(h)/2], docs[i].values[from:from+n], h[len(h)/2:])
		common := make(map[int32]int)
		for _, x := range rule.pick(text, size) {
			for _, d := range in[x] {
				common[d]++
			}
		}
		a.queries++
		for j, least := range []int{1, 3, 5} {
			for d, n := range common {
				switch {
				case n < least || int(d) == host:
				case int(d) == i:
					a.found[j]++
				default:
					a.noise[j]++
				}
			}
		}
	}
	return a
}
