package papers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/finding"
)

// manber repeats the experiment of "Finding similar files in a large file system": a
// program of 30 KB stands among 4,000 files; 50 bytes at random places of it are
// substituted by random ones; which of the files is then similar?
func manber(ctx context.Context, c *corpus) (o outcome, err error) {
	const files, piece = 4000, 50
	trials := c.trials
	among := c.docs[:min(files, len(c.docs))]
	dir, err := os.MkdirTemp("", "papers-")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(dir)
	b, err := index(ctx, dir, among, fingerprint.Key{})
	if err != nil {
		return o, err
	}
	defer b.Close()
	t := table{name: "manber", header: []string{"language", "bytes", "substitutions", "trials", "found", "median share", "least share", "largest share of another", "trials where another has 25%", "trials read as words"}}
	ch := chart{name: "manber", title: fmt.Sprintf("A program of 30 KB among %d files, 50 random bytes substituted at a time", len(among)), x: "substitutions", y: "share found, and median share of tokens", logX: true}
	for _, l := range slices.DeleteFunc(c.languages(100), func(l string) bool { return !slices.Contains(programs, l) }) {
		d, err := programOf(ctx, b, among, l, 30_000)
		if err != nil {
			return o, err
		}
		found, kept := series{name: l + ": found"}, series{name: l + ": share", dashed: true}
		for _, n := range []int{1, 10, 30, 100, 300} {
			m, err := mutants(ctx, b, d, n, trials, piece)
			if err != nil {
				return o, err
			}
			t.row(l, len(d.text), n, trials, m.found, median(m.shares), slices.Min(m.shares), m.other, m.others, m.words)
			found.points = append(found.points, [2]float64{float64(n), share(m.found, trials)})
			kept.points = append(kept.points, [2]float64{float64(n), median(m.shares)})
		}
		ch.series = append(ch.series, found, kept)
	}
	return outcome{[]table{t}, []chart{ch}}, nil
}

// programs are the languages of the programs that are changed.
var programs = []string{"c", "go", "java", "python"}

// programOf is the document of a language whose size is nearest to bytes, of those that
// share little with any other: what is found besides such a one is an error.
func programOf(ctx context.Context, b *baseline.Baseline, docs []*document, language string, bytes int) (*document, error) {
	off := func(d *document) int { return max(len(d.text)-bytes, bytes-len(d.text)) }
	var of []*document
	for _, d := range docs {
		if d.language.Name == language {
			of = append(of, d)
		}
	}
	slices.SortStableFunc(of, func(x, y *document) int { return cmp.Compare(off(x), off(y)) })
	for _, d := range of {
		m, err := mutants(ctx, b, d, 0, 1, 1)
		if err != nil {
			return nil, err
		}
		if m.other < 0.1 {
			return d, nil
		}
	}
	return nil, fmt.Errorf("every document in %s is similar to another", language)
}

// index makes a baseline of documents, each a package of its own.
func index(ctx context.Context, dir string, docs []*document, key fingerprint.Key) (*baseline.Baseline, error) {
	var pkgs []*source.Package
	for i, d := range docs {
		at := filepath.Join(dir, "files", fmt.Sprint(i))
		if err := os.MkdirAll(at, 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(at, filepath.Base(d.path)), d.text, 0o666); err != nil {
			return nil, err
		}
		ps, err := source.Open(ctx, at, source.Options{PURL: fmt.Sprintf("pkg:generic/p%d@1", i), Offline: true})
		if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, ps...)
	}
	at := filepath.Join(dir, "baseline"+key.Check())
	w, err := baseline.OpenWriter(ctx, at, baseline.Defaults, key)
	if err != nil {
		return nil, err
	}
	_, err = w.Add(ctx, pkgs, baseline.AddOptions{Workers: 2})
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	return baseline.Open(ctx, at, key)
}

// tally is what became of the mutants of one program.
type tally struct {
	found  int       // the program was the first
	shares []float64 // of the mutant's tokens that it shares with the program
	other  float64   // the largest share of another file
	others int       // mutants of which another file has a quarter
	words  int       // mutants that could only be read as words
}

// mutants substitutes pieces of a program again and again, and asks the baseline.
func mutants(ctx context.Context, b *baseline.Baseline, d *document, n, trials, piece int) (m tally, err error) {
	o := examine.Defaults()
	o.MinTokens = b.Params().T()
	e, err := examine.New([]*baseline.Baseline{b}, o)
	if err != nil {
		return m, err
	}
	w := e.Comparing().NewWorker()
	defer w.Close()
	r := rand.New(rand.NewPCG(uint64(n), uint64(len(d.text))))
	for range trials {
		text := substitute(r, d.text, n, piece)
		got, err := w.CompareText(ctx, examine.Input{Path: filepath.Base(d.path), Language: d.language}, text)
		if err != nil {
			return m, err
		}
		own, other := 0.0, 0.0
		for _, p := range got.Pairs {
			shared := 0
			for _, v := range p.Target {
				shared += v.To - v.From
			}
			if s := share(shared, got.Tokens); [32]byte(p.Doc.Hash) == d.hash {
				own = s
			} else {
				other = max(other, s)
			}
		}
		m.shares, m.other = append(m.shares, own), max(m.other, other)
		if own > other {
			m.found++
		}
		if other >= 0.25 {
			m.others++
		}
		if slices.ContainsFunc(got.Ledger, isWords) {
			m.words++
		}
	}
	return m, nil
}

// substitute writes random printable bytes over n pieces of a text.
func substitute(r *rand.Rand, text []byte, n, piece int) []byte {
	out := slices.Clone(text)
	for range n {
		at := r.IntN(len(out) - piece)
		for i := range piece {
			out[at+i] = byte(' ' + r.IntN('~'-' '+1))
		}
	}
	return out
}

// isWords tells of a text whose syntax was given up.
func isWords(e finding.Entry) bool { return strings.HasSuffix(e.Detail, "scanned as words") }
