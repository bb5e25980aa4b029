package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/cmd/internal/config"
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
