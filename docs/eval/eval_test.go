package eval

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
)

var (
	corpusDir = flag.String("corpus", "", "evaluate on the corpus in this directory")
	workDir   = flag.String("work", "", "keep baselines and targets in this directory")
	outFile   = flag.String("out", "", "write the tables to this file")
	full      = flag.Bool("full", false, "all languages, a larger baseline, more files")
	langsFlag = flag.String("langs", "", "languages, separated by commas")
	fresh     = flag.Bool("fresh", false, "packages that the scoring before had not seen, all languages")
	sealed    = flag.Bool("sealed", false, "packages that the scoring had not seen when it was made, as unknown files only")
	curve     = flag.Bool("curve", false, "the curve over k and w and nothing else")
	perCell   = flag.Int("excerpts", 0, "excerpts of each language and size")
)

// Of the fresh packages there are more files than of the others, and fewer
// excerpts are pasted into them: how quiet it is among them is the question.
const (
	freshExcerpts = 40
	freshFiles    = 2000 // of each language
	sealedFiles   = 1000
)

// TestEvaluate is the evaluation; run.sh calls it.
func TestEvaluate(t *testing.T) {
	if *corpusDir == "" {
		t.Skip("set -corpus: see run.sh")
	}
	ctx := context.Background()
	work := *workDir
	if work == "" {
		work = t.TempDir()
	}
	must(t, os.MkdirAll(work, 0o755))
	langs, count, negatives := []string{"go", "java", "js", "py"}, 60, 500
	if *full {
		langs, count, negatives = Languages, 80, 1000
	}
	if *langsFlag != "" {
		langs = strings.Split(*langsFlag, ",")
	}
	kind := Quick
	switch {
	case *full:
		kind = Full
	case *fresh:
		kind, count, negatives = Fresh, freshExcerpts, freshFiles
	case *sealed:
		kind, negatives = Sealed, sealedFiles
	}
	if (*fresh || *sealed) && *langsFlag == "" {
		langs = Languages
	}
	if *perCell > 0 {
		count = *perCell
	}
	c, err := Load(*corpusDir, "packages.tsv", os.Getenv("GOROOT"), kind)
	must(t, err)
	rs, err := Reviews("reviewed.tsv")
	must(t, err)
	var w strings.Builder
	switch {
	case *curve:
		must(t, c.sweep(ctx, &w, work, rs))
	case *fresh:
		fmt.Fprintf(&w, "Fresh packages as hosts and unknown files; the origins are known ones.\n\n")
		c.evaluate(ctx, t, &w, work, langs, count, negatives, rs)
		fmt.Fprintf(&w, "Fresh packages on both sides.\n\n")
		if c, err = Load(*corpusDir, "packages.tsv", "", Apart); err != nil {
			t.Fatal(err)
		}
		c.evaluate(ctx, t, &w, filepath.Join(work, "apart"), langs, count, negatives, rs)
	case *sealed:
		b, err := c.Index(ctx, work, baseline.Defaults, nil)
		must(t, err)
		defer b.Close()
		about(t, &w, b)
		strangers := filepath.Join(work, "strangers")
		must(t, os.RemoveAll(strangers))
		ns, _, files, _ := c.quiet(ctx, t, b, strangers, langs, negatives, rs, 0)
		falseTable(&w, ns, files)
		must(t, write(filepath.Join(work, "negatives.json"), ns))
	default:
		c.evaluate(ctx, t, &w, work, langs, count, negatives, rs)
	}
	fmt.Fprintf(&w, "CPU: %.1f s in all.\n", cpu().Seconds())
	if *outFile == "" {
		t.Log(w.String())
		return
	}
	must(t, os.WriteFile(*outFile, []byte(w.String()), 0o644))
}

// evaluate prints the tables of one corpus.
func (c *Corpus) evaluate(ctx context.Context, t *testing.T, w io.Writer, work string, langs []string, count, negatives int, rs []Review) {
	t.Helper()
	must(t, os.MkdirAll(work, 0o755))
	b, err := c.Index(ctx, work, baseline.Defaults, nil)
	must(t, err)
	defer b.Close()
	t.Logf("baseline: %v CPU", cpu())

	targets, strangers := filepath.Join(work, "targets"), filepath.Join(work, "strangers")
	must(t, os.RemoveAll(targets))
	must(t, os.RemoveAll(strangers))
	ps, notes, err := c.Positives(ctx, b, targets, langs, count)
	must(t, err)
	t.Logf("targets: %v CPU, %d positives %v", cpu(), len(ps), notes)
	def, err := run(ctx, b, targets, withAllOrigins(withoutSource()))
	must(t, err)
	o := everything(b.Params().K)
	o.NoSource = true
	all, err := run(ctx, b, targets, o)
	must(t, err)
	must(t, all.check())
	t.Logf("positives: %v CPU", cpu())
	var os_ []Outcome
	for _, p := range ps {
		os_ = append(os_, judge(p, def, all))
	}
	ns, nsAll, files, defNeg := c.quiet(ctx, t, b, strangers, langs, negatives, rs, all.trust)
	n := 0
	for _, x := range files {
		n += x
	}

	about(t, w, b)
	fmt.Fprintf(w, "Set-up: %s.\n\n", strings.Join(notes, "; "))
	recallTables(w, os_, langs)
	originTable(w, os_)
	c.furtherOrigins(t, w, work, ps, def, defNeg)
	falseTable(w, ns, files)
	curveTable(w, os_, nsAll, n)
	missTable(w, os_)
	forks, err := Forks("forks.tsv")
	must(t, err)
	must(t, os.RemoveAll(filepath.Join(work, "forks")))
	must(t, c.forkTable(ctx, w, b, filepath.Join(work, "forks"), forks))
	must(t, write(filepath.Join(work, "outcomes.json"), os_))
	must(t, write(filepath.Join(work, "negatives.json"), ns))
	must(t, write(filepath.Join(work, "negatives-all.json"), nsAll))
}

// furtherOrigins judges the origins named behind the first, by the files themselves.
func (c *Corpus) furtherOrigins(t *testing.T, w io.Writer, work string, ps []Positive, def, neg *scan) {
	t.Helper()
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	r := c.reader(tz)
	pasted, err := r.pasted(ps, def)
	must(t, err)
	found, err := r.found(neg)
	must(t, err)
	rows := map[string][]Further{"pasted excerpts": pasted, "unknown files": found}
	furtherTable(w, rows)
	must(t, write(filepath.Join(work, "further.json"), rows))
}

// withAllOrigins lists more origins than any finding has: each is judged.
func withAllOrigins(o scanner.Options) scanner.Options {
	o.MaxOrigins = 10000
	return o
}

// about prints what is known.
func about(t *testing.T, w io.Writer, b *baseline.Baseline) {
	t.Helper()
	in, err := b.Info()
	must(t, err)
	fmt.Fprintf(w, "Baseline: %d packages, %d documents, %d tokens; k %d, w %d. Defaults: %d tokens, score %.2f.\n\n", in.Packages, in.Documents, in.Tokens, in.Params.K, in.Params.W, scanner.DefaultMinTokens, scanner.DefaultMinScore)
}

// quiet scans unknown files at the defaults and holding nothing back; files are
// counted by language. A trust of 0 is read off the second scan.
func (c *Corpus) quiet(ctx context.Context, t *testing.T, b *baseline.Baseline, dir string, langs []string, count int, rs []Review, trust float64) (def, all []Negative, files map[string]int, s *scan) {
	t.Helper()
	_, err := c.Negatives(dir, langs, count)
	must(t, err)
	defNeg, err := run(ctx, b, dir, withAllOrigins(scanner.Defaults()))
	must(t, err)
	allNeg, err := run(ctx, b, dir, everything(b.Params().K))
	must(t, err)
	defNeg.trust = cmp.Or(trust, allNeg.trust)
	t.Logf("negatives: %v CPU; trust %.3f", cpu(), defNeg.trust)
	files = make(map[string]int)
	for _, l := range langs {
		files[l] = min(count, len(c.Of(l, "unknown")))
	}
	return defNeg.negatives(rs), allNeg.negatives(rs), files, defNeg
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
