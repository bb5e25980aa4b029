package origindates

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// maxClones limits the repositories that are cloned in a run.
const maxClones = 64

// clone is a repository. It is cloned once for all packages published from it.
type clone struct {
	once sync.Once
	repo *git.Repo
	err  error
}

// clone clones the repository that the package names, and returns its head. It returns nil if the package names none.
func (s *series) clone(ctx context.Context) (*Repository, string, error) {
	addr, err := source.Repository(ctx, s.firstOrigin().PURL, s.d.o.Source)
	if errors.Is(err, source.ErrNoRepository) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	c, err := s.d.cloneOf(addr)
	if err != nil {
		return nil, "", err
	}
	c.once.Do(func() { c.repo, c.err = s.d.o.Clone(ctx, addr) })
	if c.err != nil {
		return nil, "", fmt.Errorf("clone %s: %w", addr, c.err)
	}
	head, err := c.repo.Resolve(ctx, "HEAD")
	if err != nil {
		return nil, "", err
	}
	return &Repository{Name: addr, Repo: c.repo}, head.Name, nil
}

// cloneOf returns the clone of an address.
func (d *dater) cloneOf(addr string) (*clone, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.clones[addr]
	if c == nil {
		if len(d.clones) >= maxClones {
			return nil, fmt.Errorf("a run clones at most %d repositories", maxClones)
		}
		c = &clone{}
		d.clones[addr] = c
	}
	return c, nil
}

// close closes the clones.
func (d *dater) close() {
	for _, c := range d.clones {
		if c.repo != nil {
			c.repo.Close() // the clone was only read
		}
	}
}
