package plagiarism

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Difference says how much better a tool ranks the pairs of a set than another, and whether that may be chance.
type Difference struct {
	AUC, Recall Interval
	Only        int     // copies that the tool recalls and the other does not
	Other       int     // copies that the other recalls and the tool does not
	Sign        float64 // two-sided sign test of the last two
}

// Interval is a difference, and the bounds of 95 in 100 draws.
type Interval struct{ Value, Low, High float64 }

// draws is how often the programs of a set are drawn anew.
const draws = 2000

// Compare returns the difference of two tools on the copies of a level, 0 for all levels. Its intervals are a paired bootstrap: the
// programs of a set are drawn anew, with repetition, and both tools rank what was drawn. A pair counts as often as both of its
// programs. Of a set of exercises these are drawn first. Originals stay: all pairs of an exercise have one of them.
func Compare(s Drawn, level int, tool, other map[[2]string]float64) Difference {
	var pairs []Pair
	for _, p := range s.Pairs {
		if p.Level == 0 || level == 0 || p.Level == level {
			pairs = append(pairs, p)
		}
	}
	sides := [2]ranking{rankingOf(pairs, tool), rankingOf(pairs, other)}
	once := make([]float64, len(pairs))
	for i := range once {
		once[i] = 1
	}
	var d Difference
	a, b := sides[0].quality(once, s.Spared), sides[1].quality(once, s.Spared)
	d.AUC.Value, d.Recall.Value = a.AUC-b.AUC, a.Recall-b.Recall
	for i := range pairs {
		switch x, y := sides[0].recalled[i], sides[1].recalled[i]; {
		case x && !y:
			d.Only++
		case y && !x:
			d.Other++
		}
	}
	d.Sign = signTest(d.Only, d.Other)
	var auc, recall []float64
	draw := s.drawer(pairs)
	for range draws {
		weights := draw()
		a, b := sides[0].quality(weights, s.Spared), sides[1].quality(weights, s.Spared)
		auc, recall = append(auc, a.AUC-b.AUC), append(recall, a.Recall-b.Recall)
	}
	d.AUC.bound(auc)
	d.Recall.bound(recall)
	return d
}

// bound sets the bounds, by the values of all draws.
func (v *Interval) bound(drawn []float64) {
	slices.Sort(drawn)
	v.Low, v.High = drawn[len(drawn)*25/1000], drawn[len(drawn)*975/1000-1]
}

// Drawn is a set to be drawn anew.
type Drawn struct {
	Pairs     []Pair
	Exercises []string // prefixes of the names of programs; none if all are of one collection
	Spared    float64  // see Measure
}

// originalFrom is the part of all pairs of a set from which on a program in them is an original.
const originalFrom = 0.1

// drawer returns a function that draws the weights of pairs.
func (s Drawn) drawer(pairs []Pair) func() []float64 {
	in := make(map[string]int)
	for _, p := range pairs {
		in[p.A]++
		in[p.B]++
	}
	exercises := append([]string{""}, s.Exercises...)
	of := make([][]int, len(exercises)) // by exercise: numbers of its programs
	number, original := make(map[string]int), make(map[int]int)
	exercise := make([]int, len(in))
	for _, p := range pairs {
		for _, name := range []string{p.A, p.B} {
			if _, ok := number[name]; ok {
				continue
			}
			n := len(number)
			number[name] = n
			exercise[n] = slices.IndexFunc(s.Exercises, func(e string) bool { return strings.HasPrefix(name, e+"-") }) + 1
			if float64(in[name]) >= originalFrom*float64(len(pairs)) {
				original[n] = 1
			} else {
				of[exercise[n]] = append(of[exercise[n]], n)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, uint64(len(pairs)))) // the same draws in each run
	times, weights := make([]float64, len(in)), make([]float64, len(pairs))
	return func() []float64 {
		for n := range times {
			times[n] = float64(original[n])
		}
		for _, ns := range of {
			for range ns {
				times[ns[r.IntN(len(ns))]]++
			}
		}
		drawn := make([]float64, len(exercises))
		drawn[0] = 1
		for range s.Exercises {
			drawn[1+r.IntN(len(s.Exercises))]++
		}
		for i, p := range pairs {
			a := number[p.A]
			weights[i] = times[a] * times[number[p.B]] * drawn[exercise[a]]
		}
		return weights
	}
}

// ranking is the order in which a tool ranks pairs, the lowest score first.
type ranking struct {
	pairs    []Pair
	scores   []float64 // of pairs
	order    []int
	recalled []bool // by the last call of quality
}

func rankingOf(pairs []Pair, scores map[[2]string]float64) ranking {
	r := ranking{pairs: pairs, scores: make([]float64, len(pairs)), order: make([]int, len(pairs)), recalled: make([]bool, len(pairs))}
	for i, p := range pairs {
		r.order[i], r.scores[i] = i, scores[[2]string{min(p.A, p.B), max(p.A, p.B)}]
	}
	slices.SortStableFunc(r.order, func(a, b int) int { return cmp.Compare(r.scores[a], r.scores[b]) })
	return r
}

// quality is the quality of Measure if each pair counts as often as its weight.
func (r ranking) quality(weights []float64, spared float64) (q Quality) {
	none, copies := 0.0, 0.0
	for i, p := range r.pairs {
		if p.Level == 0 {
			none += weights[i]
		} else {
			copies += weights[i]
		}
	}
	least, below := none-math.Floor(spared*none), 0.0
	for from := 0; from < len(r.order); {
		to, equal := from, 0.0
		for ; to < len(r.order) && r.scores[r.order[to]] == r.scores[r.order[from]]; to++ {
			if i := r.order[to]; r.pairs[i].Level == 0 {
				equal += weights[i]
			}
		}
		for _, i := range r.order[from:to] {
			if r.recalled[i] = false; r.pairs[i].Level == 0 {
				continue
			}
			q.AUC += weights[i] * (below + equal/2)
			if r.recalled[i] = below >= least; r.recalled[i] {
				q.Recall += weights[i]
			}
		}
		from, below = to, below+equal
	}
	q.AUC /= max(1, none*copies)
	q.Recall /= max(1, copies)
	return q
}

// signTest returns how likely it is that equally good tools differ on copies at least so unevenly.
func signTest(a, b int) float64 {
	p := 0.0
	for k := range min(a, b) + 1 {
		p += 2 * math.Exp(logChoose(a+b, k)-float64(a+b)*math.Ln2)
	}
	return min(1, p)
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// write writes a difference as a row of Markdown.
func (d Difference) write(w io.Writer, set string, level int, other string) {
	in := func(v Interval) string { return fmt.Sprintf("%+.3f (%+.3f to %+.3f)", v.Value, v.Low, v.High) }
	name := set
	if level > 0 {
		name = fmt.Sprintf("%s, level %d", set, level)
	}
	fmt.Fprintf(w, "| %s | %s | %s | %s | %d, %d | %.3f |\n", name, other, in(d.AUC), in(d.Recall), d.Only, d.Other, d.Sign)
}
