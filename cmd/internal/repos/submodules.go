package repos

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// Submodules are the packages of a repository's submodules, each at the commit that the repository names, and those of their own
// submodules. Close them when the packages are read.
type Submodules struct {
	Packages []*source.Package
	Skipped  []source.Skipped // submodules that are not checked out

	turn  Turn
	named map[string]bool
	open  []*git.Repo
}

// Bounds of submodules: how deep they lie in others, and how many there are.
const (
	mostNested     = 8
	mostSubmodules = 10_000
)

// updateSubmodules checks out all submodules.
const updateSubmodules = "git submodule update --init --recursive"

// OpenSubmodules opens the submodules of a repository.
func OpenSubmodules(ctx context.Context, repo *git.Repo, opts git.Options) (*Submodules, error) {
	s := &Submodules{named: map[string]bool{}}
	if err := s.add(ctx, repo, opts, "", 0); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close closes the repositories.
func (s *Submodules) Close() error {
	var err error
	for _, repo := range s.open {
		err = errors.Join(err, repo.Close())
	}
	return err
}

// add adds the submodules of one repository. at is the path of that repository in the outermost one.
func (s *Submodules) add(ctx context.Context, repo *git.Repo, opts git.Options, at string, depth int) error {
	all, err := repo.Submodules(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.skip(path.Join(at, ".gitmodules"), source.ReasonUnreadable, err.Error())
		return nil
	}
	for _, m := range all {
		where := path.Join(at, m.Path)
		if depth == mostNested || len(s.open) == mostSubmodules {
			s.skip(where, source.ReasonUnreadable, "too many submodules, or too deep in others")
			continue
		}
		sub, err := repo.OpenSubmodule(ctx, m, opts)
		if err != nil {
			s.lacks(where, "not checked out")
			continue
		}
		s.open = append(s.open, sub)
		if err := s.pkg(ctx, sub, m, where); err != nil {
			return err
		}
		if err := s.add(ctx, sub, opts, where, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// pkg adds the package of a submodule.
func (s *Submodules) pkg(ctx context.Context, sub *git.Repo, m git.Submodule, where string) error {
	p, err := atRevision(ctx, sub, nameOf(sub, m), Options{From: where, Ref: m.Commit, Turn: &s.turn})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.lacks(where, "the commit is not checked out")
		return nil
	}
	if !s.named[p.PURL] {
		s.named[p.PURL] = true
		s.Packages = append(s.Packages, p)
	}
	return nil
}

// nameOf returns the package URL of a submodule, without version. An address on a forge has a type of its own; any other is a generic
// package. If there is no address, the name is that of the directory.
func nameOf(sub *git.Repo, m git.Submodule) purl.PURL {
	name := path.Base(m.Path)
	for _, addr := range []string{m.Address, sub.Remote("origin")} { // the first may be relative, the second that of a mirror
		if u, ok := forge(addr); ok {
			return u
		}
		if host, at, ok := purl.Repository(addr); ok {
			name = path.Join(host, at)
			break
		}
	}
	u, err := purl.Parse(purl.Make("generic", name, ""))
	if err != nil {
		return purl.PURL{Type: "generic", Name: "submodule"}
	}
	return u
}

func (s *Submodules) skip(at, reason, detail string) {
	s.Skipped = append(s.Skipped, source.Skipped{Path: at, Reason: reason, Detail: detail})
}

func (s *Submodules) lacks(at, detail string) {
	s.Skipped = append(s.Skipped, source.Skipped{Path: at, Reason: source.ReasonMissing, Detail: fmt.Sprintf("%s: run %q", detail, updateSubmodules), Bring: updateSubmodules})
}
