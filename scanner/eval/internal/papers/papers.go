// Package papers repeats, on real code, the experiments of the papers that git-provenance is based on: Manber (1994),
// Heintze (1996), Baker (1996), Broder (1997), Schleimer, Wilkerson and Aiken (2003). It turns files into tables (TSV) and
// plots (SVG). The same files give the same bytes, whatever their location.
//
//	papers.go      the experiments, their tables; svg.go: plots
//	corpus.go      the sample of files
//	manber.go, heintze.go, baker.go, broder.go, winnowing.go  one paper each; key.go: winnowing with a key
package papers

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// experiment is an experiment of a paper.
type experiment struct {
	name string
	run  func(ctx context.Context, c *corpus) (outcome, error)
}

var experiments = []experiment{
	{"winnowing", winnowing},
	{"manber", manber},
	{"broder", broder},
	{"heintze", heintze},
	{"key", key},
	{"baker", baker},
}

// outcome is the result of an experiment.
type outcome struct {
	tables []table
	charts []chart
}

// table is a file of tab-separated values.
type table struct {
	name   string
	header []string
	rows   [][]string
}

// row adds a row. Numbers get as many digits as are meaningful.
func (t *table) row(values ...any) {
	var r []string
	for _, v := range values {
		switch v := v.(type) {
		case float64:
			r = append(r, fmt.Sprintf("%.4g", v))
		default:
			r = append(r, fmt.Sprint(v))
		}
	}
	t.rows = append(t.rows, r)
}

func (t *table) encode() []byte {
	var b strings.Builder
	b.WriteString(strings.Join(t.header, "\t") + "\n")
	for _, r := range t.rows {
		b.WriteString(strings.Join(r, "\t") + "\n")
	}
	return []byte(b.String())
}

// Run reads a corpus and repeats the experiments on it.
func Run(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("papers", flag.ContinueOnError)
	files := fs.Int("files", 1000, "take so many files of each language")
	dir := fs.String("out", "docs/papers", "write tables and plots to this directory")
	only := fs.String("only", "", "run one experiment: "+names())
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		return errors.New("usage: eval papers [-files N] [-out DIR] [-only NAME] CORPUS")
	}
	c, err := read(ctx, fs.Args(), *files)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "corpus\t%s\n", c)
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	for _, e := range experiments {
		if *only != "" && *only != e.name {
			continue
		}
		o, err := e.run(ctx, c)
		if err == nil {
			err = o.write(*dir, out)
		}
		if err != nil {
			return fmt.Errorf("experiment %q: %w", e.name, err)
		}
	}
	return nil
}

func names() string {
	var out []string
	for _, e := range experiments {
		out = append(out, e.name)
	}
	return strings.Join(out, ", ")
}

// write writes tables and charts to files, and prints the tables.
func (o outcome) write(dir string, out io.Writer) error {
	for _, t := range o.tables {
		b := t.encode()
		fmt.Fprintf(out, "\n%s\n%s", t.name, b)
		if err := os.WriteFile(filepath.Join(dir, t.name+".tsv"), b, 0o666); err != nil {
			return err
		}
	}
	for _, c := range o.charts {
		if err := os.WriteFile(filepath.Join(dir, c.name+".svg"), c.encode(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(xs))
	return s[len(s)/2]
}

func share(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
