package git

import (
	"context"
	"fmt"
	"time"
)

// Line is everything reachable from a commit, parents before children. Its commits are read once, so that several walks
// over the files in it cost their trees only.
type Line struct {
	repo  *Repo
	list  []commitData
	index map[Hash]int
}

// Line reads the commits that a revision can reach; of an unborn HEAD there are none.
func (r *Repo) Line(ctx context.Context, rev string) (*Line, error) {
	rd := r.acquire()
	defer r.release(rd)
	h := history{repo: r, rd: rd}
	l := &Line{repo: r, index: map[Hash]int{}}
	if rev == "HEAD" {
		if _, ok, err := r.head(); err != nil || !ok {
			return l, err
		}
	}
	heads, _, err := h.ends(ctx, Selection{Range: rev})
	if err != nil {
		return nil, err
	}
	if l.list, _, err = r.rangeWalk(ctx, rd, heads, nil, time.Time{}); err != nil {
		return nil, err
	}
	for i, c := range l.list {
		l.index[c.id] = i
	}
	return l, nil
}

// Len is the number of commits.
func (l *Line) Len() int { return len(l.list) }

// Brief is what a walk knows of a commit: its ID, its parents, none at the boundary of a shallow clone, and its CommitTime.
func (l *Line) Brief(i int) Commit {
	c := &l.list[i]
	return Commit{ID: c.id, Parents: c.parents, CommitTime: unixTime(c.time)}
}

// Boundary tells whether a shallow clone ends at a commit.
func (l *Line) Boundary(i int) bool { return l.repo.shallow[l.list[i].id] }

// Commit reads all of a commit.
func (l *Line) Commit(i int) (Commit, error) {
	rd := l.repo.acquire()
	defer l.repo.release(rd)
	return l.repo.describe(rd, l.list[i].id)
}

// Walk calls f for each regular file at or below the paths that one of the first commits until, in their order, made
// another than it was in the first parent. No paths are all. At the boundary of a shallow clone nothing is known to change.
func (l *Line) Walk(ctx context.Context, paths []string, until int, f func(commit int, c Change)) error {
	rd := l.repo.acquire()
	defer l.repo.release(rd)
	set := cleanPaths(paths)
	for i, c := range l.list[:min(until, len(l.list))] {
		if l.repo.shallow[c.id] {
			continue
		}
		var before Hash
		if len(c.parents) > 0 {
			before = l.list[l.index[c.parents[0]]].tree
		}
		w := treeWalk{ctx: ctx, r: rd, paths: set, emit: func(t treeChange) error {
			if change, ok := t.change(nil); ok && t.newMode != 0 {
				f(i, change)
			}
			return nil
		}}
		if err := w.diff(before, c.tree); err != nil {
			return fmt.Errorf("read history: commit %s: %w", c.id, err)
		}
	}
	return nil
}
