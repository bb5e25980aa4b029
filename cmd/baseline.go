package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (p *program) baselineCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "baseline",
		Short: "Build and look after baselines of known external code",
		Long: `A baseline indexes packages of known external code. It is a directory, or lies in a
store that many share: postgres://USER@HOST/DATABASE or s3://BUCKET/PREFIX. Without
--baseline it is $XDG_DATA_HOME/git-provenance/baseline, by default below ~/.local/share.`,
	}
	group(c)
	c.AddCommand(p.initCommand(), p.addCommand(), p.listCommand(), p.infoCommand(), p.verifyCommand(), p.removeCommand(), p.compactCommand(), p.refreshCommand(), p.exportCommand(), p.importCommand(), p.makeCommand())
	return c
}

// store is the --baseline flag of the commands that work on one baseline, and its key.
type store struct {
	paths []string
	key   keyFile
}

func (s *store) flag(c *cobra.Command) {
	c.Flags().SortFlags = false
	c.Flags().StringArrayVar(&s.paths, "baseline", nil, "the baseline at `PATH`, a directory, postgres://… or s3://…, or the open one: default")
	config.Mark(c.Flags(), config.IsPath, "baseline")
	config.Mark(c.Flags(), config.NoAddress, "baseline")
	s.key.flag(c.Flags(), opens)
}

// where returns the one baseline that is meant, and its key.
func (s *store) where(p *program, c *cobra.Command) (string, fingerprint.Key, error) {
	dir, err := s.dir(p, c)
	if err != nil {
		return "", fingerprint.Key{}, err
	}
	key, err := s.key.read()
	return dir, key, err
}

// dir returns the one baseline that is meant.
func (s *store) dir(p *program, c *cobra.Command) (string, error) {
	switch len(s.paths) {
	case 0:
		return p.defaultBaseline()
	case 1:
		return p.located(s.paths[0])
	}
	return "", usage(c, "%d baselines are given, it takes one: %s", len(s.paths), strings.Join(names(s.paths), ", "))
}

// names lists baselines as they may be shown.
func names(dirs []string) []string {
	out := make([]string, len(dirs))
	for i, dir := range dirs {
		out[i] = baseline.NameOf(dir)
	}
	return out
}

// settled gives the flags of a command their values before it runs. The
// configuration is that of the repository around the working directory.
func (p *program) settled(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		repo, err := p.openRepo(c.Context(), ".")
		if err != nil {
			return err
		}
		root := rootOf(repo)
		if repo != nil {
			if err := repo.Close(); err != nil {
				return err
			}
		}
		if err := p.settle(c, root); err != nil {
			return err
		}
		return run(c, args)
	}
}

// opened is settled for commands that read a baseline.
func (p *program) opened(s *store, run func(context.Context, *baseline.Baseline) error) func(*cobra.Command, []string) error {
	return p.settled(func(c *cobra.Command, _ []string) (err error) {
		dir, key, err := s.where(p, c)
		if err != nil {
			return err
		}
		b, err := baseline.Open(c.Context(), dir, key)
		if err != nil {
			return err
		}
		defer closeAll(&err, []*baseline.Baseline{b})
		return run(c.Context(), b)
	})
}

// changed is settled for commands that change a baseline that is there already.
func (p *program) changed(s *store, run func(context.Context, *baseline.Writer, []string) error) func(*cobra.Command, []string) error {
	return p.settled(func(c *cobra.Command, args []string) (err error) {
		dir, key, err := s.where(p, c)
		if err != nil {
			return err
		}
		if err := there(c.Context(), dir, key); err != nil {
			return err
		}
		w, err := baseline.OpenWriter(c.Context(), dir, baseline.Defaults, key)
		if err != nil {
			return err
		}
		defer closeAll(&err, []*baseline.Writer{w})
		return run(c.Context(), w, args)
	})
}

// there refuses a baseline that is not there: a writer would make it.
func there(ctx context.Context, dir string, key fingerprint.Key) error {
	if !baseline.IsAddress(dir) {
		if absent(dir) {
			return &baseline.NotBaselineError{Path: dir}
		}
		return nil
	}
	b, err := baseline.Open(ctx, dir, key)
	if err != nil {
		return err
	}
	return b.Close()
}

// addFlags are the flags of baseline add.
type addFlags struct {
	newFlags
	indexFlags
	purl, license string
	versions      string
	list          string // a file of sources, "-" for standard input
	ref, tags     string // of a git repository
	mirror        string
	released      time.Time
}

// indexFlags are the flags of the commands that index packages.
type indexFlags struct {
	offline, verbose bool
	workers          int
}

func (f *indexFlags) flag(fs *pflag.FlagSet) {
	fs.BoolVar(&f.offline, "offline", false, "never use the network")
	fs.Var(value.Workers(&f.workers), "workers", "index `N` files at a time; 0 means one for each CPU")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "list everything that is left out")
}

// indexOptions are the options of sources whose packages are kept once downloaded.
func (p *program) indexOptions(ctx context.Context, f *indexFlags) (source.Options, error) {
	o, err := p.sourceOptions(ctx)
	if err != nil {
		return o, err
	}
	o.Offline = f.offline
	if cache, err := p.userDir("XDG_CACHE_HOME", ".cache"); err == nil {
		o.Downloads = filepath.Join(cache, "downloads")
	}
	return o, nil
}

func (p *program) addCommand() *cobra.Command {
	f := &addFlags{newFlags: newFlags{Params: baseline.Defaults}}
	c := &cobra.Command{
		Use:   "add SOURCE…",
		Short: "Index packages",
		Long: `Index packages, making the baseline if it is not there. A SOURCE is

  a directory        that go.mod, package.json or --purl names; the Go module
                     cache or a module in it; GOROOT; node_modules; vendor
  go.mod             every module it requires, from the module cache, else from
                     a module proxy
  a lock file        every package it lists, from where it lies on this machine,
                     else from its registry: package-lock.json, yarn.lock,
                     pnpm-lock.yaml, bun.lock, Cargo.lock, requirements.txt,
                     poetry.lock, uv.lock, pdm.lock, Pipfile.lock, pyproject.toml,
                     Gemfile.lock, composer.lock, pom.xml, gradle.lockfile, build.gradle,
                     libs.versions.toml, packages.lock.json,
                     *.spdx.json, bom.json, *.cdx.json
  an archive         zip, jar, whl, nupkg, phar, tar, tar.gz, tar.xz, tar.zst,
                     tar.bz2, crate, gem
  a .dsc             a Debian source package, with its parts beside it
  a git repository   a directory with --ref, --tags or --versions, or git+https://HOST/PATH,
                     which is cloned; nothing is checked out
  a package URL      of type golang, npm, pypi, cargo, gem, composer, maven,
                     nuget, github or deb: fetched unless --offline

With --versions, a package URL without version stands for many of its versions, and
a git repository for many of its tags: all, the newest N releases, or a range. Files
that stay the same from one version to the next are indexed once.

With --list, each line of a file names a SOURCE, and behind tabs its package URL, licence
and release date, each of which may be empty. Thousands of lines are one change of the
baseline.

A package that is there already with the same files is left alone. On failure the
baseline is as it was. If packages of go.mod, a lock file or a list are nowhere to be had, the others
are added, and the exit code is 2.`,
		Example: `  git-provenance baseline add go.mod
  git-provenance baseline add pkg:npm/left-pad@1.3.0
  git-provenance baseline add pkg:golang/github.com/golang/snappy --versions all
  git-provenance baseline add --list sources.tsv
  git-provenance baseline add ~/src/zlib --tags 'v1.*' --purl pkg:github/madler/zlib
  git-provenance baseline add zlib-1.3.1.tar.gz --purl pkg:generic/zlib@1.3.1 --license Zlib --released 2024-01-22`,
		Args: func(c *cobra.Command, args []string) error {
			if f.list != "" {
				return nil
			}
			return someArgs("SOURCE")(c, args)
		},
	}
	f.store.flag(c)
	fs := c.Flags()
	fs.StringVar(&f.purl, "purl", "", "identity of the one SOURCE, a `PURL` such as pkg:generic/zlib@1.3.1")
	fs.Var(value.Licence(&f.license), "license", "its licence, an `SPDX` expression, whatever its files say")
	fs.Var(value.Date(&f.released), "released", "its release `DATE`, such as 2024-01-22")
	fs.StringVar(&f.versions, "versions", "", "`VERSIONS` of a package URL or a git repository: all, a number of newest releases, or a range such as v1.2.0..v1.9.0")
	fs.StringVar(&f.list, "list", "", "index the sources that `FILE` lists, - for standard input")
	fs.StringVar(&f.ref, "ref", "", "index a revision `REV` of the git repository SOURCE")
	fs.StringVar(&f.tags, "tags", "", "index every tag of the git repository SOURCE that matches a `PATTERN` such as v1.*")
	fs.StringVar(&f.mirror, "clone-mirror", "", "clone git+https://HOST/PATH from `ADDRESS`/HOST/PATH, which may be of the local network")
	f.params(c)
	f.indexFlags.flag(fs)
	config.Mark(fs, config.NotInFile, "purl", "license", "released", "versions", "list", "ref", "tags", "clone-mirror")
	c.RunE = p.settled(func(c *cobra.Command, args []string) error { return p.add(c, args, f) })
	return c
}

func (p *program) add(c *cobra.Command, args []string, f *addFlags) (err error) {
	ctx := c.Context()
	if f.purl != "" && len(args) > 1 {
		return usage(c, "--purl names one SOURCE, %d are given", len(args))
	}
	if f.list != "" && (f.purl != "" || f.license != "" || !f.released.IsZero() || f.versions != "") {
		return usage(c, "the lines of --list have package URLs, licences and dates of their own")
	}
	if f.ref != "" && f.tags+f.versions != "" {
		return usage(c, "--ref names one revision, --tags and --versions many: choose one")
	}
	if f.versions != "" && !f.manyVersions(args) {
		return usage(c, "--versions takes package URLs of registries, without --purl, and git repositories; neither with --released: %s", strings.Join(args, ", "))
	}
	dir, key, err := f.where(p, c)
	if err != nil {
		return err
	}
	p.sayWithoutGrammars()
	left := &leftOut{p: p, verbose: f.verbose, count: make(map[string]int)}
	var repos repositories
	defer func() { err = cmp.Or(err, repos.Close()) }()
	pkgs, err := p.openSources(ctx, args, f, left, &repos)
	if err != nil {
		return err
	}
	if len(pkgs) == 0 && len(left.missing) > 0 {
		return left.incomplete()
	}
	w, err := f.writer(c, dir, key)
	if err != nil {
		return err
	}
	defer closeAll(&err, []*baseline.Writer{w})
	sum, err := p.index(ctx, w, pkgs, f.workers, left)
	if err != nil {
		return err
	}
	if err := p.sayAdded(sum, left, w.Baseline()); err != nil {
		return err
	}
	p.forgetDownloads()
	return left.incomplete()
}

// incompleteError says that packages which were asked for are not in.
type incompleteError struct {
	missing int
	first   string
}

func (e *incompleteError) Error() string {
	return fmt.Sprintf("packages that were asked for and are not to be had: %d, first %s", e.missing, e.first)
}

// manyVersions reports whether every argument can stand for several versions: a package
// URL, or a git repository.
func (f *addFlags) manyVersions(args []string) bool {
	return f.released.IsZero() && !slices.ContainsFunc(args, func(a string) bool {
		return purl.Is(a) && (f.purl != "" || f.tags != "") || !purl.Is(a) && !isRepository(a)
	})
}

// isRepository reports whether an argument is the address of a git repository, or a
// directory that is one.
func isRepository(arg string) bool {
	if strings.HasPrefix(arg, "git+") {
		return true
	}
	_, err := os.Stat(filepath.Join(arg, ".git"))
	_, bare := os.Stat(filepath.Join(arg, "objects"))
	return err == nil || bare == nil
}

func (p *program) openSources(ctx context.Context, args []string, f *addFlags, left *leftOut, repos *repositories) ([]*source.Package, error) {
	o, err := p.indexOptions(ctx, &f.indexFlags)
	if err != nil {
		return nil, err
	}
	o.PURL, o.License, o.Released = f.purl, f.license, f.released
	o.Skipped = func(s source.Skipped) {
		if s.Reason == source.ReasonMissing && f.versions == "" { // a list of versions may have more than there are
			left.lacking(s)
			return
		}
		left.note(s.Path, s.Reason, s.Detail)
	}
	var pkgs []*source.Package
	if f.list != "" {
		if pkgs, err = p.openList(ctx, f.list, o); err != nil {
			return nil, err
		}
	}
	for _, a := range args {
		ps, err := p.openSource(ctx, a, f, o, repos)
		if err != nil && len(args) > 1 && purl.Is(a) && ctx.Err() == nil {
			o.Skipped(source.Skipped{Path: a, Reason: source.ReasonMissing, Detail: err.Error()})
			continue
		}
		if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, ps...)
	}
	return p.prefetch(ctx, pkgs, o, left)
}

// downloading is how many packages are downloaded at a time.
const downloading = 4

// prefetch downloads packages before the baseline is changed, so that one that cannot
// be had keeps no other out.
func (p *program) prefetch(ctx context.Context, pkgs []*source.Package, o source.Options, left *leftOut) ([]*source.Package, error) {
	o.Skipped = left.lacking
	bar := console.NewProgress(p.err)
	defer bar.Stop()
	return source.Prefetch(ctx, pkgs, downloading, o, func(name string, n int) { bar.At("fetched "+name, n, 0) })
}

// openList opens what a file lists.
func (p *program) openList(ctx context.Context, name string, o source.Options) ([]*source.Package, error) {
	in := io.NopCloser(p.in)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("read list: %w", err)
		}
		in = f
	}
	defer in.Close()
	list, err := source.ReadList(name, in)
	if err != nil {
		return nil, err
	}
	return source.OpenListed(ctx, list, o)
}

func (p *program) openSource(ctx context.Context, arg string, f *addFlags, o source.Options, repos *repositories) ([]*source.Package, error) {
	if addr, clone := strings.CutPrefix(arg, "git+"); clone || f.ref != "" || f.tags != "" || f.versions != "" && !purl.Is(arg) {
		return p.openRepository(ctx, addr, clone, f, repos, o)
	}
	if f.versions != "" {
		return source.OpenVersions(ctx, arg, f.versions, o)
	}
	return source.Open(ctx, arg, o)
}

// index adds packages to a baseline, and notes what it leaves out.
func (p *program) index(ctx context.Context, w *baseline.Writer, pkgs []*source.Package, workers int, left *leftOut) (baseline.Added, error) {
	bar := console.NewProgress(p.err)
	defer bar.Stop()
	o := addOptions(workers, bar)
	o.Skipped = func(s baseline.Skip) {
		if s.Reason == baseline.ReasonBroken {
			left.lacking(source.Skipped{Path: s.PURL, Reason: string(s.Reason), Detail: s.Detail})
			return
		}
		left.note(strings.TrimSpace(s.PURL+" "+s.Path), string(s.Reason), s.Detail)
	}
	return w.Add(ctx, pkgs, o)
}

func addOptions(workers int, bar *console.Progress) baseline.AddOptions {
	return baseline.AddOptions{
		Workers:  cmp.Or(workers, runtime.GOMAXPROCS(0)),
		Progress: func(purl string, files int, _ int64) { bar.At("indexing "+purl, files, 0) },
	}
}

// leftOut accounts for what is not indexed.
type leftOut struct {
	p       *program
	verbose bool
	count   map[string]int
	missing []string // what was asked for and is not to be had
}

// forgetDownloads deletes what was downloaded for a baseline that now has it. The directory stays, and what another
// program writes there at the moment: if it misses the rest, it downloads that again.
func (p *program) forgetDownloads() {
	cache, err := p.userDir("XDG_CACHE_HOME", ".cache")
	if err != nil {
		return // there is nowhere to keep any
	}
	dir := filepath.Join(cache, "downloads")
	es, _ := os.ReadDir(dir)
	for _, e := range es {
		st, err := e.Info()
		if err == nil && (!strings.HasPrefix(e.Name(), source.Partial) || time.Since(st.ModTime()) > unfinished) {
			_ = os.Remove(filepath.Join(dir, e.Name())) // what cannot be deleted now is tried again next time
		}
	}
}

// unfinished is the age from which on a download that is not complete has nobody who goes on with it.
const unfinished = time.Hour

// incomplete is an error if something was asked for and is not to be had.
func (l *leftOut) incomplete() error {
	if len(l.missing) == 0 {
		return nil
	}
	return &incompleteError{len(l.missing), l.missing[0]}
}

func (l *leftOut) note(what, reason, detail string) {
	l.count[reason]++
	if !l.verbose {
		return
	}
	fmt.Fprintln(l.p.out, "left out: "+escape.Line(reasoned(what, reason, detail)))
}

// lacking notes what was asked for and is not to be had.
func (l *leftOut) lacking(s source.Skipped) {
	l.note(s.Path, s.Reason, s.Detail)
	l.missing = append(l.missing, s.Path+": "+s.Detail)
}

func reasoned(what, reason, detail string) string {
	if detail == "" {
		return what + ": " + reason
	}
	return what + ": " + reason + ": " + detail
}

func (p *program) sayAdded(sum baseline.Added, left *leftOut, b *baseline.Baseline) error {
	fmt.Fprintf(p.out, "packages: %d new or changed, %d unchanged\n", sum.Packages, sum.Unchanged)
	fmt.Fprintf(p.out, "files: %d read, %d documents new, %d known\n", sum.Files, sum.Documents, sum.Known)
	if len(left.count) > 0 {
		hint := "; --verbose lists them"
		if left.verbose {
			hint = ""
		}
		fmt.Fprintf(p.out, "left out, in whole or in part: %s%s\n", escape.Line(tally(left.count)), hint)
	}
	_, err := fmt.Fprintf(p.out, "baseline %s: %s\n", escape.Line(b.Path()), b.Digest())
	return err
}

// tally renders counts, the largest first.
func tally(count map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for i, k := range keys {
		keys[i] = fmt.Sprintf("%d %s", count[k], k)
	}
	return strings.Join(keys, ", ")
}

func (p *program) listCommand() *cobra.Command {
	s, format := new(store), ""
	c := &cobra.Command{
		Use:   "list",
		Short: "List the packages",
		Args:  noArgs,
		RunE: p.opened(s, func(_ context.Context, b *baseline.Baseline) error {
			pkgs, err := b.Packages()
			if err != nil {
				return err
			}
			if format == "json" {
				return p.json(append([]baseline.Package{}, pkgs...))
			}
			return p.table(pkgs)
		}),
	}
	s.flag(c)
	c.Flags().Var(value.OneOf(&format, "text", "text", "json"), "format", "output `FORMAT`: text or json")
	return c
}

func (p *program) table(pkgs []baseline.Package) error {
	if len(pkgs) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PACKAGE\tLICENCE\tRELEASED\tFILES")
	for _, pkg := range pkgs {
		released := "unknown"
		if !pkg.Released.IsZero() {
			released = pkg.Released.Format(time.DateOnly)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\n", escape.Line(pkg.PURL), escape.Line(cmp.Or(pkg.License, license.NoAssertion)), released, pkg.Files)
	}
	return w.Flush()
}

// json writes a value; reports have their own form.
func (p *program) json(v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode output: %w", err)
	}
	_, err = p.out.Write(append(escape.JSON(b), '\n'))
	return err
}

func (p *program) infoCommand() *cobra.Command {
	s, format, growth := new(store), "", false
	c := &cobra.Command{
		Use:   "info",
		Short: "Show what the baseline holds, its parameters and its digest",
		Long: `Show what the baseline holds, its parameters and its digest.

With --growth, show each segment, the oldest first. What is added makes a segment of its
own. Once the segments behind one are together as large as it is, they are merged with it:
ROOM says how many bytes that is away.`,
		Args: noArgs,
		RunE: p.opened(s, func(_ context.Context, b *baseline.Baseline) error {
			if growth {
				return p.growth(b, format)
			}
			in, err := b.Info()
			if err != nil {
				return err
			}
			if format == "json" {
				return p.json(in)
			}
			if err := writeInfo(p.out, in); err != nil {
				return err
			}
			return p.sayOutdated(b)
		}),
	}
	s.flag(c)
	c.Flags().Var(value.OneOf(&format, "text", "text", "json"), "format", "output `FORMAT`: text or json")
	c.Flags().BoolVar(&growth, "growth", false, "show each segment, and what each posting and each byte of source takes")
	return c
}

func (p *program) growth(b *baseline.Baseline, format string) error {
	segments, err := b.Growth()
	if err != nil {
		return err
	}
	if format == "json" {
		return p.json(segments)
	}
	all := baseline.Segment{Name: "all"}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SEGMENT\tPACKAGES\tREMOVED\tDOCUMENTS\tSOURCE\tTOKENS\tPOSTINGS\tBYTES\tROOM")
	row := func(s baseline.Segment, room any) {
		fmt.Fprintf(w, "%.8s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%v\n", s.Name, s.Packages, s.Removed, s.Documents, s.Source, s.Tokens, s.Postings, s.Bytes, room)
	}
	for _, s := range segments {
		row(s, s.Room)
		all.Packages, all.Removed, all.Documents = all.Packages+s.Packages, all.Removed+s.Removed, all.Documents+s.Documents
		all.Source, all.Tokens, all.Postings = all.Source+s.Source, all.Tokens+s.Tokens, all.Postings+s.Postings
		all.Bytes, all.IndexBytes = all.Bytes+s.Bytes, all.IndexBytes+s.IndexBytes
	}
	row(all, "-")
	if err := w.Flush(); err != nil || all.Postings == 0 {
		return err
	}
	_, err = fmt.Fprintf(p.out, "fingerprints: %.2f bytes a posting; everything: %.1f%% of the source\n",
		float64(all.IndexBytes)/float64(all.Postings), 100*float64(all.Bytes)/float64(all.Source))
	return err
}

func writeInfo(out io.Writer, in baseline.Info) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range []struct {
		name  string
		value any
	}{
		{"path", escape.Line(in.Path)},
		{"digest", in.Digest},
		{"scheme", escape.Line(in.Scheme)},
		{"key", cmp.Or(in.Key, "none")},
		{"k, w, t", fmt.Sprintf("%d, %d, %d", in.Params.K, in.Params.W, in.Params.T())},
		{"generation", in.Generation},
		{"segments", in.Segments},
		{"packages", in.Packages},
		{"documents", documentsOf(in)},
		{"tokens", in.Tokens},
		{"postings", in.Postings},
		{"bytes", fmt.Sprintf("%d, of them %d fingerprints", in.Bytes, in.IndexBytes)},
	} {
		fmt.Fprintf(w, "%s\t%v\n", row.name, row.value)
	}
	return w.Flush()
}

// documentsOf counts the documents of a baseline, and those without text.
func documentsOf(in baseline.Info) string {
	if in.Bare == 0 {
		return strconv.Itoa(in.Documents)
	}
	return fmt.Sprintf("%d, of them %d without text", in.Documents, in.Bare)
}

func (p *program) verifyCommand() *cobra.Command {
	s := new(store)
	c := &cobra.Command{
		Use:   "verify",
		Short: "Read the whole baseline and check every checksum",
		Args:  noArgs,
		RunE: p.opened(s, func(ctx context.Context, b *baseline.Baseline) error {
			if err := b.Verify(ctx); err != nil {
				return err
			}
			if _, err := fmt.Fprintf(p.out, "baseline %s: sound: %s\n", escape.Line(b.Path()), b.Digest()); err != nil {
				return err
			}
			return p.sayOutdated(b)
		}),
	}
	s.flag(c)
	return c
}

func (p *program) removeCommand() *cobra.Command {
	s := new(store)
	c := &cobra.Command{
		Use:     "remove PURL…",
		Short:   "Take packages out",
		Example: "  git-provenance baseline remove pkg:npm/left-pad@1.3.0",
		Args:    someArgs("PURL"),
		RunE: p.changed(s, func(ctx context.Context, w *baseline.Writer, args []string) error {
			var purls []string
			for _, a := range args {
				canonical, err := purl.Canonical(a)
				if err != nil {
					return err
				}
				purls = append(purls, canonical)
			}
			return w.Remove(ctx, purls)
		}),
	}
	s.flag(c)
	return c
}

func (p *program) compactCommand() *cobra.Command {
	s := new(store)
	c := &cobra.Command{
		Use:   "compact",
		Short: "Merge all segments and drop what was removed",
		Args:  noArgs,
		RunE: p.changed(s, func(ctx context.Context, w *baseline.Writer, _ []string) error {
			return w.Compact(ctx)
		}),
	}
	s.flag(c)
	return c
}

func (p *program) refreshCommand() *cobra.Command {
	s := new(store)
	c := &cobra.Command{
		Use:   "refresh",
		Short: "Make the tokens of outdated documents anew",
		Long: `Make the tokens of outdated documents anew. A document is outdated if its language
has got another grammar or other rules since the document was indexed. A scan then
compares with the documents of the other languages, and lists those of this one.
The text is stored in the baseline: nothing is read again. Where it is not, as in what
was exported without text, the documents stay outdated. "baseline compact" does
the same on the way.`,
		Args: noArgs,
		RunE: p.changed(s, func(ctx context.Context, w *baseline.Writer, _ []string) error {
			done, err := w.Refresh(ctx)
			if err != nil {
				return err
			}
			b := w.Baseline()
			_, err = fmt.Fprintf(p.out, "baseline %s: made anew: %s: %s\n", escape.Line(b.Path()), documents(done), b.Digest())
			return err
		}),
	}
	s.flag(c)
	return c
}

// documents counts outdated documents by language.
func documents(all []baseline.Outdated) string {
	if len(all) == 0 {
		return "no document"
	}
	var words []string
	for _, o := range all {
		words = append(words, fmt.Sprintf("%d of %s", o.Documents, escape.Line(o.Language)))
	}
	return strings.Join(words, ", ")
}

// sayOutdated says which documents no scan compares with, and the remedy.
func (p *program) sayOutdated(b *baseline.Baseline) error {
	old, err := b.Outdated()
	if err != nil || len(old) == 0 {
		return err
	}
	bare := 0
	for _, o := range old {
		bare += o.Bare
	}
	if bare > 0 {
		fmt.Fprintf(p.out, "outdated documents without text: %d: add their packages anew, or import a newer export\n", bare)
	}
	if old = slices.DeleteFunc(old, func(o baseline.Outdated) bool { return o.Documents == o.Bare }); len(old) == 0 {
		return nil
	}
	_, err = fmt.Fprintf(p.out, "outdated documents: %s: \"git-provenance baseline refresh --baseline %s\" makes their tokens anew\n", documents(old), escape.Line(b.Path()))
	return err
}
