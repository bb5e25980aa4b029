package evolution

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/corpus"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/excerpt"
	"github.com/git-provenance/git-provenance/scanner/eval/internal/measure"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// classes are the lower bounds of agreement by which pairs are grouped.
var classes = []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0}

// sizes are the classes of functions, by the smaller number of tokens at both ends.
var sizes = []int{200, 80, 40}

const (
	fewestFile  = 200 // least tokens of a file that is measured
	ofEachClass = 25  // functions, and files, of a repository
)

func classOf(agree float64) float64 {
	for _, c := range classes {
		if agree >= c {
			return c
		}
	}
	return 0
}

// options are the flags of the command.
type options struct {
	corpus.Settings
	repos, role, table string
}

// Tables prints how many real edits are found.
func Tables(ctx context.Context, args []string, out io.Writer) error {
	var o options
	f := flag.NewFlagSet("evolution", flag.ContinueOnError)
	o.Flags(f)
	f.StringVar(&o.repos, "repos", "", "read bare clones from `DIR`/OWNER+NAME/repo")
	f.StringVar(&o.role, "role", "train", "repositories to follow: "+strings.Join(roles, ", "))
	f.StringVar(&o.table, "table", "docs/eval/evolution.tsv", "`FILE` that names repositories and commits")
	if err := f.Parse(args); err != nil {
		return err
	}
	if err := o.Complete(); err != nil {
		return err
	}
	rows, err := Table(o.table)
	if err != nil {
		return err
	}
	of := func(role string) []Row {
		return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Role != role })
	}
	if !slices.Contains(roles, o.role) || o.repos == "" {
		return fmt.Errorf("-repos and a -role of %s are needed", strings.Join(roles, ", "))
	}
	return o.run(ctx, of(o.role), of(host), out)
}

func (o options) run(ctx context.Context, rows, hosts []Row, out io.Writer) error {
	functions, files, err := o.follow(ctx, rows)
	if err != nil {
		return err
	}
	bs, err := o.index(ctx, rows)
	if err != nil {
		return err
	}
	defer func() {
		for _, b := range bs {
			b.Close()
		}
	}()
	hosts = slices.DeleteFunc(hosts, func(h Row) bool {
		return !slices.ContainsFunc(rows, func(r Row) bool { return r.Lang == h.Lang })
	})
	into, err := o.hosts(ctx, hosts)
	if err != nil {
		return err
	}
	if err := o.functions(ctx, bs, into, sample(functions), out); err != nil {
		return err
	}
	return o.files(ctx, bs, sample(files), out)
}

// follow follows all repositories.
func (o options) follow(ctx context.Context, rows []Row) (functions, files []Pair, err error) {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	for _, row := range rows {
		fns, whole, err := Follow(ctx, row, o.repository(row), tz)
		if err != nil {
			return nil, nil, fmt.Errorf("follow %s: %w", row.Repository, err)
		}
		corpus.Say("%s: %d functions and %d files followed to the end, %v CPU", row.Repository, len(fns), len(whole), corpus.CPU())
		functions, files = append(functions, fns...), append(files, whole...)
		runtime.GC()
	}
	long := func(ps []Pair, least int) []Pair {
		return slices.DeleteFunc(ps, func(p Pair) bool { return min(len(p.Old.words), len(p.New.words)) < least })
	}
	return long(functions, sizes[len(sizes)-1]), long(files, fewestFile), nil
}

func (o options) repository(row Row) string {
	return filepath.Join(o.repos, strings.Replace(row.Repository, "/", "+", 1), "repo")
}

// sample takes some pairs of each repository and class, at random.
func sample(ps []Pair) []Pair {
	key := func(p Pair) string { return fmt.Sprint(p.Repository, p.Old.path, p.Old.name, p.Old.from) }
	chance := make(map[*piece]int)
	for _, p := range ps {
		chance[p.Old] = corpus.NewDice("evolution", key(p)).UpTo(1 << 30)
	}
	slices.SortFunc(ps, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(a.Repository, b.Repository), cmp.Compare(chance[a.Old], chance[b.Old]), cmp.Compare(key(a), key(b)))
	})
	have := make(map[string]int)
	return slices.DeleteFunc(ps, func(p Pair) bool {
		k := fmt.Sprint(p.Repository, classOf(p.Agree))
		have[k]++
		return have[k] > ofEachClass
	})
}

// index makes a baseline of the first commits. The baseline of the corpus follows it.
func (o options) index(ctx context.Context, rows []Row) ([]*baseline.Baseline, error) {
	c, _, err := o.Load(corpus.Quick)
	if err != nil {
		return nil, err
	}
	known, err := c.Index(ctx, o.Work, baseline.Defaults, nil)
	if err != nil {
		return nil, err
	}
	var pkgs []*source.Package
	for _, row := range rows {
		p, err := o.first(ctx, row)
		if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, p)
	}
	dir, err := corpus.Emptied(o.Work, "evolution-base")
	if err != nil {
		return nil, err
	}
	b, err := corpus.IndexPackages(ctx, dir, baseline.Defaults, pkgs)
	if err != nil {
		return nil, err
	}
	return []*baseline.Baseline{b, known}, nil
}

// first returns the package of a row's first commit.
func (o options) first(ctx context.Context, row Row) (*source.Package, error) {
	repo, err := git.Open(ctx, o.repository(row), git.Options{})
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	at, err := repo.Resolve(ctx, row.Commits[0])
	if err != nil {
		return nil, err
	}
	files, err := repo.FilesAt(ctx, row.Commits[0], "", nil)
	if err != nil {
		return nil, err
	}
	content := make(map[string][]byte)
	for _, f := range files {
		if data, err := repo.Blob(ctx, f.Blob, 1<<20); err == nil {
			content[f.Path] = data
		}
	}
	p := source.New(row.Repository, func(ctx context.Context, _ source.Limits, file func(string, []byte) error, _ func(string, string, string)) error {
		for _, f := range files {
			if data, ok := content[f.Path]; ok {
				if err := file(f.Path, data); err != nil {
					return err
				}
			}
		}
		return nil
	})
	p.PURL, p.Released = row.purl(), at.CommitTime
	return p, nil
}

func (row Row) purl() string {
	return "pkg:github/" + strings.ToLower(row.Repository) + "@" + row.Commits[0]
}

// functions pastes each late function into an unknown file and scans it.
func (o options) functions(ctx context.Context, bs []*baseline.Baseline, hosts map[string][]*excerpt.Code, ps []Pair, out io.Writer) error {
	c, _, err := o.Load(corpus.Quick)
	if err != nil {
		return err
	}
	var gs []excerpt.Graft
	for _, p := range ps {
		gs = append(gs, excerpt.Graft{Code: p.New.code, From: p.New.from, To: p.New.to, Was: p.Old.code.Toks[p.Old.from:p.Old.to],
			Lang: p.Lang, Origin: purl.Name(p.purl()), Path: p.Old.path})
	}
	dir, err := corpus.Emptied(o.Work, "evolution-functions")
	if err != nil {
		return err
	}
	targets, at, err := excerpt.Grafts(c, bs, dir, hosts, gs)
	if err != nil {
		return err
	}
	def, err := measure.Run(ctx, bs, dir, measure.WithoutSource())
	if err != nil {
		return err
	}
	every := measure.Everything(bs[0].Params().K)
	every.NoSource = true
	all, err := measure.Run(ctx, bs, dir, every)
	if err != nil {
		return err
	}
	limits, err := newBounder(bs)
	if err != nil {
		return err
	}
	var rs []result
	for i, t := range targets {
		most, err := limits.of(ps[at[i]], filepath.Join(dir, t.File))
		if err != nil {
			return err
		}
		rs = append(rs, result{ps[at[i]], measure.Judge(t, def, all), most})
	}
	if err := o.list(rs); err != nil {
		return err
	}
	if err := o.missed(rs); err != nil {
		return err
	}
	return functionTables(out, rs)
}

// result is the outcome for a function.
type result struct {
	Pair
	measure.Outcome
	most bound
}

// list writes every function with its outcome, for a person to read.
func (o options) list(rs []result) error {
	var b strings.Builder
	fmt.Fprintln(&b, "agree\tstage\tbits\tneeded\tmost\twithin\ttokens\tmatched\ttarget\tlines\trepository\told\tnew\tname\tfirst")
	for _, r := range rs {
		fmt.Fprintf(&b, "%.4f\t%s\t%.1f\t%.1f\t%.1f\t%.1f\t%d\t%d\t%s\t%d-%d\t%s\t%s:%d\t%s:%d\t%s\t%s\n", r.Agree, r.Stage, r.Bits+r.Support, r.most.Needed, r.most.Bits, r.most.Within, r.Tokens, r.Length,
			r.File, r.First, r.Outcome.Last, r.Repository, r.Old.path, r.Old.line(), r.New.path, r.New.line(), r.Old.name, r.Got)
	}
	return os.WriteFile(filepath.Join(o.Work, "evolution-"+o.role+".tsv"), []byte(b.String()), 0o644)
}

// missed writes both versions of the functions that were not found, for a person to read.
func (o options) missed(rs []result) error {
	var b strings.Builder
	for _, r := range rs {
		if r.Found {
			continue
		}
		fmt.Fprintf(&b, "==== %.2f %s, %.0f bits of %.0f needed, %.0f at most: %s %s:%d, %s\n", r.Agree, r.Stage, r.Bits, r.most.Needed, r.most.Bits, r.Repository, r.Old.path, r.Old.line(), r.File)
		fmt.Fprintf(&b, "%s\n---- %s:%d\n%s\n", r.Old.text(), r.New.path, r.New.line(), r.New.text())
	}
	return os.WriteFile(filepath.Join(o.Work, "evolution-"+o.role+"-missed.txt"), []byte(b.String()), 0o644)
}

// text returns the source of a piece.
func (p *piece) text() []byte { return p.code.Src[p.code.Toks[p.from].Start:p.code.Toks[p.to-1].End] }

// files copies each late file unchanged and scans it.
func (o options) files(ctx context.Context, bs []*baseline.Baseline, ps []Pair, out io.Writer) error {
	dir, err := corpus.Emptied(o.Work, "evolution-files")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := func(i int) string { return fmt.Sprintf("%05d%s", i, filepath.Ext(ps[i].New.path)) }
	for i, p := range ps {
		if err := os.WriteFile(filepath.Join(dir, name(i)), p.New.code.Src, 0o644); err != nil {
			return err
		}
	}
	def, err := measure.Run(ctx, bs, dir, measure.WithoutSource())
	if err != nil {
		return err
	}
	found := make([]whole, len(ps))
	for i, p := range ps {
		found[i] = whole{Pair: p}
		for _, f := range def.Of(name(i)) {
			found[i].right = found[i].right || purl.Name(f.Origins[0].PURL) == purl.Name(p.purl())
			found[i].matched += f.Tokens
		}
	}
	if err := o.listFiles(found, name); err != nil {
		return err
	}
	return fileTable(out, found)
}

// listFiles writes every file with its outcome.
func (o options) listFiles(ws []whole, name func(int) string) error {
	var b strings.Builder
	fmt.Fprintln(&b, "agree\tfound\tmatched\ttokens\ttarget\trepository\told\tnew")
	for i, w := range ws {
		fmt.Fprintf(&b, "%.2f\t%t\t%d\t%d\t%s\t%s\t%s\t%s\n", w.Agree, w.right, w.matched, len(w.New.words), name(i), w.Repository, w.Old.path, w.New.path)
	}
	return os.WriteFile(filepath.Join(o.Work, "evolution-"+o.role+"-files.tsv"), []byte(b.String()), 0o644)
}

// whole is the outcome for a file.
type whole struct {
	Pair
	right   bool // a finding names the package first
	matched int  // tokens of its findings
}
