package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/cmd/internal/clone"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
	"github.com/git-provenance/git-provenance/cmd/internal/repos"
	"github.com/git-provenance/git-provenance/scanner/dating"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/self"
	"github.com/spf13/pflag"
)

// flags are those of date and scan that say which repositories are read.
func (o *origins) flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.repos, "origin-repo", nil, "date origins by the history of their repository, a clone at `DIR`; DIR=PURL says which package is published from it (repeatable)")
	fs.BoolVar(&o.clone, "clone", false, "clone the repositories that packages name, and date origins by their history")
	fs.StringVar(&o.mirror, "clone-mirror", "", "with --clone: take https://HOST/PATH from `ADDRESS`/HOST/PATH, which may be of the local network")
	config.Mark(fs, config.IsPath, "origin-repo")
	config.Mark(fs, config.NotInFile, "clone", "clone-mirror")
}

// openOriginRepos opens the repositories that --origin-repo names.
func (p *program) openOriginRepos(ctx context.Context, specs []string) (repos []dating.Repository, err error) {
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

func closeRepos(repos []dating.Repository) {
	for _, r := range repos {
		r.Repo.Close() // it was only read
	}
}

func (p *program) openOriginRepo(ctx context.Context, spec string) (dating.Repository, error) {
	dir, name := spec, ""
	if i := strings.LastIndex(spec, "=pkg:"); i >= 0 {
		dir, name = spec[:i], spec[i+1:]
	}
	if _, err := os.Stat(dir); err != nil {
		return dating.Repository{}, fmt.Errorf("open the repository of an origin: %w", err)
	}
	repo, err := git.Open(ctx, dir, git.Options{Home: p.home(), Git: onPath("git")})
	if err != nil {
		return dating.Repository{}, fmt.Errorf("open the repository of an origin %q: %w", dir, err)
	}
	r := dating.Repository{Name: dir, Repo: repo}
	if name == "" {
		own := self.Of(self.InCommit(ctx, repo, "HEAD"), repo)
		r.Of = func(name string) bool { return own.Says(name) != "" }
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

// repositories are open while packages are read from them, and then closed; clones are
// deleted.
type repositories struct{ open []io.Closer }

func (r *repositories) Close() error {
	var err error
	for _, c := range slices.Backward(r.open) {
		err = errors.Join(err, c.Close())
	}
	return err
}

// openRepository opens the packages of a git repository in a directory, or of one that
// is cloned first.
func (p *program) openRepository(ctx context.Context, addr string, remote bool, f *addFlags, open *repositories, o source.Options) ([]*source.Package, error) {
	repo, err := p.repositoryOf(ctx, addr, remote, f, open)
	if err != nil {
		return nil, err
	}
	open.open = append(open.open, repo)
	pkgs, lost, err := repos.Packages(ctx, repo, repos.Options{From: addr, PURL: f.purl, Ref: f.ref, Tags: f.tags, Versions: f.versions})
	if err != nil {
		return nil, err
	}
	if lost > 0 {
		o.Skipped(source.Skipped{Path: addr, Reason: source.ReasonUnreadable, Detail: fmt.Sprintf("tags whose objects are absent or damaged: %d", lost)})
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

func (p *program) repositoryOf(ctx context.Context, addr string, remote bool, f *addFlags, open *repositories) (*git.Repo, error) {
	if !remote {
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
