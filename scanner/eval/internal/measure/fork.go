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

// forkTable scans the forks below dir and prints how many are recognised.
func forkTable(ctx context.Context, c *corpus.Corpus, w io.Writer, b *baseline.Baseline, dir string, forks []Fork) error {
	by := make(map[string]corpus.File)
	for _, f := range c.Files {
		by[f.Package+"/"+f.Rel] = f
	}
	var laid []Fork
	for _, k := range forks {
		f, ok := by[k.Package+"/"+k.Rel]
		if !ok {
			continue
		}
		laid = append(laid, k)
		if err := corpus.Link(f.Path, filepath.Join(dir, corpus.Flat(f))); err != nil {
			return err
		}
	}
	if len(laid) == 0 {
		return nil
	}
	s, err := Run(ctx, []*baseline.Baseline{b}, dir, WithoutSource())
	if err != nil {
		return err
	}
	var some, pkg, file share
	var matched []float64
	for _, k := range laid {
		fs := s.by[corpus.Flat(by[k.Package+"/"+k.Rel])]
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
