package main

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
	"github.com/git-provenance/git-provenance/scanner/examine"
)

// settings are the flags of an evaluation.
type settings struct {
	corpus, work, tables, goroot string
	mode                         string
	langs                        []string
	count, negatives             int // excerpts of each language and size; unknown files of each language
}

// Of the fresh packages there are more files than of the others, and fewer
// excerpts are pasted into them: how quiet it is among them is the question.
var modes = map[string]struct {
	kind             Kind
	langs            []string
	count, negatives int
}{
	"quick":  {Quick, []string{"go", "java", "js", "py"}, 60, 500},
	"full":   {Full, Languages, 80, 1000},
	"curve":  {Quick, nil, 0, 0},
	"fresh":  {Fresh, Languages, 40, 2000},
	"sealed": {Sealed, Languages, 0, 1000},
	"unseen": {Unseen, Languages, 20, 500},
	"later":  {Later, Languages, 20, 500},
}

// flags declares what every command on a corpus needs.
func (s *settings) flags(f *flag.FlagSet) {
	f.StringVar(&s.corpus, "corpus", "", "evaluate on the corpus in directory `DIR`; see docs/eval/run.sh")
	f.StringVar(&s.work, "work", "", "keep baselines and targets in directory `DIR`")
	f.StringVar(&s.tables, "tables", "docs/eval", "read packages.tsv, reviewed.tsv and forks.tsv in directory `DIR`")
	f.StringVar(&s.goroot, "goroot", os.Getenv("GOROOT"), "index the standard library of `GOROOT` as a known package; empty for none")
	f.StringVar(&s.mode, "mode", "quick", "quick, full, curve, fresh, sealed, unseen or later")
	f.Func("langs", "languages, separated by commas (default: all of the mode)", func(v string) error {
		s.langs = strings.Split(v, ",")
		return nil
	})
	f.IntVar(&s.negatives, "files", 0, "unknown files of each language (default: those of the mode)")
	f.IntVar(&s.count, "excerpts", 0, "excerpts of each language and size (default: those of the mode)")
}

// complete fills in what the mode decides.
func (s *settings) complete() error {
	m, ok := modes[s.mode]
	switch {
	case !ok:
		return fmt.Errorf("unknown mode %q", s.mode)
	case s.corpus == "" || s.work == "":
		return fmt.Errorf("-corpus and -work are needed; see docs/eval/run.sh")
	}
	if s.langs == nil {
		s.langs = m.langs
	}
	s.count, s.negatives = cmp.Or(s.count, m.count), cmp.Or(s.negatives, m.negatives)
	return os.MkdirAll(s.work, 0o755)
}

// table is the path of a table of the evaluation.
func (s settings) table(name string) string { return filepath.Join(s.tables, name) }

// load reads the corpus of a kind, and the reviews.
func (s settings) load(k Kind) (*Corpus, []Review, error) {
	c, err := Load(s.corpus, s.table("packages.tsv"), s.goroot, k)
	if err != nil {
		return nil, nil, err
	}
	rs, err := Reviews(s.table("reviewed.tsv"))
	return c, rs, err
}

// measure prints the tables of one mode.
func measure(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	f := flag.NewFlagSet("measure", flag.ContinueOnError)
	s.flags(f)
	if err := f.Parse(args); err != nil {
		return err
	}
	if err := s.complete(); err != nil {
		return err
	}
	if s.mode == "unseen" || s.mode == "later" {
		s.goroot = "" // the standard library has been seen
	}
	c, rs, err := s.load(modes[s.mode].kind)
	if err != nil {
		return err
	}
	var w strings.Builder
	switch s.mode {
	case "curve":
		err = c.sweep(ctx, &w, s.work, rs)
	case "fresh":
		err = s.fresh(ctx, c, &w, rs)
	case "sealed":
		err = s.sealed(ctx, c, &w, rs)
	case "unseen", "later":
		err = s.unseen(ctx, c, &w)
	default:
		err = s.evaluate(ctx, c, &w, rs)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(&w, "CPU: %.1f s in all.\n", cpu().Seconds())
	_, err = io.WriteString(out, w.String())
	return err
}

// fresh evaluates on packages that the scoring before had not seen.
func (s settings) fresh(ctx context.Context, c *Corpus, w io.Writer, rs []Review) error {
	fmt.Fprintf(w, "Fresh packages as hosts and unknown files; the origins are known ones.\n\n")
	if err := s.evaluate(ctx, c, w, rs); err != nil {
		return err
	}
	fmt.Fprintf(w, "Fresh packages on both sides.\n\n")
	s.goroot, s.work = "", filepath.Join(s.work, "apart")
	c, rs, err := s.load(Apart)
	if err != nil {
		return err
	}
	return s.evaluate(ctx, c, w, rs)
}

// sealed scans unknown files only.
func (s settings) sealed(ctx context.Context, c *Corpus, w io.Writer, rs []Review) error {
	b, err := c.Index(ctx, s.work, baseline.Defaults, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := about(w, b); err != nil {
		return err
	}
	q, err := s.quiet(ctx, c, b, rs)
	if err != nil {
		return err
	}
	falseTable(w, q.def, q.files)
	return write(filepath.Join(s.work, "negatives.json"), q.def)
}

// unseen judges further origins, at the defaults only.
func (s settings) unseen(ctx context.Context, c *Corpus, w io.Writer) error {
	b, err := c.Index(ctx, s.work, baseline.Defaults, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	pasted, err := emptied(s.work, "targets")
	if err != nil {
		return err
	}
	ps, notes, err := c.Positives(ctx, b, pasted, s.langs, s.count)
	if err != nil {
		return err
	}
	files, err := emptied(s.work, "strangers")
	if err != nil {
		return err
	}
	if _, err := c.Negatives(files, s.langs, s.negatives); err != nil {
		return err
	}
	def, err := run(ctx, b, pasted, withAllOrigins(withoutSource()))
	if err != nil {
		return err
	}
	neg, err := run(ctx, b, files, withAllOrigins(scanner.Defaults()))
	if err != nil {
		return err
	}
	if err := about(w, b); err != nil {
		return err
	}
	fmt.Fprintf(w, "Set-up: %d excerpts; %s.\n\n", len(ps), strings.Join(notes, "; "))
	return s.furtherOrigins(c, w, ps, def, neg)
}

// evaluate prints the tables of one corpus.
func (s settings) evaluate(ctx context.Context, c *Corpus, w io.Writer, rs []Review) error {
	if err := os.MkdirAll(s.work, 0o755); err != nil {
		return err
	}
	b, err := c.Index(ctx, s.work, baseline.Defaults, nil)
	if err != nil {
		return err
	}
	defer b.Close()
	say("baseline: %v CPU", cpu())
	p, err := s.loud(ctx, c, b)
	if err != nil {
		return err
	}
	q, err := s.quiet(ctx, c, b, rs)
	if err != nil {
		return err
	}
	if err := about(w, b); err != nil {
		return err
	}
	fmt.Fprintf(w, "Set-up: %s.\n\n", strings.Join(p.notes, "; "))
	recallTables(w, p.outcomes, s.langs)
	originTable(w, p.outcomes)
	if err := s.furtherOrigins(c, w, p.positives, p.def, q.scan); err != nil {
		return err
	}
	falseTable(w, q.def, q.files)
	curveTable(w, p.outcomes, q.all, q.count())
	missTable(w, p.outcomes)
	if err := s.forks(ctx, c, w, b); err != nil {
		return err
	}
	return cmp.Or(write(filepath.Join(s.work, "outcomes.json"), p.outcomes), write(filepath.Join(s.work, "negatives.json"), q.def),
		write(filepath.Join(s.work, "negatives-all.json"), q.all))
}

// loud is what became of the excerpts.
type loud struct {
	positives []Positive
	outcomes  []Outcome
	notes     []string
	def       *scan
}

// loud pastes excerpts and scans them at the defaults and holding nothing back.
func (s settings) loud(ctx context.Context, c *Corpus, b *baseline.Baseline) (out loud, err error) {
	dir, err := emptied(s.work, "targets")
	if err != nil {
		return out, err
	}
	if out.positives, out.notes, err = c.Positives(ctx, b, dir, s.langs, s.count); err != nil {
		return out, err
	}
	say("targets: %v CPU, %d positives %v", cpu(), len(out.positives), out.notes)
	if out.def, err = run(ctx, b, dir, withAllOrigins(withoutSource())); err != nil {
		return out, err
	}
	o := everything(b.Params().K)
	o.NoSource = true
	all, err := run(ctx, b, dir, o)
	if err != nil {
		return out, err
	}
	if err := all.check(); err != nil {
		return out, err
	}
	say("positives: %v CPU", cpu())
	for _, p := range out.positives {
		out.outcomes = append(out.outcomes, judge(p, out.def, all))
	}
	return out, nil
}

// quiet is what was found in files of unknown packages.
type quiet struct {
	def, all []Negative
	files    map[string]int // by language
	scan     *scan          // at the defaults
}

func (q quiet) count() (n int) {
	for _, x := range q.files {
		n += x
	}
	return n
}

// quiet scans unknown files at the defaults and holding nothing back.
func (s settings) quiet(ctx context.Context, c *Corpus, b *baseline.Baseline, rs []Review) (out quiet, err error) {
	dir, err := emptied(s.work, "strangers")
	if err != nil {
		return out, err
	}
	if _, err := c.Negatives(dir, s.langs, s.negatives); err != nil {
		return out, err
	}
	if out.scan, err = run(ctx, b, dir, withAllOrigins(scanner.Defaults())); err != nil {
		return out, err
	}
	all, err := run(ctx, b, dir, everything(b.Params().K))
	if err != nil {
		return out, err
	}
	say("negatives: %v CPU", cpu())
	out.def, out.all, out.files = out.scan.negatives(rs), all.negatives(rs), make(map[string]int)
	for _, l := range s.langs {
		out.files[l] = min(s.negatives, len(c.Of(l, "unknown")))
	}
	return out, nil
}

// forks scans whole files that are forks of known ones.
func (s settings) forks(ctx context.Context, c *Corpus, w io.Writer, b *baseline.Baseline) error {
	forks, err := Forks(s.table("forks.tsv"))
	if err != nil {
		return err
	}
	dir, err := emptied(s.work, "forks")
	if err != nil {
		return err
	}
	return c.forkTable(ctx, w, b, dir, forks)
}

// furtherOrigins judges the origins named behind the first, by the files themselves.
func (s settings) furtherOrigins(c *Corpus, w io.Writer, ps []Positive, def, neg *scan) error {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	r := c.reader(tz)
	pasted, err := r.pasted(ps, def)
	if err != nil {
		return err
	}
	found, err := r.found(neg)
	if err != nil {
		return err
	}
	rows := map[string][]Further{"pasted excerpts": pasted, "unknown files": found}
	furtherTable(w, rows)
	return write(filepath.Join(s.work, "further.json"), rows)
}

// withAllOrigins lists more origins than any finding has: each is judged.
func withAllOrigins(o scanner.Options) scanner.Options {
	o.MaxOrigins = 10000
	return o
}

// about prints what is known.
func about(w io.Writer, b *baseline.Baseline) error {
	in, err := b.Info()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "Baseline: %d packages, %d documents, %d tokens; k %d, w %d. Defaults: %d tokens, score %.2f.\n\n", in.Packages, in.Documents, in.Tokens, in.Params.K, in.Params.W, examine.DefaultMinTokens, examine.DefaultMinScore)
	return err
}

// emptied is a directory of the work directory without what an earlier run left.
func emptied(work, name string) (string, error) {
	dir := filepath.Join(work, name)
	return dir, os.RemoveAll(dir)
}
