package measure

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
)

// Fork is one line of forks.tsv: a file that comes from another, with or without edits.
type Fork struct{ Lang, Package, Rel, Origin, Path string }

// Forks reads forks.tsv.
func Forks(name string) (out []Fork, err error) {
	err = corpus.Rows(name, 5, func(r []string) error {
		out = append(out, Fork{r[0], r[1], r[2], r[3], r[4]})
		return nil
	})
	return out, err
}

// laidFork is a fork whose file lies among the targets.
type laidFork struct {
	Fork
	name string // of the target
}

// lay puts the files of forks that the corpus has into a directory.
func lay(c *corpus.Corpus, forks []Fork, dir string) (laid []laidFork, err error) {
	by := make(map[string]corpus.File)
	for _, f := range c.Files {
		by[f.Package+"/"+f.Rel] = f
	}
	for _, k := range forks {
		f, ok := by[k.Package+"/"+k.Rel]
		if !ok {
			continue
		}
		laid = append(laid, laidFork{k, corpus.Flat(f)})
		if err := corpus.Link(f.Path, filepath.Join(dir, corpus.Flat(f))); err != nil {
			return nil, err
		}
	}
	return laid, nil
}

// forkTable scans the forks in dir and prints how many are recognised.
func forkTable(ctx context.Context, w io.Writer, b *baseline.Baseline, dir string, laid []laidFork) error {
	s, err := Run(ctx, []*baseline.Baseline{b}, dir, WithoutSource())
	if err != nil {
		return err
	}
	var some, pkg, file share
	var matched []float64
	for _, k := range laid {
		fs := s.by[k.name]
		some.add(len(fs) > 0)
		of, at, all := false, false, 0.0
		for _, f := range fs {
			o := f.Origins[0]
			of = of || purl.Name(o.PURL) == k.Origin
			at = at || purl.Name(o.PURL) == k.Origin && o.Path == k.Path
			all += f.FileShare
		}
		pkg.add(of)
		file.add(at)
		matched = append(matched, all)
	}
	fmt.Fprintln(w, "Whole files of unknown packages that are forks of known ones (forks.tsv), versions apart and edited:")
	fmt.Fprintln(w)
	fmt.Fprintln(w, "| files | with a finding | right package first | right file first | median share of tokens matched |")
	fmt.Fprintln(w, "|--:|--:|--:|--:|--:|")
	fmt.Fprintf(w, "| %d | %s | %s | %s | %.3f |\n\n", len(laid), some, pkg, file, Median(matched))
	return nil
}
