package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/target"
	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
	"github.com/git-provenance/git-provenance/scanner/basecode"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/git/ignore"
	"github.com/git-provenance/git-provenance/scanner/policy"
)

// wholeHistory is the value of --history without a range.
const wholeHistory = "HEAD"

// scanFlags are the flags of scan.
type scanFlags struct {
	baselines []string
	key       keyFile
	base      []string
	known     []string
	failOn    string
	formatted

	staged  bool
	diff    string
	history string
	all     bool
	since   time.Time
	noCache bool
	dated   bool
	origins
	language string

	scanner.Options
}

func (p *program) scanCommand() *cobra.Command {
	f := new(scanFlags)
	c := &cobra.Command{
		Use:   "scan [PATH…]",
		Short: "Find code that matches known packages",
		Long: `Compare a target with baselines: indexes of known packages. Report each region of the
target that a baseline has too, with its origins and the evidence. A finding does not
say that the copy is wrong; its line "action" says what to do.

The target is the work tree, or the files below each PATH. With --staged it is the
staged changes, with --diff the changes of a range of commits, with --history every
commit, with - a snippet on standard input.

Without --baseline the default baseline is used. If there is none, the target is
compared with the dependencies of its repository: the packages of its lock files
that are on this machine, and the standard library. A cache keeps their index.

Exit code: 0 nothing at or above --fail-on, 1 findings, 2 could not complete.`,
		Example: `  git-provenance scan
  git-provenance scan --diff main...HEAD --format json --output report.json
  git-provenance scan --history=v1.0..HEAD
  git-provenance scan - --lang go < snippet.go`,
		RunE: func(c *cobra.Command, args []string) error { return p.scan(c, args, f) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	f.targetFlags(fs)
	fs.StringVar(&f.language, "lang", "", "`LANGUAGE` of the snippet on standard input")
	f.formatted.flags(c)
	fs.Var(value.OneOf(&f.failOn, policy.Warning, config.FailLevels...), "fail-on", "exit with 1 if a finding has this `LEVEL` or a higher one: note, warning, error or never")
	f.datingFlags(fs)
	fs.BoolVar(&f.NoSource, "no-source", false, "leave the source text of both sides out of the report")
	f.howFlags(fs)
	config.Mark(fs, config.NotInFile, "staged", "diff", "history", "all", "since", "no-cache", "lang", "output")
	return c
}

// targetFlags adds the flags that select what is scanned.
func (f *scanFlags) targetFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&f.staged, "staged", false, "scan the staged changes, not the work tree")
	fs.StringVar(&f.diff, "diff", "", "scan the code that a `RANGE` such as main...HEAD adds")
	fs.StringVar(&f.history, "history", "", "scan every commit of a `RANGE`, by default of HEAD")
	fs.Lookup("history").NoOptDefVal = wholeHistory
	fs.BoolVar(&f.all, "all", false, "with --history: every commit that a branch, a tag or another reference leads to")
	fs.Var(value.Date(&f.since), "since", "with --history: leave out commits from before `DATE`, such as 2026-01-31")
	fs.BoolVar(&f.noCache, "no-cache", false, "with --history: neither read nor write the disk cache")
}

// datingFlags adds the flags that say whether origins are dated, and how.
func (f *scanFlags) datingFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&f.dated, "date", false, "date the origins, that is, since when they have the code: asks registries, see \"git-provenance date --help\"")
	fs.BoolVar(&f.offline, "offline", false, "with --date: never use the network, only what earlier runs found")
	f.origins.flags(fs)
	config.Mark(fs, config.NotInFile, "date")
}

// howFlags adds the flags that say how a scan works, and against what.
func (f *scanFlags) howFlags(fs *pflag.FlagSet) {
	o := scanner.Defaults()
	fs.StringArrayVar(&f.baselines, "baseline", nil, "compare with the baseline at `PATH`: a directory, postgres://…, s3://…, or the word default for the open baseline (repeatable)")
	f.key.flag(fs, opens)
	fs.StringArrayVar(&f.base, "base", nil, "ignore base code, such as a skeleton that was handed out: a file, an archive, or all files below a directory `PATH` (repeatable)")
	fs.Var(value.AtLeast(&f.MinTokens, o.MinTokens, 1), "min-tokens", "shortest finding, in `TOKENS`")
	fs.Var(value.Share(&f.MinScore, o.MinScore), "min-score", "lowest `SCORE` of a finding, from 0 to 1: the share of findings like it that are true copies; 0 lists every match")
	fs.Var(value.AtLeast(&f.MaxOrigins, o.MaxOrigins, 1), "max-origins", "list at most `N` origins of a finding and as many part origins; all are counted")
	fs.Var(value.AtLeast(&f.MaxFileSize, o.MaxFileSize, 1), "max-file-size", "leave out files of more than this many `BYTES`")
	fs.Var(value.AtLeast(&f.Common, o.Common, 2), "common", "call a region common, which the default policy ignores, if packages of at least `N` owners contain it")
	fs.StringArrayVar(&f.Exclude, "exclude", nil, "leave out paths that match a `PATTERN` of .gitignore's syntax (repeatable)")
	fs.BoolVar(&f.Generated, "generated", false, "scan minified files too, and find short matches in generated ones")
	fs.BoolVar(&f.Vendored, "vendored", false, "scan directories that package managers fill too, such as node_modules")
	fs.Var(value.Workers(&f.Workers), "workers", "examine `N` files at a time; 0 means one for each CPU")
	fs.StringArrayVar(&f.known, "known", nil, "accept the findings listed in JSON report `FILE` and report only new ones (repeatable)")
	config.Mark(fs, config.IsPath, "baseline", "base", "known")
	config.Mark(fs, config.NoAddress, "baseline")
}

func (p *program) scan(c *cobra.Command, args []string, f *scanFlags) error {
	rep, t, err := p.scanTarget(c, args, f)
	if err != nil {
		return err
	}
	p.found, f.entire = countFrom(rep.Findings, f.failOn), f.failOn == policy.Note
	if err := p.render(rep, &f.formatted); err != nil {
		return err
	}
	return errors.Join(t.Unreadable(rep), lacking(rep))
}

// scanTarget makes the report that a command line asks for.
func (p *program) scanTarget(c *cobra.Command, args []string, f *scanFlags) (rep *finding.Report, t *target.Target, err error) {
	ctx := c.Context()
	repo, err := p.repoOf(ctx, args)
	if err != nil {
		return nil, nil, err
	}
	if repo != nil {
		defer closeAll(&err, []io.Closer{repo})
	}
	if err := p.settle(c, target.RootOf(repo)); err != nil {
		return nil, nil, err
	}
	if t, err = p.target(c, f, repo, args); err != nil {
		return nil, nil, err
	}
	rep, err = p.reportOf(ctx, f, t)
	return rep, t, err
}

// reportOf makes the report of a target, once flags are settled.
func (p *program) reportOf(ctx context.Context, f *scanFlags, t *target.Target) (rep *finding.Report, err error) {
	known, err := p.beforehand(ctx, f, t)
	if err != nil {
		return nil, err
	}
	bases, err := p.openBaselines(ctx, f, t)
	if err != nil {
		return nil, err
	}
	defer closeAll(&err, bases)
	if rep, err = p.examine(ctx, bases, f, t); err != nil {
		return nil, err
	}
	if rep.Baseline.Documents == 0 {
		p.empty(f)
	}
	if f.dated || len(f.repos) > 0 {
		f.given, f.offline = !f.dated, f.offline || !f.dated
		if err := p.dateOrigins(ctx, rep, bases, t.Repo, f.origins); err != nil {
			return nil, err
		}
	}
	rep.AddToLedger(p.file.Narrowed...)
	return rep, p.decide(rep, known)
}

// empty says that nothing was compared: "0 findings" alone would sound as if there were none to find.
func (p *program) empty(f *scanFlags) {
	const such = ", such as pkg:npm/left-pad@1.3.0, a directory or an archive"
	dir, err := p.defaultBaseline()
	switch {
	case len(f.baselines) > 0:
		p.say("the baseline is empty: nothing was compared")
		fmt.Fprintln(p.err, "hint: git-provenance baseline add SOURCE --baseline PATH fills it"+such)
	case err == nil && baseline.Absent(dir): // a cache of dependencies, which cannot be filled by hand
		p.say("the dependencies have no code: nothing was compared")
		fmt.Fprintln(p.err, "hint: git-provenance scan --baseline PATH compares with another baseline, which git-provenance baseline add SOURCE --baseline PATH makes")
	default:
		p.say("the baseline is empty: nothing was compared")
		fmt.Fprintln(p.err, "hint: git-provenance baseline add SOURCE fills it"+such)
	}
}

// beforehand fails for names that a person may have mistyped, and reads the reports of --known. Dependencies are indexed after it: that
// can take minutes.
func (p *program) beforehand(ctx context.Context, f *scanFlags, t *target.Target) ([]policy.Known, error) {
	if err := t.Resolve(ctx, f.selection(t)); err != nil {
		return nil, err
	}
	for _, path := range f.base {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("read base code %q: %w", path, errors.Unwrap(err))
		}
	}
	return p.knownReports(ctx, f.known)
}

// repoOf opens the repository of the first PATH that is in one. Without PATH it opens that of the working directory.
func (p *program) repoOf(ctx context.Context, args []string) (*git.Repo, error) {
	paths := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "-" || !exists(a) })
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, path := range paths {
		if repo, err := p.openRepo(ctx, path); repo != nil || err != nil {
			return repo, err
		}
	}
	return nil, nil
}

// target determines the object of the scan, before anything that takes time.
func (p *program) target(c *cobra.Command, f *scanFlags, repo *git.Repo, args []string) (*target.Target, error) {
	t := &target.Target{Kind: "tree", Repo: repo, Root: target.RootOf(repo), Args: args}
	asked := f.asked(args)
	if len(asked) > 1 {
		return nil, usage(c, "%s exclude each other", strings.Join(asked, " and "))
	}
	for _, name := range []string{"diff", "history"} {
		if flag := c.Flags().Lookup(name); flag != nil && flag.Changed && flag.Value.String() == "" { // a script lost its variable
			return nil, usage(c, "--%s names no RANGE", name)
		}
	}
	if f.history == "" && (f.all || f.noCache || !f.since.IsZero()) {
		return nil, usage(c, "--all, --since and --no-cache go with --history")
	}
	if bad := ignore.Invalid(f.Exclude); bad != "" {
		return nil, usage(c, "--exclude %q matches no path: it is no pattern of .gitignore's syntax", bad)
	}
	if !f.dated && (f.clone || f.mirror != "") {
		return nil, usage(c, "--clone and --clone-mirror go with --date")
	}
	switch {
	case f.staged:
		t.Kind = "staged"
	case f.diff != "":
		t.Kind, t.Spec = "diff", f.diff
	case f.history != "":
		t.Kind, t.Spec = "history", f.history
		if len(args) > 0 && c.ArgsLenAtDash() != 0 && !exists(args[0]) && t.Spec == wholeHistory {
			t.Spec, t.Args = args[0], args[1:]
		}
		if f.all && t.Spec != wholeHistory {
			return nil, usage(c, "--all means every commit: it takes no RANGE: %q", t.Spec)
		}
	case len(asked) > 0:
		t.Kind, t.Source = "snippet", func(ctx context.Context) ([]byte, error) { return p.readInput(ctx, f.MaxFileSize) }
		return t, f.checkSnippet(c, args)
	}
	if (t.Kind == "staged" || t.Kind == "diff") && len(args) > 0 {
		return nil, usage(c, "--%s takes no PATH: %q", t.Kind, args[0])
	}
	if t.Kind != "tree" && repo == nil {
		return nil, &git.NotRepositoryError{Path: "."}
	}
	return t, t.Locate()
}

// selection returns the commits that a history consists of.
func (f *scanFlags) selection(t *target.Target) git.Selection {
	return git.Selection{Range: t.Spec, All: f.all, Since: f.since, Paths: t.Paths}
}

// asked lists the targets other than the work tree that a command line asks for, as the command line spells them.
func (f *scanFlags) asked(args []string) []string {
	var asked []string
	for _, a := range []struct {
		flag string
		on   bool
	}{{"--staged", f.staged}, {"--diff", f.diff != ""}, {"--history", f.history != ""}, {"a snippet", f.language != "" || slices.Contains(args, "-")}} {
		if a.on {
			asked = append(asked, a.flag)
		}
	}
	return asked
}

func (f *scanFlags) checkSnippet(c *cobra.Command, args []string) error {
	switch {
	case len(args) != 1 || args[0] != "-":
		return usage(c, "a snippet is read from standard input: give - as the only argument")
	case f.language == "":
		return usage(c, "a snippet needs its language: --lang %s", languageNames())
	case lang.ByName(f.language) == nil:
		return usage(c, "unknown language %q (known: %s)", f.language, languageNames())
	}
	return nil
}

func languageNames() string {
	names := []string{lang.Words().Name}
	for _, l := range lang.Languages() {
		names = append(names, l.Name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// examine scans the target.
func (p *program) examine(ctx context.Context, bases []*baseline.Baseline, f *scanFlags, t *target.Target) (*finding.Report, error) {
	bar := console.NewProgress(p.err)
	defer bar.Stop()
	f.Version, f.Config = version(), configPath(t.Root)
	f.Progress = func(done, total int) { bar.At("scanning", done, total) }
	if len(f.base) > 0 {
		var err error
		if f.BaseCode, err = basecode.Read(ctx, f.base, bases[0].Params()); err != nil {
			return nil, err
		}
	}
	if dir, err := p.userDir("XDG_CACHE_HOME", ".cache"); err == nil { // without a home, nothing is cached
		f.Memory = filepath.Join(dir, "dating")
		if t.Kind == "history" && !f.noCache {
			f.Cache = filepath.Join(dir, "history")
		}
	}
	s, err := scanner.New(bases, f.Options)
	if err != nil {
		return nil, err
	}
	switch t.Kind {
	case "snippet":
		src, err := t.Source(ctx)
		if err != nil {
			return nil, err
		}
		return s.Snippet(ctx, src, f.language)
	case "staged":
		return s.Staged(ctx, t.Repo)
	case "diff":
		return s.Diff(ctx, t.Repo, t.Spec)
	case "history":
		return s.History(ctx, t.Repo, f.selection(t))
	}
	rep, err := s.Tree(ctx, t.Repo, t.Root, t.Paths)
	if err == nil {
		t.Prepend(rep)
	}
	return rep, err
}

// readInput reads standard input.
func (p *program) readInput(ctx context.Context, limit int64) ([]byte, error) {
	src, err := interruptible(ctx, func() ([]byte, error) { return console.ReadLimited(p.in, limit) })
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("read standard input: %w", err)
	}
	return src, err
}

// interruptible reads or opens input that may block, for example from a person, and returns when ctx ends.
func interruptible[T any](ctx context.Context, read func() (T, error)) (none T, err error) {
	type input struct {
		of  T
		err error
	}
	done := make(chan input, 1)
	go func() {
		of, err := read()
		done <- input{of, err}
	}()
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case in := <-done:
		return in.of, in.err
	}
}

// lacking fails if contents that the repository names are missing or damaged, or if the history is cut off. The report
// is written and lists them.
func lacking(rep *finding.Report) error {
	entries := rep.Incomplete()
	if len(entries) == 0 {
		return nil
	}
	if entries[0].Reason == finding.ReasonShallow {
		return fmt.Errorf("scan --history: the clone is shallow: %s", entries[0].Detail)
	}
	more := ""
	if n := len(entries) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more in the ledger)", n)
	}
	return fmt.Errorf("scan %q: %s: %s%s", entries[0].Path, entries[0].Reason, entries[0].Detail, more)
}
