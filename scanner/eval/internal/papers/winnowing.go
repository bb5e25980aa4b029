package papers

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
)

// winnowing repeats section 5 of "Winnowing: local algorithms for document
// fingerprinting": density, gaps, low entropy, frequency by rank.
func winnowing(_ context.Context, c *corpus) (outcome, error) {
	var o outcome
	random := [][]uint64{randomHashes(1 << 20)}
	var real [][]uint64
	for _, d := range c.docs {
		real = append(real, d.grams(gram))
	}
	o.density(random, real)
	o.gaps(random, real)
	o.entropy(real)
	o.ranks(c)
	return o, nil
}

func randomHashes(n int) []uint64 {
	r, out := rand.New(rand.NewPCG(1, 2)), make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64()
	}
	return out
}

// selector is a rule that selects k-grams.
type selector func(dst []fingerprint.Fingerprint, grams []uint64, w int) []fingerprint.Fingerprint

// modulo is the older rule: it selects hashes that p divides.
func modulo(dst []fingerprint.Fingerprint, grams []uint64, p int) []fingerprint.Fingerprint {
	for i, g := range grams {
		if g%uint64(p) == 0 {
			dst = append(dst, fingerprint.Fingerprint{Hash: g, Pos: uint32(i)})
		}
	}
	return dst
}

// densityOf returns the share of k-grams that a rule selects.
func densityOf(streams [][]uint64, rule selector, w int) float64 {
	selected, all := 0, 0
	var buf []fingerprint.Fingerprint
	for _, s := range streams {
		buf = rule(buf[:0], s, w)
		selected, all = selected+len(buf), all+len(s)
	}
	return share(selected, all)
}

func (o *outcome) density(random, real [][]uint64) {
	t := table{name: "winnowing-density", header: []string{"w", "2/(w+1)", "random hashes", "code, plain", "code, robust"}}
	ch := chart{name: "winnowing-density", title: "Density of winnowing", x: "window w", y: "k-grams selected", logX: true, logY: true,
		series: []series{{name: "2/(w+1)", dashed: true}, {name: "random hashes"}, {name: "code, plain"}, {name: "code, robust"}}}
	for _, w := range []int{2, 4, 8, 12, 16, 25, 50, 100} {
		ys := []float64{2 / float64(w+1), densityOf(random, fingerprint.Winnow, w), densityOf(real, fingerprint.Winnow, w), densityOf(real, fingerprint.WinnowRobust, w)}
		t.row(w, ys[0], ys[1], ys[2], ys[3])
		for i, y := range ys {
			ch.series[i].points = append(ch.series[i].points, [2]float64{float64(w), y})
		}
	}
	o.tables, o.charts = append(o.tables, t), append(o.charts, ch)
}

// distances returns the distances from each selected k-gram to the next, and from the ends of a document to the first
// and last, as if a k-gram beyond each end were selected.
func distances(streams [][]uint64, rule selector, w int) (out []int) {
	var buf []fingerprint.Fingerprint
	for _, s := range streams {
		buf = rule(buf[:0], s, w)
		last := -1
		for _, f := range buf {
			out = append(out, int(f.Pos)-last)
			last = int(f.Pos)
		}
		out = append(out, len(s)-last)
	}
	slices.Sort(out)
	return out
}

// gaps compares windows of 100 with 0 mod 50, as the paper does. Both have about the same density.
func (o *outcome) gaps(random, real [][]uint64) {
	t := table{name: "winnowing-gaps", header: []string{"hashes", "rule", "density", "median gap", "99% gap", "largest gap", "k-grams in gaps above w"}}
	ch := chart{name: "winnowing-gaps", title: "Gaps between selected k-grams of code, w = 100", x: "gap in k-grams", y: "share of gaps as long", logX: true, logY: true}
	const w, p = 100, 50
	for _, of := range []struct {
		name    string
		streams [][]uint64
	}{{"random", random}, {"code", real}} {
		for _, r := range []struct {
			name string
			rule selector
			n    int
		}{{"winnowing", fingerprint.Winnow, w}, {"robust winnowing", fingerprint.WinnowRobust, w}, {"0 mod 50", modulo, p}} {
			ds := distances(of.streams, r.rule, r.n)
			over, all := 0, 0
			for _, d := range ds {
				if all += d; d > w {
					over += d
				}
			}
			t.row(of.name, r.name, densityOf(of.streams, r.rule, r.n), ds[len(ds)/2], ds[len(ds)*99/100], ds[len(ds)-1], share(over, all))
			if of.name == "code" {
				ch.series = append(ch.series, series{name: r.name, points: tail(ds)})
			}
		}
	}
	o.tables, o.charts = append(o.tables, t), append(o.charts, ch)
}

// tail returns, for lengths in steps of an eighth of a power of two, the share of values that are at least as large.
func tail(sorted []int) (out [][2]float64) {
	for e := 0.0; ; e += 0.125 {
		at := int(math.Pow(2, e))
		i, _ := slices.BinarySearch(sorted, at)
		if i == len(sorted) {
			return out
		}
		out = append(out, [2]float64{float64(at), share(len(sorted)-i, len(sorted))})
	}
}

// entropy compares the rules on documents by how much the documents repeat themselves.
func (o *outcome) entropy(real [][]uint64) {
	const w = 100
	t := table{name: "winnowing-entropy", header: []string{"distinct k-grams", "documents", "k-grams", "plain", "robust", "query side"}}
	ch := chart{name: "winnowing-entropy", title: "Density by repetition, w = 100 (2/(w+1) is 0.0198)", x: "share of k-grams that are distinct", y: "k-grams selected", logY: true,
		series: []series{{name: "plain"}, {name: "robust (index)"}, {name: "ties (query)"}}}
	one := [][]uint64{slices.Repeat([]uint64{1}, 10_000)}
	t.row("one k-gram, repeated", 1, len(one[0]), densityOf(one, fingerprint.Winnow, w), densityOf(one, fingerprint.WinnowRobust, w), densityOf(one, fingerprint.WinnowTies, w))
	bins := []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01}
	for i, from := range bins[:len(bins)-1] {
		var in [][]uint64
		n := 0
		for _, s := range real {
			if d := share(len(slices.Compact(slices.Sorted(slices.Values(s)))), len(s)); d >= from && d < bins[i+1] {
				in, n = append(in, s), n+len(s)
			}
		}
		if len(in) == 0 {
			continue
		}
		ys := []float64{densityOf(in, fingerprint.Winnow, w), densityOf(in, fingerprint.WinnowRobust, w), densityOf(in, fingerprint.WinnowTies, w)}
		t.row(number(from)+" to "+number(min(bins[i+1], 1)), len(in), n, ys[0], ys[1], ys[2])
		for j, y := range ys {
			ch.series[j].points = append(ch.series[j].points, [2]float64{from + 0.05, y})
		}
	}
	o.tables, o.charts = append(o.tables, t), append(o.charts, ch)
}

// ranks counts the documents of each fingerprint and sorts the fingerprints by it.
func (o *outcome) ranks(c *corpus) {
	t := table{name: "winnowing-ranks", header: []string{"language", "documents", "fingerprints", "in one document only", "in 8 and more", "most", "slope"}}
	ch := chart{name: "winnowing-ranks", title: "Fingerprints by the number of documents that have them", x: "rank", y: "documents", logX: true, logY: true}
	for _, l := range c.languages(50) {
		docs := c.of(l)
		counts := documentFrequencies(docs)
		points := byRank(counts)
		once, many := 0, 0
		for _, n := range counts {
			if n == 1 {
				once++
			}
			if n >= 8 {
				many++
			}
		}
		t.row(l, len(docs), len(counts), share(once, len(counts)), share(many, len(counts)), counts[0], slope(points))
		ch.series = append(ch.series, series{name: l, points: points})
	}
	o.tables, o.charts = append(o.tables, t), append(o.charts, ch)
}

// documentFrequencies returns how many documents have each fingerprint, the most first.
func documentFrequencies(docs []*document) []int {
	in := make(map[uint64]int)
	for _, d := range docs {
		seen := make(map[uint64]bool)
		for _, f := range fingerprint.WinnowRobust(nil, d.grams(gram), window) {
			if !seen[f.Hash] {
				seen[f.Hash] = true
				in[f.Hash]++
			}
		}
	}
	var out []int
	for _, n := range in {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b int) int { return cmp.Compare(b, a) })
	return out
}

// byRank returns the counts at ranks in steps of a quarter of a power of two.
func byRank(counts []int) (out [][2]float64) {
	last := 0
	for e := 0.0; ; e += 0.25 {
		r := int(math.Pow(2, e))
		if r > len(counts) {
			return out
		}
		if r != last {
			out = append(out, [2]float64{float64(r), float64(counts[r-1])})
		}
		last = r
	}
}

// slope returns the slope of the line through the logarithms, for counts above one document.
func slope(points [][2]float64) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		if p[1] < 2 {
			break
		}
		x, y := math.Log(p[0]), math.Log(p[1])
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	if n < 2 {
		return 0
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
