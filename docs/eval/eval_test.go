package eval

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner"
)

var (
	corpusDir = flag.String("corpus", "", "evaluate on the corpus in this directory")
	workDir   = flag.String("work", "", "keep baselines and targets in this directory")
	outFile   = flag.String("out", "", "write the tables to this file")
	full      = flag.Bool("full", false, "all languages, a larger baseline, more files")
	langsFlag = flag.String("langs", "", "languages, separated by commas")
	curve     = flag.Bool("curve", false, "the curve over k and w and nothing else")
	perCell   = flag.Int("excerpts", 0, "excerpts of each language and size")
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
	if *perCell > 0 {
		count = *perCell
	}
	goroot := os.Getenv("GOROOT")
	c, err := Load(*corpusDir, "packages.tsv", goroot, !*full)
	must(t, err)
	rs, err := Reviews("reviewed.tsv")
	must(t, err)
	if *curve {
		var w strings.Builder
		must(t, c.sweep(ctx, &w, work, rs))
		fmt.Fprintf(&w, "CPU: %.1f s in all.\n", cpu().Seconds())
		must(t, os.WriteFile(*outFile, []byte(w.String()), 0o644))
		return
	}
	b, err := c.Index(ctx, work, baseline.Defaults, nil)
	must(t, err)
	defer b.Close()
	in, err := b.Info()
	must(t, err)
	t.Logf("baseline: %v CPU", cpu())

	targets, strangers := filepath.Join(work, "targets"), filepath.Join(work, "strangers")
	must(t, os.RemoveAll(targets))
	must(t, os.RemoveAll(strangers))
	ps, notes, err := c.Positives(ctx, b, targets, langs, count)
	must(t, err)
	t.Logf("targets: %v CPU, %d positives %v", cpu(), len(ps), notes)
	def, err := run(ctx, b, targets, scanner.Options{NoSource: true})
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
	_, err = c.Negatives(strangers, langs, negatives)
	must(t, err)
	defNeg, err := run(ctx, b, strangers, scanner.Options{})
	must(t, err)
	allNeg, err := run(ctx, b, strangers, everything(b.Params().K))
	must(t, err)
	defNeg.trust = all.trust
	t.Logf("negatives: %v CPU; trust %.3f", cpu(), all.trust)
	files := make(map[string]int)
	for _, l := range langs {
		files[l] = min(negatives, len(c.Of(l, "unknown")))
	}
	n := 0
	for _, x := range files {
		n += x
	}
	ns, nsAll := defNeg.negatives(rs), allNeg.negatives(rs)

	var w strings.Builder
	fmt.Fprintf(&w, "Baseline: %d packages, %d documents, %d tokens; k %d, w %d. Defaults: %d tokens, score %.2f.\n\n", in.Packages, in.Documents, in.Tokens, in.Params.K, in.Params.W, scanner.DefaultMinTokens, scanner.DefaultMinScore)
	fmt.Fprintf(&w, "Set-up: %s.\n\n", strings.Join(notes, "; "))
	recallTables(&w, os_, langs)
	originTable(&w, os_)
	falseTable(&w, ns, files)
	curveTable(&w, os_, nsAll, n)
	missTable(&w, os_)
	forks, err := Forks("forks.tsv")
	must(t, err)
	must(t, os.RemoveAll(filepath.Join(work, "forks")))
	must(t, c.forkTable(ctx, &w, b, filepath.Join(work, "forks"), forks))
	fmt.Fprintf(&w, "CPU: %.1f s in all.\n", cpu().Seconds())
	must(t, write(filepath.Join(work, "outcomes.json"), os_))
	must(t, write(filepath.Join(work, "negatives.json"), ns))
	must(t, write(filepath.Join(work, "negatives-all.json"), nsAll))
	if *outFile == "" {
		t.Log(w.String())
		return
	}
	must(t, os.WriteFile(*outFile, []byte(w.String()), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
