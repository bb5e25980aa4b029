package git

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Line is everything reachable from a commit, parents before children. Its commits are read once, so that several walks
// over the files in it cost their trees only.
type Line struct {
	repo  *Repo
	list  []commitData
	index map[Hash]int
	tops  [][]topChange // by commit, in what a walk met of its root: further walks need not read that; nil: not walked yet
}

// topChange is an entry of a root in which a commit differs from its first parent.
type topChange struct{ old, new treeEntry }

// Line reads the commits that a revision can reach; of an unborn HEAD there are none.
func (r *Repo) Line(ctx context.Context, rev string) (*Line, error) {
	rd := r.acquire()
	defer r.release(rd)
	h := history{repo: r, rd: rd}
	if rev == "HEAD" {
		if _, ok, err := r.head(); err != nil || !ok {
			return &Line{repo: r, index: map[Hash]int{}}, err
		}
	}
	heads, _, err := h.ends(ctx, Selection{Range: rev})
	if err != nil {
		return nil, err
	}
	return r.line(ctx, rd, heads)
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

// WalkBack calls f for each regular file at or below the paths that one of the first commits until, the last of them first,
// made another than it was in the first parent. No paths are all. What f returns are further paths, which are looked at from
// the commits before on. At the boundary of a shallow clone nothing is known to change.
func (l *Line) WalkBack(ctx context.Context, paths []string, until int, f func(commit int, c Change) (more []string, err error)) error {
	rd := l.repo.acquire()
	defer l.repo.release(rd)
	if err := l.readTops(ctx); err != nil {
		return err
	}
	watched := slices.Clone(paths)
	w := treeWalk{ctx: ctx, r: rd, paths: cleanPaths(watched)}
	for i := min(until, len(l.list)) - 1; i >= 0; i-- {
		if l.repo.shallow[l.list[i].id] {
			continue
		}
		var more []string
		w.emit = func(t treeChange) error {
			change, ok := t.change(nil)
			if !ok || t.newMode == 0 {
				return nil
			}
			found, err := f(i, change)
			more = append(more, found...)
			return err
		}
		if err := l.walkCommit(&w, i); err != nil {
			return fmt.Errorf("read history: commit %s: %w", l.list[i].id, err)
		}
		if len(more) > 0 && len(watched) > 0 {
			watched = append(watched, more...)
			w.paths = cleanPaths(watched)
		}
	}
	return nil
}

// walkCommit compares a commit with its first parent.
func (l *Line) walkCommit(w *treeWalk, i int) error {
	if l.tops[i] == nil {
		return w.diff(l.trees(i))
	}
	for _, t := range l.tops[i] {
		if err := w.entry(t.old, t.new, 0); err != nil {
			return err
		}
	}
	return nil
}

// trees are the roots of a commit's first parent and of the commit.
func (l *Line) trees(i int) (before, after Hash) {
	c := &l.list[i]
	if len(c.parents) > 0 {
		before = l.list[l.index[c.parents[0]]].tree
	}
	return before, c.tree
}

// readTops compares the roots of all commits, neighbours by one goroutine. What cannot be read is left to the walk that
// needs it.
func (l *Line) readTops(ctx context.Context) error {
	if l.tops != nil {
		return nil
	}
	l.tops = make([][]topChange, len(l.list))
	const neighbours = 256
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			rd := l.repo.acquire()
			defer l.repo.release(rd)
			for from := int(next.Add(neighbours)) - neighbours; from < len(l.list) && ctx.Err() == nil; from = int(next.Add(neighbours)) - neighbours {
				for i := from; i < min(from+neighbours, len(l.list)); i++ {
					l.readTop(ctx, rd, i)
				}
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

func (l *Line) readTop(ctx context.Context, rd *reader, i int) {
	var tops []topChange
	w := treeWalk{ctx: ctx, r: rd, tops: &tops}
	if l.repo.shallow[l.list[i].id] || w.diff(l.trees(i)) != nil || len(tops) > maxTops {
		return
	}
	l.tops[i] = append([]topChange{}, tops...)
}

// maxRepeats bounds the files of directories that turn up again elsewhere. A tree of a few kilobytes can be made to unfold
// into billions of places.
const maxRepeats = 1 << 22

// Contents calls f for each regular file that a commit made another than it was in the first parent, in the order of the
// commits. At the boundary of a shallow clone those are all files. whole is false where directories unfold too often to be
// listed in full.
func (l *Line) Contents(ctx context.Context, f func(commit int, path string, blob Hash) error) (whole bool, err error) {
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
