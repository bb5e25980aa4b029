// Package measure prints the tables of docs/EVALUATION.md. It scans excerpts and unknown files of a corpus and prints
// recall, false findings, origins, overlap and the curve over k and w.
//
//	evaluate.go    the modes; sweep.go: over k and w
//	measure.go     a scan of targets
//	further.go     whether further origins are true; fork.go: files that come from another
//	report.go      tables
package measure

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/excerpt"
	"github.com/git-provenance/git-provenance/scanner/examine"
)

// Tables prints the tables of one mode.
func Tables(ctx context.Context, args []string, out io.Writer) error {
	var s corpus.Settings
	f := flag.NewFlagSet("measure", flag.ContinueOnError)
	s.Flags(f)
	if err := f.Parse(args); err != nil {
		return err
	}
	if err := s.Complete(); err != nil {
		return err
	}
	if s.Mode == "unseen" || s.Mode == "later" {
		s.Goroot = "" // the standard library has been seen before
	}
	c, rs, err := s.Load(corpus.Modes[s.Mode].Kind)
	if err != nil {
		return err
	}
	var w strings.Builder
	switch s.Mode {
	case "curve":
		err = sweep(ctx, c, &w, s.Work, rs)
	case "fresh":
		err = fresh(ctx, s, c, &w, rs)
	case "sealed":
		err = sealed(ctx, s, c, &w, rs)
	case "unseen", "later":
		err = unseen(ctx, s, c, &w)
	default:
		err = evaluate(ctx, s, c, &w, rs)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(&w, "CPU: %.1f s in all.\n", corpus.CPU().Seconds())
	_, err = io.WriteString(out, w.String())
	return err
}

// fresh evaluates on packages that the previous scoring had not seen.
func fresh(ctx context.Context, s corpus.Settings, c *corpus.Corpus, w io.Writer, rs []corpus.Review) error {
	fmt.Fprintf(w, "Fresh packages as hosts and unknown files; the origins are known ones.\n\n")
	if err := evaluate(ctx, s, c, w, rs); err != nil {
		return err
	}
	fmt.Fprintf(w, "Fresh packages on both sides.\n\n")
	s.Goroot, s.Work = "", filepath.Join(s.Work, "apart")
	c, rs, err := s.Load(corpus.Apart)
	if err != nil {
		return err
	}
	return evaluate(ctx, s, c, w, rs)
}

// sealed scans unknown files only.
func sealed(ctx context.Context, s corpus.Settings, c *corpus.Corpus, w io.Writer, rs []corpus.Review) error {
	b, err := c.Index(ctx, s.Work, baseline.Defaults, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := about(w, b); err != nil {
		return err
	}
	q, err := runQuiet(ctx, s, c, b, rs)
	if err != nil {
		return err
	}
	falseTable(w, q.def, q.files)
	return corpus.WriteJSON(filepath.Join(s.Work, "negatives.json"), q.def)
}

// unseen judges further origins, with the defaults only.
func unseen(ctx context.Context, s corpus.Settings, c *corpus.Corpus, w io.Writer) error {
	b, err := c.Index(ctx, s.Work, baseline.Defaults, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	pasted, err := corpus.Emptied(s.Work, "targets")
	if err != nil {
		return err
	}
	ps, notes, err := excerpt.Positives(ctx, c, b, excerpt.Order{Dir: pasted, Langs: s.Langs, Count: s.Count})
	if err != nil {
		return err
	}
	files, err := corpus.Emptied(s.Work, "unrelated")
	if err != nil {
		return err
	}
	if _, err := c.Negatives(files, s.Langs, s.Negatives); err != nil {
		return err
	}
	def, err := Run(ctx, []*baseline.Baseline{b}, pasted, withAllOrigins(WithoutSource()))
	if err != nil {
		return err
	}
	neg, err := Run(ctx, []*baseline.Baseline{b}, files, withAllOrigins(scanner.Defaults()))
	if err != nil {
		return err
	}
	if err := about(w, b); err != nil {
		return err
	}
	fmt.Fprintf(w, "Set-up: %d excerpts; %s.\n\n", len(ps), strings.Join(notes, "; "))
	return furtherOrigins(s, c, w, scans{ps, def, neg})
}

// evaluate prints the tables of one corpus.
func evaluate(ctx context.Context, s corpus.Settings, c *corpus.Corpus, w io.Writer, rs []corpus.Review) error {
	if err := os.MkdirAll(s.Work, 0o755); err != nil {
		return err
	}
	b, err := c.Index(ctx, s.Work, baseline.Defaults, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	corpus.Say("baseline: %v CPU", corpus.CPU())
	p, err := runLoud(ctx, s, c, b)
	if err != nil {
		return err
	}
	q, err := runQuiet(ctx, s, c, b, rs)
	if err != nil {
		return err
	}
	if err := about(w, b); err != nil {
		return err
	}
	fmt.Fprintf(w, "Set-up: %s.\n\n", strings.Join(p.notes, "; "))
	recallTables(w, p.outcomes, s.Langs)
	originTable(w, p.outcomes)
	if err := furtherOrigins(s, c, w, scans{p.positives, p.def, q.scan}); err != nil {
		return err
	}
	falseTable(w, q.def, q.files)
	curveTable(w, p.outcomes, q.all, q.count())
	missTable(w, p.outcomes)
	if err := forkTables(ctx, s, c, w, b); err != nil {
		return err
	}
	return cmp.Or(corpus.WriteJSON(filepath.Join(s.Work, "outcomes.json"), p.outcomes), corpus.WriteJSON(filepath.Join(s.Work, "negatives.json"), q.def),
		corpus.WriteJSON(filepath.Join(s.Work, "negatives-all.json"), q.all))
}

// loud has the outcomes of the excerpts.
type loud struct {
	positives []excerpt.Positive
	outcomes  []Outcome
	notes     []string
	def       *Scan
}

// runLoud pastes excerpts and scans them twice: with the defaults, and with Everything.
func runLoud(ctx context.Context, s corpus.Settings, c *corpus.Corpus, b *baseline.Baseline) (out loud, err error) {
	dir, err := corpus.Emptied(s.Work, "targets")
	if err != nil {
		return out, err
	}
	if out.positives, out.notes, err = excerpt.Positives(ctx, c, b, excerpt.Order{Dir: dir, Langs: s.Langs, Count: s.Count}); err != nil {
		return out, err
	}
	corpus.Say("targets: %v CPU, %d positives %v", corpus.CPU(), len(out.positives), out.notes)
	if out.def, err = Run(ctx, []*baseline.Baseline{b}, dir, withAllOrigins(WithoutSource())); err != nil {
		return out, err
	}
	o := Everything(b.Params().K)
	o.NoSource = true
	all, err := Run(ctx, []*baseline.Baseline{b}, dir, o)
	if err != nil {
		return out, err
	}
	corpus.Say("positives: %v CPU", corpus.CPU())
	for _, p := range out.positives {
		out.outcomes = append(out.outcomes, Judge(p, out.def, all))
	}
	return out, nil
}

// quiet has the findings in files of unknown packages.
type quiet struct {
	def, all []Negative
	files    map[string]int // by language
	scan     *Scan          // with the defaults
}

func (q quiet) count() (n int) {
	for _, x := range q.files {
		n += x
	}
	return n
}

// runQuiet scans unknown files twice: with the defaults, and with Everything.
func runQuiet(ctx context.Context, s corpus.Settings, c *corpus.Corpus, b *baseline.Baseline, rs []corpus.Review) (out quiet, err error) {
	dir, err := corpus.Emptied(s.Work, "unrelated")
	if err != nil {
		return out, err
	}
	if _, err := c.Negatives(dir, s.Langs, s.Negatives); err != nil {
		return out, err
	}
	if out.scan, err = Run(ctx, []*baseline.Baseline{b}, dir, withAllOrigins(scanner.Defaults())); err != nil {
		return out, err
	}
	all, err := Run(ctx, []*baseline.Baseline{b}, dir, Everything(b.Params().K))
	if err != nil {
		return out, err
	}
	corpus.Say("negatives: %v CPU", corpus.CPU())
	out.def, out.all, out.files = out.scan.negatives(rs), all.negatives(rs), make(map[string]int)
	for _, l := range s.Langs {
		out.files[l] = min(s.Negatives, len(c.Of(l, "unknown")))
	}
	return out, nil
}

// forkTables scans whole files that are forks of known ones.
func forkTables(ctx context.Context, s corpus.Settings, c *corpus.Corpus, w io.Writer, b *baseline.Baseline) error {
	forks, err := Forks(s.Table("forks.tsv"))
	if err != nil {
		return err
	}
	dir, err := corpus.Emptied(s.Work, "forks")
	if err != nil {
		return err
	}
	laid, err := lay(c, forks, dir)
	if err != nil || len(laid) == 0 {
		return err
	}
	return forkTable(ctx, w, b, dir, laid)
}

// scans are the two that are judged: of targets with excerpts, and of unknown files.
type scans struct {
	excerpts        []excerpt.Positive
	pasted, unknown *Scan
}

// furtherOrigins judges the origins named after the first by reading their files.
func furtherOrigins(s corpus.Settings, c *corpus.Corpus, w io.Writer, of scans) error {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	r := newReader(c, tz)
	pasted, err := r.pasted(of.excerpts, of.pasted)
	if err != nil {
		return err
	}
	found, err := r.found(of.unknown)
	if err != nil {
		return err
	}
	rows := map[string][]Further{"pasted excerpts": pasted, "unknown files": found}
	furtherTable(w, rows)
	return corpus.WriteJSON(filepath.Join(s.Work, "further.json"), rows)
}

// withAllOrigins lists more origins than any finding has, so that each is judged.
func withAllOrigins(o scanner.Options) scanner.Options {
	o.MaxOrigins = 10000
	return o
}

// about prints the content of a baseline.
func about(w io.Writer, b *baseline.Baseline) error {
	in, err := b.Info()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "Baseline: %d packages, %d documents, %d tokens; k %d, w %d. Defaults: %d tokens, score %.2f.\n\n", in.Packages, in.Documents, in.Tokens, in.Params.K, in.Params.W, examine.DefaultMinTokens, examine.DefaultMinScore)
	return err
}
