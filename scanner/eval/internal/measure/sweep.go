package measure

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/excerpt"
)

// The curve over k and w is measured on a part of the corpus: a sample of the known files of three languages, and fewer
// excerpts.
var (
	sweepK     = []int{12, 16, 20, 25}
	sweepW     = []int{8, 12, 20}
	sweepLangs = []string{"go", "java", "py"}
)

const (
	sweepCount     = 15
	sweepUnrelated = 200
)

// sweep prints the curve over k and w.
func sweep(ctx context.Context, c *corpus.Corpus, w io.Writer, work string, rs []corpus.Review) error {
	part := c.Only(func(f corpus.File) bool {
		return slices.Contains(sweepLangs, f.Lang) && (c.PackageOf(f).Role == "unknown" || f.Hash[0]%6 == 0)
	})
	targets, unrelated := filepath.Join(work, "sweep-targets"), filepath.Join(work, "sweep-unrelated")
	for _, d := range []string{targets, unrelated} {
		if err := os.RemoveAll(d); err != nil {
			return err
		}
	}
	files, err := part.Negatives(unrelated, sweepLangs, sweepUnrelated)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Curve over k and w, on one in five of the known files in %v, %d excerpts of each language and size, %d unknown files. *Met*: found at no threshold at all.\n\n", sweepLangs, sweepCount, files)
	fmt.Fprintln(w, "| k | w | t | index bytes a token | add, CPU s | scan, CPU s | 1 ≥ 60 | 2c ≥ 120 | 3/25 ≥ 120 | met, 1 at 40 | met, 3/25 at 60 | met, 3/25 at 120 | false or unreviewed |")
	fmt.Fprintln(w, "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	s := &sweeper{corpus: part, w: w, work: work, targets: targets, unrelated: unrelated, reviews: rs}
	for _, k := range sweepK {
		for _, win := range sweepW {
			if err := s.point(ctx, fingerprint.Params{K: k, W: win}); err != nil {
				return err
			}
		}
	}
	fmt.Fprintln(w)
	return nil
}

// sweeper is what all points of the curve share.
type sweeper struct {
	corpus             *corpus.Corpus
	w                  io.Writer
	work               string             // for the baselines, one after the other
	targets, unrelated string             // directories to scan: changed excerpts, unrelated code
	positives          []excerpt.Positive // what targets holds; made for the first point
	reviews            []corpus.Review
}

// point measures one pair of k and w. All pairs use the targets of the first.
func (s *sweeper) point(ctx context.Context, p fingerprint.Params) error {
	dir, err := os.MkdirTemp(s.work, "point-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	before := corpus.CPU()
	b, err := s.corpus.Index(ctx, dir, p, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	add := corpus.CPU() - before
	in, err := b.Info()
	if err != nil {
		return err
	}
	if s.positives == nil {
		if s.positives, _, err = excerpt.Positives(ctx, s.corpus, b, excerpt.Order{Dir: s.targets, Langs: sweepLangs, Count: sweepCount}); err != nil {
			return err
		}
	}
	def, err := Run(ctx, []*baseline.Baseline{b}, s.targets, WithoutSource())
	if err != nil {
		return err
	}
	o := Everything(p.K)
	o.NoSource = true
	all, err := Run(ctx, []*baseline.Baseline{b}, s.targets, o)
	if err != nil {
		return err
	}
	neg, err := Run(ctx, []*baseline.Baseline{b}, s.unrelated, WithoutSource())
	if err != nil {
		return err
	}
	var os []Outcome
	for _, q := range s.positives {
		os = append(os, Judge(q, def, all))
	}
	wrong := 0
	for _, x := range neg.negatives(s.reviews) {
		if x.Verdict != "true-copy" {
			wrong++
		}
	}
	from := func(kind string, low, high int) func(Outcome) bool {
		return func(o Outcome) bool { return o.Shape == "excerpt" && o.Kind == kind && o.Size >= low && o.Size <= high }
	}
	met := func(o Outcome) bool { return o.Stage == "found" || o.Stage == "below threshold" || o.Stage == "short" }
	fmt.Fprintf(s.w, "| %d | %d | %d | %.2f | %.1f | %.1f | %s | %s | %s | %s | %s | %s | %d |\n", p.K, p.W, p.T(), float64(in.IndexBytes)/float64(in.Tokens), add.Seconds(), (def.cpu + neg.cpu).Seconds(),
		shares(os, from("1", 60, 400), found), shares(os, from("2c", 120, 400), found), shares(os, from("3/25", 120, 400), found),
		shares(os, from("1", 40, 40), met), shares(os, from("3/25", 60, 60), met), shares(os, from("3/25", 120, 120), met), wrong)
	return nil
}
