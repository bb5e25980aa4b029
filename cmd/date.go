package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/cmd/internal/clone"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/console"
	"github.com/git-provenance/git-provenance/cmd/internal/target"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/origindates"
	"github.com/git-provenance/git-provenance/scanner/policy"
	"github.com/git-provenance/git-provenance/scanner/self"
)

// dateFlags are the flags of date.
type dateFlags struct {
	baselines []string
	key       keyFile
	origins
	formatted
}

// origins says how origins are dated.
type origins struct {
	offline bool
	repos   []string
	given   bool // use only repos
	clone   bool
	mirror  string
}

func (p *program) dateCommand() *cobra.Command {
	f := new(dateFlags)
	c := &cobra.Command{
		Use:   "date [REPORT]",
		Short: "Date the origins of a report: since when they have the code",
		Long: `Date the origins of a report: find out since when the package of each origin has the
region, and render the report again. REPORT is a file that "git-provenance scan --format
json" wrote; without REPORT, or with -, standard input is read.

The dates are those of two versions: the last without the region, and the first with
it. For Go modules and npm packages, versions are fetched from the module proxy or the
registry: at most ` + strconv.Itoa(origindates.MaxDownloads) + ` of a package, each checked. For other packages, the versions
in the baseline are compared. Results are kept below $XDG_DATA_HOME/git-provenance/dates,
and serve every repository with the same code. If the direction of a finding changes, the
policy of this repository gives it a new level.

A clone of an origin's repository gives the best dates and needs no network:
--origin-repo DIR. All commits that HEAD and the version tags lead to are read. The
package has the region since the first commit in which a file has most of it. Without
=PURL, the manifests and the remote of DIR say which package it is. With --clone, the
repositories that packages name themselves are cloned, each once, and deleted
afterwards: without passwords, over https, from public hosts only.

The files of origins come from the baseline of --baseline, by default the one a scan
here would use; a file that the baseline lacks is fetched with its version. The exit
code is 0 for every report, with findings or without; 2 if it could not be rendered.`,
		Example: `  git-provenance scan --format json --output report.json
  git-provenance date report.json --format json --output dated.json
  git-provenance date report.json --origin-repo ../zlib=pkg:github/madler/zlib
  git-provenance scan --date --clone`,
		Args: atMostOne,
		RunE: func(c *cobra.Command, args []string) error { return p.date(c, args, f) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringArrayVar(&f.baselines, "baseline", nil, "read the files of origins from the baseline at `PATH`: a directory, postgres://…, s3://…, or the word default for the open baseline (repeatable)")
	f.key.flag(fs, opens)
	fs.BoolVar(&f.offline, "offline", false, "never use the network: only what earlier runs found, and the baseline")
	f.origins.flags(fs)
	f.formatted.flags(c)
	config.Mark(fs, config.IsPath, "baseline")
	config.Mark(fs, config.NoAddress, "baseline")
	return c
}

func atMostOne(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage(c, "unexpected argument %q", args[1])
	}
	return nil
}

func (p *program) date(c *cobra.Command, args []string, f *dateFlags) error {
	return p.settled(func(c *cobra.Command, args []string) (err error) {
		ctx := c.Context()
		name := "-"
		if len(args) > 0 {
			name = args[0]
		}
		rep, err := p.readReport(ctx, name)
		if err != nil {
			return err
		}
		bases, err := p.baselinesOfOrigins(ctx, f.baselines, f.key)
		if err != nil {
			return err
		}
		defer closeAll(&err, bases)
		repo, err := p.openRepo(ctx, ".")
		if err != nil {
			return err
		}
		if repo != nil {
			defer closeAll(&err, []io.Closer{repo})
		}
		was := directions(rep)
		if err := p.dateOrigins(ctx, rep, bases, repo, f.origins); err != nil {
			return err
		}
		judge := policy.New(p.file.Rules, nil, config.Name, nil, time.Now())
		for i := range rep.Findings {
			if f := &rep.Findings[i]; f.Direction != was[i] {
				judge.SetLevel(f)
			}
		}
		return p.render(rep, &f.formatted)
	})(c, args)
}

func directions(rep *finding.Report) []string {
	out := make([]string, len(rep.Findings))
	for i := range rep.Findings {
		out[i] = rep.Findings[i].Direction
	}
	return out
}

// dateOrigins fills in the dates since when origins have the regions of a report.
func (p *program) dateOrigins(ctx context.Context, rep *finding.Report, bases []*baseline.Baseline, target *git.Repo, from origins) error {
	repos, err := p.openOriginRepos(ctx, from.repos)
	if err != nil {
		return err
	}
	defer closeRepos(repos)
	for _, r := range repos {
		if !publishesOrigin(rep, r) {
			p.say("%s: no origin of this report is published from this repository; --origin-repo DIR=PURL says which package is", r.Name)
		}
	}
	o, err := p.sourceOptions(ctx)
	if err != nil {
		return err
	}
	o.Offline = from.offline
	dir, err := p.userDir("XDG_DATA_HOME", filepath.Join(".local", "share"))
	if err != nil {
		return err
	}
	var cloned func(context.Context, string) (*git.Repo, error)
	if from.clone && !from.offline {
		c, err := clone.New(onPath("git"), p.home(), from.mirror)
		if err != nil {
			return err
		}
		defer c.Close() // the system removes leftovers
		cloned = c.Open
	}
	bar := console.NewProgress(p.err)
	defer bar.Stop()
	return origindates.Date(ctx, rep, origindates.Options{
		Baselines: bases, Source: o, Store: filepath.Join(dir, "dates"), Repositories: repos, Given: from.given, Clone: cloned, Target: target, Now: time.Now(),
		Progress: func(what string, done, total int) { bar.At(what, done, total) },
	})
}

// publishesOrigin reports whether an origin of a report is a package of a repository.
func publishesOrigin(rep *finding.Report, r origindates.Repository) bool {
	for _, f := range rep.Findings {
		if slices.ContainsFunc(f.Origins, func(o finding.Origin) bool { return r.Of(o.PURL) }) {
			return true
		}
	}
	return len(rep.Findings) == 0
}

// baselinesOfOrigins opens the named baselines. Without names it opens those that a scan here would use, if they exist.
func (p *program) baselinesOfOrigins(ctx context.Context, paths []string, file keyFile) ([]*baseline.Baseline, error) {
	if len(paths) == 0 {
		paths = p.usualBaselines(ctx)
	}
	paths, err := p.locatedAll(paths)
	if err != nil {
		return nil, err
	}
	key, err := file.read()
	if err != nil {
		return nil, err
	}
	return openAll(ctx, paths, key)
}

// usualBaselines returns the default baseline, else the cached one of the dependencies of the repository here, else
// none.
func (p *program) usualBaselines(ctx context.Context) []string {
	if dir, err := p.defaultBaseline(); err == nil && !baseline.Absent(dir) {
		return []string{dir}
	}
	repo, err := p.openRepo(ctx, ".")
	if err != nil || repo == nil {
		return nil
	}
	closeAll(&err, []io.Closer{repo})
	t := &target.Target{Kind: "tree", Repo: repo, Root: target.RootOf(repo)}
	root, err := t.Project()
	if err != nil {
		return nil
	}
	if dir, err := p.zeroDir(root); err == nil && !baseline.Absent(dir) {
		return []string{dir}
	}
	return nil
}

// flags adds the flags of date and scan that select the repositories to read.
func (o *origins) flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.repos, "origin-repo", nil, "date origins by the history of their repository, a clone at `DIR`; DIR=PURL says which package is published from it (repeatable)")
	fs.BoolVar(&o.clone, "clone", false, "clone the repositories that packages name, and date origins by their history")
	fs.StringVar(&o.mirror, "clone-mirror", "", "with --clone: take https://HOST/PATH from `ADDRESS`/HOST/PATH, which may be of the local network")
	config.Mark(fs, config.IsPath, "origin-repo")
	config.Mark(fs, config.NotInFile, "clone", "clone-mirror")
}

// openOriginRepos opens the repositories that --origin-repo names.
func (p *program) openOriginRepos(ctx context.Context, specs []string) (repos []origindates.Repository, err error) {
	for _, spec := range specs {
		r, err := p.openOriginRepo(ctx, spec)
		if err != nil {
			closeRepos(repos)
			return nil, err
		}
		repos = append(repos, r)
	}
	return repos, nil
}

func closeRepos(repos []origindates.Repository) {
	for _, r := range repos {
		r.Repo.Close() // it was only read
	}
}

func (p *program) openOriginRepo(ctx context.Context, spec string) (origindates.Repository, error) {
	dir, name := spec, ""
	if i := strings.LastIndex(spec, "=pkg:"); i >= 0 {
		dir, name = spec[:i], spec[i+1:]
	}
	if _, err := os.Stat(dir); err != nil {
		return origindates.Repository{}, fmt.Errorf("open the repository of an origin: %w", err)
	}
	repo, err := git.Open(ctx, dir, git.Options{Home: p.home(), Git: onPath("git")})
	if err != nil {
		return origindates.Repository{}, fmt.Errorf("open the repository of an origin %q: %w", dir, err)
	}
	r := origindates.Repository{Name: dir, Repo: repo}
	if name == "" {
		own := self.Of(self.InCommit(ctx, repo, "HEAD"), repo)
		r.Of = func(name string) bool { return own.Declaration(name, "") != "" }
		return r, nil
	}
	u, err := purl.Parse(name)
	if err != nil {
		return r, errors.Join(err, repo.Close())
	}
	key := purl.Series(purl.Make(u.Type, purl.FullName(u), ""))
	r.Of = func(name string) bool { return purl.Series(name) == key }
	return r, nil
}
