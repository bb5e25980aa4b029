package papers

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner/algorithms/parameterized"
)

// baker tests the claim of MOSS's authors about "Parameterized pattern matching": that one constant for all
// identifiers, with k-grams longer by one, works as well. Exact k-grams use Baker's encoding: each name is the distance
// to its previous occurrence in the k-gram. So equal k-grams are equal except for a one-to-one renaming.
func baker(_ context.Context, c *corpus) (outcome, error) {
	t := table{name: "baker", header: []string{"language", "documents", "k", "exact", "constant k", "constant k+1", "constant k+2", "constant k+4", "constant k+8", "constant k as good as exact"}}
	ch := chart{name: "baker", title: "How much longer constant k-grams have to be, to meet as seldom as exact ones", x: "k", y: "tokens"}
	for _, l := range c.languages(100) {
		docs := c.of(l)
		line := series{name: l}
		for _, k := range []int{8, 12, 16, 20, 25, 31} {
			exact := metBy(docs, func(d *document) []uint64 { return parameterGrams(d, k) })
			met := func(n int) float64 {
				return metBy(docs, func(d *document) []uint64 { return d.grams(n) })
			}
			shares, even := []float64{met(k), met(k + 1), met(k + 2), met(k + 4), met(k + 8)}, -1.0
			for i, extra := range []int{0, 1, 2, 4, 8} {
				if shares[i] <= exact {
					even = float64(extra)
					if i > 0 { // interpolated between the two
						before := []int{0, 1, 2, 4, 8}[i-1]
						even = float64(before) + float64(extra-before)*(shares[i-1]-exact)/(shares[i-1]-shares[i])
					}
					break
				}
			}
			as := "above k+8"
			if even >= 0 {
				as = fmt.Sprintf("k+%.1f", even)
				line.points = append(line.points, [2]float64{float64(k), even})
			}
			t.row(l, len(docs), k, exact, shares[0], shares[1], shares[2], shares[3], shares[4], as)
		}
		ch.series = append(ch.series, line)
	}
	o := outcome{[]table{t}, []chart{ch}}
	o.agree(c)
	return o, nil
}

// metBy returns the share of the k-grams of documents that occur in another document.
func metBy(docs []*document, grams func(*document) []uint64) float64 {
	type first struct {
		doc   int32
		other bool
	}
	in := make(map[uint64]first)
	of := make([][]uint64, len(docs))
	for i, d := range docs {
		of[i] = grams(d)
		for _, g := range of[i] {
			switch f, known := in[g]; {
			case !known:
				in[g] = first{int32(i), false}
			case f.doc != int32(i) && !f.other:
				in[g] = first{f.doc, true}
			}
		}
	}
	met, all := 0, 0
	for _, gs := range of {
		all += len(gs)
		for _, g := range gs {
			if in[g].other {
				met++
			}
		}
	}
	return share(met, all)
}

// parameterGrams hashes each k-gram of a document in Baker's encoding.
func parameterGrams(d *document, k int) []uint64 {
	var out []uint64
	code := make([]uint64, k)
	last := make(map[int32]int)
	for i := 0; i+k <= len(d.values); i++ {
		clear(last)
		for j := range k {
			code[j] = d.values[i+j]
			n := d.names[i+j]
			if n == parameterized.None {
				continue
			}
			distance := uint64(0)
			if p, ok := last[n]; ok {
				distance = uint64(j - p)
			}
			last[n] = j
			code[j] = fingerprint.Value(code[j], uint32(distance))
		}
		out = fingerprint.KGrams(out, code, k)
	}
	return out
}

// agree measures how often a run that two documents share, with all names equal, is also equal up to a renaming. It
// uses the exact matcher, on pairs that share something.
func (o *outcome) agree(c *corpus) {
	t := table{name: "baker-pairs", header: []string{"language", "pairs", "tokens of exact matches from k", "also in constant matches from k", "also in those from k+1", "tokens of constant matches from k+1", "of these exact"}}
	for _, l := range c.languages(100) {
		var exact, inK, inK1, constant, both, pairs int
		for _, p := range neighbours(c.of(l), 60) {
			es, one := cover(p, gram, true)
			ks, two := cover(p, gram, false)
			k1, three := cover(p, gram+1, false)
			if !one || !two || !three { // too repetitive for a complete comparison
				continue
			}
			pairs++
			for i := range es {
				exact += count(es[i])
				inK += count(es[i] && ks[i])
				inK1 += count(es[i] && k1[i])
				constant += count(k1[i])
				both += count(k1[i] && es[i])
			}
		}
		t.row(l, pairs, exact, share(inK, exact), share(inK1, exact), constant, share(both, constant))
	}
	o.tables = append(o.tables, t)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// neighbours returns pairs of documents that share a fingerprint, each document in one pair only.
func neighbours(docs []*document, most int) (out [][2]*document) {
	having := make(map[uint64]*document)
	for _, d := range docs {
		for _, f := range fingerprint.WinnowRobust(nil, d.grams(gram+window), window) {
			if o := having[f.Hash]; o != nil && o != d {
				out = append(out, [2]*document{o, d})
				for h, x := range having {
					if x == o {
						delete(having, h)
					}
				}
				break
			}
		}
		if len(out) == most {
			return out
		}
		if n := len(out); n == 0 || out[n-1][1] != d {
			for _, f := range fingerprint.WinnowRobust(nil, d.grams(gram+window), window) {
				having[f.Hash] = d
			}
		}
	}
	return out
}

// matchesOf finds the maximal matches of two documents, exact or with all names equal.
func matchesOf(a, b *document, least int, exact bool) (ms []parameterized.Match, whole bool) {
	text := func(d *document) parameterized.Text {
		names := d.names
		if !exact {
			names = slices.Repeat([]int32{parameterized.None}, len(names))
		}
		return parameterized.Text{Fixed: d.values, Names: names}
	}
	return parameterized.Matches(text(a), text(b), least)
}

// cover marks the tokens of the first of two documents that are in a match.
func cover(p [2]*document, least int, exact bool) (in []bool, whole bool) {
	ms, whole := matchesOf(p[0], p[1], least, exact)
	in = make([]bool, len(p[0].values))
	for _, m := range ms {
		for i := range m.Len {
			in[m.A+i] = true
		}
	}
	return in, whole
}
