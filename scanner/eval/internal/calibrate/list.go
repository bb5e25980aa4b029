package calibrate

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/measure"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/score"
)

// kinds are the pairs of known and unknown packages whose findings are listed. Nothing was fitted to the second.
var kinds = map[string]corpus.Kind{
	"known": {As: map[string]string{"known": "known", "home": "known", "large": "known", "unknown": "unknown", "fresh": "unknown", "fresh-origin": "unknown", "sealed": "unknown"},
		Dirs: []string{"", "eval", "fresh", "sealed"}},
	"sealed": {As: map[string]string{"sealed": "known", "fresh": "unknown", "fresh-origin": "unknown"}, Dirs: []string{"fresh", "sealed"}},
}

// List writes the findings in all unknown files of a kind as lines of the table of labels. Labels come from the table or from
// reviewed.tsv, if they have one.
func List(ctx context.Context, args []string, out io.Writer) error {
	var s corpus.Settings
	f := flag.NewFlagSet("unknown", flag.ContinueOnError)
	s.Flags(f)
	kind := f.String("kind", "known", "known: known packages against all others; sealed: sealed packages against the fresh")
	table := f.String("table", "docs/eval/reliability.tsv", "take labels from `FILE`")
	if err := f.Parse(args); err != nil {
		return err
	}
	k, ok := kinds[*kind]
	if !ok {
		return fmt.Errorf("unknown kind %q", *kind)
	}
	s.Mode, s.Negatives = "full", cmp.Or(s.Negatives, 1<<30)
	if err := s.Complete(); err != nil {
		return err
	}
	if *kind == "sealed" {
		s.Goroot = "" // the standard library is of the other kind
	}
	labels, err := readRows(*table, false)
	if err != nil {
		return err
	}
	c, rs, err := s.Load(k)
	if err != nil {
		return err
	}
	found, err := scan(ctx, s, c, "unknown-"+*kind)
	if err != nil {
		return err
	}
	return writeRows(out, rowsOf(found, *kind, labels, rs))
}

// scan returns the findings in unknown files that match known packages.
func scan(ctx context.Context, s corpus.Settings, c *corpus.Corpus, name string) ([]finding.Finding, error) {
	b, err := c.Index(ctx, s.Work, baseline.Defaults, nil)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	dir := filepath.Join(s.Work, name)
	if _, err := os.Stat(dir); err != nil {
		if _, err := c.Negatives(dir, s.Langs, s.Negatives); err != nil {
			return nil, err
		}
	}
	found, err := measure.Run(ctx, []*baseline.Baseline{b}, dir, measure.WithoutSource())
	if err != nil {
		return nil, err
	}
	return found.All(), nil
}

// rowsOf returns the lines of findings, sorted by their bits above the needed ones, the fewest first.
func rowsOf(fs []finding.Finding, kind string, labels []Row, rs []corpus.Review) (out []Row) {
	for _, f := range fs {
		o := f.Origins[0]
		r := Row{Traits: score.Traits{Above: f.ScoredBy.Above, Order: f.ScoredBy.Order, Unchanged: f.ScoredBy.Unchanged, Supported: f.ScoredBy.Supported},
			Kind: kind, Path: f.Path, Lines: fmt.Sprintf("%d-%d", f.StartLine, f.EndLine), Origin: purl.Name(o.PURL),
			Place: fmt.Sprintf("%s:%d-%d", o.Path, o.StartLine, o.EndLine)}
		same := func(l Row) bool {
			return l.Kind == kind && l.Path == r.Path && l.Lines == r.Lines && l.Origin == r.Origin
		}
		if i := slices.IndexFunc(labels, same); i >= 0 {
			r.Label, r.How, r.Why = labels[i].Label, labels[i].How, labels[i].Why
		} else if r.Label = corpus.VerdictOn(rs, f); r.Label == "unreviewed" {
			r.Label = "unread"
		} else {
			r.How = "reviewed"
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b Row) int { return cmp.Compare(a.Above, b.Above) })
	return out
}
