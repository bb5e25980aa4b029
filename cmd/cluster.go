package cmd

import (
	"io"
	"runtime"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/git-provenance/git-provenance/scanner/algorithms/sketch"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/similar"
	"github.com/spf13/cobra"
)

// clusterFlags are the flags of cluster.
type clusterFlags struct {
	pairFlags
	resemblance float64
	sketch      int
	key         keyFile
}

// Defaults of clusterFlags. With 128 hashes the standard error of a resemblance of 0.5 is 0.044.
const (
	defaultResemblance = 0.5
	defaultSketch      = 128
	maxSketch          = 1 << 16
)

func (p *program) clusterCommand() *cobra.Command {
	f := new(clusterFlags)
	c := &cobra.Command{
		Use:   "cluster DIR…",
		Short: "Group files that are near-duplicates of each other",
		Long: `Group the files below each DIR, which may be an archive or a git revision too, by
the resemblance of their sets of k-grams (Broder). A fixed number of hashes is
kept of each file, so that a hundred thousand files take seconds. Each file of a
cluster resembles another of it; the representative resembles the others most.

Resemblance is estimated: its standard error is sqrt(r(1-r)/SIZE). "compare" tells
what two files share exactly.`,
		Example: `  git-provenance cluster vendor
  git-provenance cluster ~/src --resemblance 0.8 --format json`,
		Args: someArgs("DIR"),
		RunE: func(c *cobra.Command, args []string) error { return p.cluster(c, args, f) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	f.Params = baseline.Defaults
	fs.Var(value.Share(&f.resemblance, defaultResemblance), "resemblance", "link files that resemble each other by `SHARE` or more, up to 1")
	fs.Var(value.AtLeast(&f.sketch, defaultSketch, 8), "sketch", "keep `SIZE` hashes of each file")
	f.key.flag(fs, "choose the hashes by the secret in `FILE`: a person without it cannot tell which are kept")
	fs.Var(value.Suffixes(&f.suffixes), "suffix", "compare only files whose names end in `SUFFIX`, such as .java (repeatable)")
	fs.VarP(value.AtLeast(&f.K, f.K, 1), "kgram", "k", "tokens `K` of a k-gram: shorter files are left out")
	fs.Var(value.Workers(&f.workers), "workers", "examine `N` files at a time; 0 means one for each CPU")
	fs.StringVarP(&f.output, "output", "o", "", outputHelp)
	fs.Var(value.OneOf(&f.format, "text", "text", "json", "csv"), "format", "output `FORMAT`: text, json or csv")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "text: list everything not examined")
	config.Mark(fs, config.NotInFile, "resemblance", "sketch", "suffix", "output")
	return c
}

func (p *program) cluster(c *cobra.Command, args []string, f *clusterFlags) (err error) {
	if err := p.settle(c, ""); err != nil {
		return err
	}
	if f.sketch > maxSketch {
		return usage(c, "--sketch %d: at most %d", f.sketch, maxSketch)
	}
	key, err := f.key.read()
	if err != nil {
		return err
	}
	s := p.units(f.suffixes)
	defer closeAll(&err, []io.Closer{s})
	all, err := s.Units(c.Context(), args, false)
	if err != nil {
		return err
	}
	bar := console.NewProgress(p.err)
	defer bar.Stop()
	o := similar.ClusterOptions{K: f.K, Sketch: f.sketch, Resemblance: f.resemblance, Workers: f.workers, Order: orderOf(key), Version: version()}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Reading = func(files int) { bar.At("reading", files, 0) }
	r, err := similar.ClusterOf(c.Context(), all, o)
	if err != nil {
		return err
	}
	bar.Stop()
	return p.write(f.output, func(w io.Writer) error { return report.Clusters(w, r, f.format, p.pairOptions(&f.pairFlags)) })
}

// orderOf returns the order of a key. Without a key the order is public.
func orderOf(k fingerprint.Key) sketch.Order {
	if k.IsZero() {
		return sketch.Public()
	}
	return sketch.Keyed(k)
}
