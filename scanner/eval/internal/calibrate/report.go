package calibrate

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"math"

	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// Calibrate fits the weights of the score to a table of labels. It prints how often findings are true, by the score from
// weights that were fitted without their packages.
func Calibrate(_ context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("calibrate", flag.ContinueOnError)
	table := f.String("table", "", "fit to the labels in `FILE`, instead of docs/eval/reliability.tsv or reliability-plain.tsv")
	plain := f.Bool("plain", false, "the findings are in plain text: documents, pages, settings")
	asItIs := f.Bool("standing", false, "fit nothing: tell how often findings are true by the standing weights, to which no label of the table was given")
	if err := f.Parse(args); err != nil {
		return err
	}
	name, weights := "docs/eval/reliability.tsv", score.DefaultLikelihood()
	if *plain {
		name, weights = "docs/eval/reliability-plain.tsv", score.PlainLikelihood()
	}
	*table = cmp.Or(*table, name)
	rs, err := readRows(*table, *plain)
	if err != nil {
		return err
	}
	ls := count(rs)
	if len(ls) == 0 {
		return fmt.Errorf("table %q: no finding is labelled true-copy or false", *table)
	}
	fmt.Fprintf(out, "%d findings, %d of them labelled, of %d pairs of packages.\n", len(rs), len(ls), pairs(ls))
	if *asItIs {
		standing := scores(ls, weights)
		fmt.Fprintf(out, "log loss of the standing weights %.3f\n\n", loss(ls, standing))
		bands(out, ls, standing)
		languages(out, ls, standing)
		return nil
	}
	fmt.Fprintf(out, "fitted:   %+v\nstanding: %+v\n\n", *fit(ls), *weights)
	held, standing := heldOut(ls), scores(ls, weights)
	fmt.Fprintf(out, "log loss of packages held out %.3f, of the standing weights %.3f\n\n", loss(ls, held), loss(ls, standing))
	bands(out, ls, held)
	if !*plain {
		languages(out, ls, held)
		across(out, ls)
	}
	return nil
}

// scores returns the scores by weights.
func scores(ls []labelled, w *score.Likelihood) []float64 {
	out := make([]float64, len(ls))
	for i, l := range ls {
		out[i] = w.Score(l.Traits)
	}
	return out
}

func pairs(ls []labelled) int {
	met := make(map[[2]string]bool)
	for _, l := range ls {
		met[l.pair()] = true
	}
	return len(met)
}

// loss returns the mean of -ln of the score given to the true label.
func loss(ls []labelled, scores []float64) float64 {
	sum, of := 0.0, 0.0
	for i, l := range ls {
		p := min(0.9995, max(0.0005, scores[i]))
		if !l.copied {
			p = 1 - p
		}
		sum, of = sum-l.weight*math.Log(p), of+l.weight
	}
	return sum / of
}

// tally counts findings and true ones, and sums their weights and scores.
type tally struct {
	n, true_                int
	weight, copied, claimed float64
}

func (t *tally) add(l labelled, score float64) {
	t.n++
	t.weight += l.weight
	t.claimed += l.weight * score
	if l.copied {
		t.true_++
		t.copied += l.weight
	}
}

func (t tally) String() string {
	if t.n == 0 {
		return "0 | | | "
	}
	return fmt.Sprintf("%d | %.2f | %.2f | %.2f", t.n, t.claimed/t.weight, t.copied/t.weight, float64(t.true_)/float64(t.n))
}

// edges are the bounds of the score's bands.
var edges = []float64{0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.01}

func bands(out io.Writer, ls []labelled, scores []float64) {
	fmt.Fprintln(out, "| score, held out | findings | mean score | true | true, all counted alike |\n|---|--:|--:|--:|--:|")
	for i := range edges[1:] {
		var t tally
		for n, l := range ls {
			if edges[i] <= scores[n] && scores[n] < edges[i+1] {
				t.add(l, scores[n])
			}
		}
		fmt.Fprintf(out, "| %.2f to %.2f | %v |\n", edges[i], min(1, edges[i+1]), t)
	}
	fmt.Fprintln(out)
}

// halves are the bands for languages, which have few findings each.
var halves = []float64{0, 0.5, 0.9, 1.01}

func languages(out io.Writer, ls []labelled, scores []float64) {
	fmt.Fprintln(out, "| language | score, held out | findings | mean score | true | true, all counted alike |\n|---|---|--:|--:|--:|--:|")
	for _, lang := range corpus.Languages {
		for i := range halves[1:] {
			var t tally
			for n, l := range ls {
				if l.language() == lang && halves[i] <= scores[n] && scores[n] < halves[i+1] {
					t.add(l, scores[n])
				}
			}
			fmt.Fprintf(out, "| %s | %.2f to %.2f | %v |\n", lang, halves[i], min(1, halves[i+1]), t)
		}
	}
	fmt.Fprintln(out)
}

// across fits to one kind of packages and scores the other.
func across(out io.Writer, ls []labelled) {
	fmt.Fprintln(out, "| fitted to | scored | log loss | mean score | true |\n|---|---|--:|--:|--:|")
	for _, k := range [][2]string{{"known", "sealed"}, {"sealed", "known"}} {
		var from, to []labelled
		for _, l := range ls {
			switch l.Kind {
			case k[0]:
				from = append(from, l)
			case k[1]:
				to = append(to, l)
			}
		}
		if len(from) == 0 || len(to) == 0 {
			continue
		}
		given := scores(to, fit(from))
		var t tally
		for i, l := range to {
			t.add(l, given[i])
		}
		fmt.Fprintf(out, "| %s | %s | %.3f | %.2f | %.2f |\n", k[0], k[1], loss(to, given), t.claimed/t.weight, t.copied/t.weight)
	}
}
