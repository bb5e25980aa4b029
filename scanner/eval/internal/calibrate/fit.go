package calibrate

import (
	"crypto/sha256"
	"math"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/score"
)

// mostOfPair bounds the total weight of the findings that one package shares with one other: a fork with a hundred
// findings says no more about the next package than one with five.
const mostOfPair = 5

// ridge pulls all weights except the base towards 0.
const ridge = 0.5

// labelled is a row that counts, as a sum of terms.
type labelled struct {
	Row
	terms  [5]float64
	copied bool
	weight float64
}

// count omits rows that nobody could judge, and weighs the rest.
func count(rs []Row) (out []labelled) {
	n := make(map[[2]string]float64)
	for _, r := range rs {
		if r.Label == "true-copy" || r.Label == "false" {
			n[r.pair()]++
		}
	}
	for _, r := range rs {
		if r.Label != "true-copy" && r.Label != "false" {
			continue
		}
		l := labelled{Row: r, copied: r.Label == "true-copy", weight: min(1, mostOfPair/n[r.pair()])}
		l.terms = [5]float64{1, math.Sqrt(max(0, r.Above) / score.Step), r.Order, r.Unchanged, 0}
		if r.Plain {
			l.terms[2] = r.Share
		}
		if r.Supported {
			l.terms[4] = 1
		}
		out = append(out, l)
	}
	return out
}

// fit returns the logistic regression of labels on terms. If a weight is below 0, it is left out and the rest fitted
// again.
func fit(ls []labelled) *score.Likelihood {
	use := [5]bool{true, true, true, true, true}
	var b [5]float64
	for {
		b = regress(ls, use)
		worst := 0
		for i := 1; i < len(b); i++ {
			if b[i] < b[worst] && b[i] < 0 || worst == 0 && b[i] < 0 {
				worst = i
			}
		}
		if worst == 0 {
			break
		}
		use[worst] = false
	}
	out := &score.Likelihood{Constant: cut(b[0]), Above: cut(b[1]), Order: cut(b[2]), Unchanged: cut(b[3]), Supported: cut(b[4])}
	if len(ls) > 0 && ls[0].Plain {
		out.Order, out.Share = 0, out.Order
	}
	return out
}

// cut rounds to two decimals.
func cut(x float64) float64 { return math.Round(x*100) / 100 }

// regress finds weights by Newton's method.
func regress(ls []labelled, use [5]bool) (b [5]float64) {
	for range 100 {
		var g [5]float64
		var h [5][5]float64
		for i := range b {
			if h[i][i] = ridge; i == 0 {
				h[i][i] = 1e-9
			}
			g[i] = -h[i][i] * b[i]
		}
		for _, l := range ls {
			odds := 0.0
			for i := range b {
				odds += b[i] * l.terms[i]
			}
			p, y := 1/(1+math.Exp(-odds)), 0.0
			if l.copied {
				y = 1
			}
			for i := range b {
				g[i] += l.weight * (y - p) * l.terms[i]
				for j := range b {
					h[i][j] += l.weight * p * (1 - p) * l.terms[i] * l.terms[j]
				}
			}
		}
		for i := range b {
			if !use[i] {
				g[i] = 0
				for j := range b {
					h[i][j], h[j][i] = 0, 0
				}
				h[i][i] = 1
			}
		}
		step := solve(h, g)
		most := 0.0
		for i := range b {
			b[i] += step[i]
			most = max(most, math.Abs(step[i]))
		}
		if most < 1e-9 {
			break
		}
	}
	return b
}

// solve returns x with h·x = g; h is positive definite.
func solve(h [5][5]float64, g [5]float64) (x [5]float64) {
	for i := range g {
		for r := range g {
			if r == i {
				continue
			}
			q := h[r][i] / h[i][i]
			for c := range g {
				h[r][c] -= q * h[i][c]
			}
			g[r] -= q * g[i]
		}
	}
	for i := range g {
		x[i] = g[i] / h[i][i]
	}
	return x
}

// folds is how many parts the packages are divided into. Each part is scored by weights fitted to the others.
const folds = 8

// heldOut returns the score of each row by weights that were fitted without the part of its package.
func heldOut(ls []labelled) []float64 {
	out := make([]float64, len(ls))
	foldOf := func(l labelled) byte {
		of := l.target()
		if l.Plain {
			both := l.pair()
			of = strings.Join(both[:], " ")
		}
		return sha256.Sum256([]byte(of))[0] % folds
	}
	for part := range byte(folds) {
		var rest []labelled
		for _, l := range ls {
			if foldOf(l) != part {
				rest = append(rest, l)
			}
		}
		w := fit(rest)
		for i, l := range ls {
			if foldOf(l) == part {
				out[i] = w.Score(l.Traits)
			}
		}
	}
	return out
}
