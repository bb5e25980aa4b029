package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/cmd/internal/clone"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/indexing"
	"github.com/git-provenance/git-provenance/cmd/internal/repos"
	"github.com/git-provenance/git-provenance/cmd/internal/value"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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

// indexFlags are the flags of commands that index packages.
type indexFlags struct {
	offline, verbose bool
	workers          int
}

func (f *indexFlags) flag(fs *pflag.FlagSet) {
	fs.BoolVar(&f.offline, "offline", false, "never use the network")
	fs.Var(value.Workers(&f.workers), "workers", "index `N` files at a time; 0 means one for each CPU")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "list everything that is left out")
}

// indexOptions returns the options of sources that keep downloaded packages.
func (p *program) indexOptions(ctx context.Context, f *indexFlags) (source.Options, error) {
	o, err := p.sourceOptions(ctx)
	if err != nil {
		return o, err
	}
	return p.keeping(o, f), nil
}

// keeping returns options that keep downloads.
func (p *program) keeping(o source.Options, f *indexFlags) source.Options {
	o.Offline = f.offline
	if cache, err := p.userDir("XDG_CACHE_HOME", ".cache"); err == nil {
		o.Downloads = filepath.Join(cache, "downloads")
	}
	return o
}

func (p *program) addCommand() *cobra.Command {
	f := &addFlags{newFlags: newFlags{Params: baseline.Defaults}}
	c := &cobra.Command{
		Use:   "add SOURCE…",
		Short: "Index packages",
		Long: `Index packages. A baseline that does not exist is created. A SOURCE is

  a directory        that go.mod, package.json or --purl names; the Go module
                     cache or a module in it; GOROOT; node_modules; vendor
  go.mod             every module it requires, from the module cache, else from
                     a module proxy, and the standard library of Go
  a lock file        every package it lists, as installed on this machine,
                     else from its registry, and the standard library of its language
                     if this machine has its source: package-lock.json, yarn.lock,
                     pnpm-lock.yaml, bun.lock, Cargo.lock, requirements.txt,
                     poetry.lock, uv.lock, pdm.lock, Pipfile.lock, pyproject.toml,
                     Gemfile.lock, composer.lock, pom.xml, gradle.lockfile, build.gradle,
                     libs.versions.toml, packages.lock.json, Package.resolved,
                     Podfile.lock, *.spdx.json, bom.json, *.cdx.json
  an archive         zip, jar, whl, nupkg, phar, tar, tar.gz, tar.xz, tar.zst,
                     tar.bz2, crate, gem
  a .dsc             a Debian source package, with its parts beside it
  a git repository   a directory with --ref, --tags or --versions, or git+https://HOST/PATH,
                     which is cloned; nothing is checked out
  a package URL      of type golang, npm, pypi, cargo, gem, composer, maven,
                     nuget, github or deb: fetched unless --offline

With --versions, a package URL without version stands for many of its versions, and
a git repository for many of its tags: all, the newest N releases, N releases from the
oldest to the newest, or a range. Files that stay the same from one version to the next
are indexed once. The dates of old versions help to decide which side was first.

With --list, each line of a file names a SOURCE, and after tabs its package URL, licence
and release date. Each of these may be empty. Thousands of lines are one change of the
baseline.

A package that the baseline has with the same files is left alone. On failure the
baseline is as it was. If one of several SOURCEs, or a package of go.mod, a lock file
or a list, cannot be read or found, the others are added, and the exit code is 2.`,
		Example: `  git-provenance baseline add go.mod
  git-provenance baseline add pkg:npm/left-pad@1.3.0
  git-provenance baseline add pkg:golang/github.com/golang/snappy --versions all
  git-provenance baseline add git+https://github.com/madler/zlib --versions spread:5
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
	fs.StringVar(&f.versions, "versions", "", "`VERSIONS` of a package URL or a git repository: all, a number of newest releases, spread:N for N releases from the oldest to the newest, or a range such as v1.2.0..v1.9.0")
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
	left := &indexing.LeftOut{To: p.out, Verbose: f.verbose}
	var repos repositories
	defer func() { err = cmp.Or(err, repos.Close()) }()
	pkgs, err := p.openSources(ctx, args, f, left, &repos)
	if err != nil {
		return err
	}
	if err := left.Incomplete(); err != nil && len(pkgs) == 0 {
		return err
	}
	first := len(f.paths) == 0 && baseline.Absent(dir)
	w, err := f.writer(p, c, dir, key)
	if err != nil {
		return err
	}
	defer closeAll(&err, []*baseline.Writer{w})
	sum, err := p.index(ctx, w, pkgs, f.workers, left)
	if err != nil {
		return err
	}
	if err := p.indexed(w, sum, left); err != nil || !first {
		return err
	}
	fmt.Fprintln(p.err, "hint: scans compare with this baseline from now on, no longer with the dependencies of a repository; \"git-provenance baseline add FILE\" adds those of a lock file or a go.mod")
	return nil
}

// indexed reports what was added to a baseline, and deletes the downloads, which the baseline now contains.
func (p *program) indexed(w *baseline.Writer, sum baseline.Added, left *indexing.LeftOut) error {
	if err := left.Say(p.out, sum, w.Baseline()); err != nil {
		return err
	}
	p.forgetDownloads()
	return left.Incomplete()
}

// manyVersions reports whether every argument can have several versions: a package URL, or a git repository.
func (f *addFlags) manyVersions(args []string) bool {
	return f.released.IsZero() && !slices.ContainsFunc(args, func(a string) bool {
		return purl.Is(a) && (f.purl != "" || f.tags != "") || !purl.Is(a) && !isRepository(a)
	})
}

// isRepository reports whether an argument is the address of a git repository, or a directory with one.
func isRepository(arg string) bool {
	if strings.HasPrefix(arg, "git+") {
		return true
	}
	_, err := os.Stat(filepath.Join(arg, ".git"))
	_, bare := os.Stat(filepath.Join(arg, "objects"))
	return err == nil || bare == nil
}

// addOptions returns the options of the sources that are to be opened. The settings of the Go command are read only if a source may
// need them: that takes as long as reading twenty files. A directory, an archive or a repository with --purl needs none.
func (p *program) addOptions(ctx context.Context, args []string, f *addFlags) (source.Options, error) {
	if f.purl != "" && f.list == "" && !purl.Is(args[0]) {
		return p.keeping(p.optionsFor(ctx, nil), &f.indexFlags), nil
	}
	return p.indexOptions(ctx, &f.indexFlags)
}

func (p *program) openSources(ctx context.Context, args []string, f *addFlags, left *indexing.LeftOut, repos *repositories) ([]*source.Package, error) {
	o, err := p.addOptions(ctx, args, f)
	if err != nil {
		return nil, err
	}
	o.PURL, o.License, o.Released = f.purl, f.license, f.released
	o.Skipped = func(s source.Skipped) {
		if s.Lacks() && f.versions == "" { // a list of versions may contain versions that do not exist
			left.Lacking(s)
			return
		}
		left.Note(s.Path, s.Reason, s.Detail)
	}
	o.Unfound = left.Unfound
	o.Clone = func(ctx context.Context, name, addr, commit string) (*source.Package, error) {
		one := addFlags{indexFlags: f.indexFlags, purl: name, ref: commit, mirror: f.mirror}
		pkgs, err := p.openRepository(ctx, address{addr, true}, &one, repos, o)
		if err != nil {
			return nil, err
		}
		pkgs[0].Repository = addr
		return pkgs[0], nil
	}
	var pkgs []*source.Package
	if f.list != "" {
		if pkgs, err = p.openList(ctx, f.list, o); err != nil {
			return nil, err
		}
	}
	for _, a := range args {
		ps, err := p.openSource(ctx, a, f, o, repos)
		if err != nil && len(args) > 1 && ctx.Err() == nil {
			left.Lacking(source.Skipped{Path: a, Reason: source.ReasonMissing, Detail: err.Error(), Answer: source.AnswerOf(err)})
			continue
		}
		if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, ps...)
	}
	bar := console.NewProgress(p.err)
	defer bar.Stop()
	return indexing.Prefetch(ctx, pkgs, o, bar, left)
}

// openList opens the sources that a file lists.
func (p *program) openList(ctx context.Context, name string, o source.Options) ([]*source.Package, error) {
	in := io.NopCloser(p.in)
	if name != "-" {
		f, err := openInput(ctx, name)
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
		return p.openRepository(ctx, address{addr, clone}, f, repos, o)
	}
	if f.versions != "" {
		return source.OpenVersions(ctx, arg, f.versions, o)
	}
	return source.Open(ctx, arg, o)
}

// index adds packages to a baseline and shows its progress.
func (p *program) index(ctx context.Context, w *baseline.Writer, pkgs []*source.Package, workers int, left *indexing.LeftOut) (baseline.Added, error) {
	bar := console.NewProgress(p.err)
	defer bar.Stop()
	return indexing.Add(ctx, w, pkgs, indexing.Options(workers, p.counted(), bar), left)
}

// counted returns the directory of the counts for baseline models, "" if there is no place for it.
func (p *program) counted() string {
	cache, err := p.userDir("XDG_CACHE_HOME", ".cache")
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "counted")
}

// forgetDownloads deletes the packages downloaded for a baseline that now contains them.
func (p *program) forgetDownloads() {
	if cache, err := p.userDir("XDG_CACHE_HOME", ".cache"); err == nil { // otherwise there are none
		indexing.ForgetDownloads(filepath.Join(cache, "downloads"))
	}
}

// repositories are closed after their packages were read; clones are deleted.
type repositories struct {
	open []io.Closer
	turn repos.Turn
}

func (r *repositories) Close() error {
	var err error
	for _, c := range slices.Backward(r.open) {
		err = errors.Join(err, c.Close())
	}
	return err
}

// address tells where a git repository is.
type address struct {
	name   string
	remote bool // name is a URL to be cloned, not a directory
}

// openRepository opens the packages of a git repository: in a directory, or cloned first.
func (p *program) openRepository(ctx context.Context, at address, f *addFlags, open *repositories, o source.Options) ([]*source.Package, error) {
	repo, err := p.repositoryOf(ctx, at, f, open)
	if err != nil {
		return nil, err
	}
	open.open = append(open.open, repo)
	asked := repos.Options{From: at.name, PURL: f.purl, Ref: f.ref, Tags: f.tags, Versions: f.versions, Turn: &open.turn}
	pkgs, lost, err := repos.Packages(ctx, repo, asked)
	if none, ok := errors.AsType[*repos.NoTagError](err); ok && none.Untagged {
		o.Skipped(source.Skipped{Path: at.name, Reason: source.ReasonUntagged, Detail: "no tag has a version, so commits stand for versions"})
		pkgs, err = repos.Untagged(ctx, repo, asked)
	}
	if err != nil {
		return nil, err
	}
	if lost > 0 {
		o.Skipped(source.Skipped{Path: at.name, Reason: source.ReasonUnreadable, Detail: fmt.Sprintf("tags that are malformed, or whose objects are absent or damaged: %d", lost)})
	}
	for _, pkg := range pkgs {
		if f.license != "" {
			pkg.License, pkg.Asked = f.license, true
		}
		if !f.released.IsZero() {
			pkg.Released = f.released
		}
	}
	return pkgs, nil
}

func (p *program) repositoryOf(ctx context.Context, at address, f *addFlags, open *repositories) (*git.Repo, error) {
	addr := at.name
	if !at.remote {
		if _, err := os.Stat(addr); err != nil {
			return nil, fmt.Errorf("open repository: %w", err)
		}
		return git.Open(ctx, addr, git.Options{Home: p.home(), Git: onPath("git")})
	}
	if f.offline {
		return nil, &source.OfflineError{Subject: addr}
	}
	if !strings.HasPrefix(addr, "https://") {
		return nil, fmt.Errorf("clone %q: only addresses of https are cloned", addr)
	}
	c, err := clone.New(onPath("git"), p.home(), f.mirror)
	if err != nil {
		return nil, err
	}
	open.open = append(open.open, c)
	repo, err := c.Open(ctx, addr)
	if err != nil {
		return nil, fmt.Errorf("clone %q: %w", addr, err)
	}
	return repo, nil
}
