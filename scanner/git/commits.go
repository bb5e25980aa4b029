package git

import (
	"context"
	"fmt"
)

// Commits is everything reachable from a commit, parents before children.
type Commits struct {
	repo  *Repo
	list  []commitData
	index map[Hash]int
}

// Reachable reads the commits that a revision can reach. An unborn HEAD has none.
func (r *Repo) Reachable(ctx context.Context, rev string) (*Commits, error) {
	rd := r.acquire()
	defer r.release(rd)
	h := history{repo: r, rd: rd}
	if rev == "HEAD" {
		if _, ok, err := r.head(); err != nil || !ok {
			return &Commits{repo: r, index: map[Hash]int{}}, err
		}
	}
	heads, _, err := h.ends(ctx, Selection{Range: rev})
	if err != nil {
		return nil, err
	}
	return r.reachable(ctx, rd, heads)
}

// Len is the number of commits.
func (l *Commits) Len() int { return len(l.list) }

// Brief returns the ID, Parents and CommitTime of a commit, which a walk knows. At the boundary of a shallow clone there
// are no parents.
func (l *Commits) Brief(i int) Commit {
	c := &l.list[i]
	return Commit{ID: c.id, Parents: c.parents, CommitTime: unixTime(c.time)}
}

// Boundary reports whether a shallow clone ends at a commit.
func (l *Commits) Boundary(i int) bool { return l.repo.shallow[l.list[i].id] }

// Commit returns a commit with all its fields.
func (l *Commits) Commit(i int) (Commit, error) {
	rd := l.repo.acquire()
	defer l.repo.release(rd)
	return l.repo.describe(rd, l.list[i].id)
}

// maxRepeats bounds the files of directories that occur again elsewhere. A tree of a few kilobytes can be made to unfold
// into billions of files.
const maxRepeats = 1 << 22

// Contents calls f for each regular file of a commit that differs from the first parent, in the order of the commits. At
// the boundary of a shallow clone it calls f for all files. whole is false if directories unfold too often to be listed in
// full.
func (l *Commits) Contents(ctx context.Context, f func(commit int, path string, blob Hash) error) (whole bool, err error) {
	rd := l.repo.acquire()
	defer l.repo.release(rd)
	w := treeWalk{ctx: ctx, r: rd, seen: map[Hash]bool{}, repeats: maxRepeats}
	for i, c := range l.list {
		var before Hash
		if len(c.parents) > 0 {
			before = l.list[l.index[c.parents[0]]].tree
		}
		w.emit = func(t treeChange) error {
			if !isRegular(t.newMode) || isRegular(t.oldMode) && t.old == t.new {
				return nil
			}
			return f(i, t.path, t.new)
		}
		if err := w.diff(before, c.tree); err != nil {
			return false, fmt.Errorf("read history: commit %s: %w", c.id, err)
		}
	}
	return w.repeats > 0, nil
}
