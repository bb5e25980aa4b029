package git

import (
	"context"
	"fmt"
	"time"
)

// Trail is the history of a commit, as far as walks have read it. Each commit has a number that stays. It has a place
// too, parents before children, which changes when a walk meets further commits.
type Trail struct {
	// Every makes walks compare all commits. Without it they leave merged branches out, as git log does: those whose
	// merge made none of the paths another than it was in the first parent.
	Every bool

	repo   *Repo
	nodes  []node // the first is the commit that the trail ends with
	index  map[Hash]int32
	facts  []trailFacts // of nodes
	order  []int32      // of nodes, parents before children
	known  knownTrees
	walked bool
	seen   []bool  // nodes that a walk has visited
	left   []int32 // merges of which walks have left branches out
}

// trailFacts are what walks have found out of a commit.
type trailFacts struct {
	tops  []topChange // in what its root differs from that of the first parent; nil: not known
	place int32       // in the order; -1: none yet
	first int32       // number of the first parent; -1: not known
	all   bool        // walks go on to all of its parents, not only to the first
}

// Trail begins the history of a revision; that of an unborn HEAD has no commits.
func (r *Repo) Trail(ctx context.Context, rev string) (*Trail, error) {
	t := &Trail{repo: r, index: map[Hash]int32{}}
	if rev == "HEAD" {
		if _, ok, err := r.head(); err != nil || !ok {
			return t, err
		}
	}
	rd := r.acquire()
	defer r.release(rd)
	c, err := r.commitOf(rd, rev)
	if err != nil {
		return nil, err
	}
	t.add(c)
	return t, ctx.Err()
}

func (t *Trail) add(c commitData) int32 {
	n, ok := t.index[c.id]
	if !ok {
		n = int32(len(t.nodes))
		t.nodes, t.facts = append(t.nodes, node{commitData: c}), append(t.facts, trailFacts{place: -1, first: -1})
		t.index[c.id] = n
	}
	return n
}

// Order lists the commits that walks have met, parents before children.
func (t *Trail) Order() []int32 { return t.order }

// Place returns where in the order a commit is, -1 if it is not in there.
func (t *Trail) Place(n int32) int32 { return t.facts[n].place }

// ID names a commit.
func (t *Trail) ID(n int32) Hash { return t.nodes[n].id }

// Parents counts the parents of a commit: none at the boundary of a shallow clone.
func (t *Trail) Parents(n int32) int { return len(t.nodes[n].parents) }

// Boundary tells whether a shallow clone ends at a commit.
func (t *Trail) Boundary(n int32) bool { return t.repo.shallow[t.nodes[n].id] }

// Brief is what a walk knows of a commit: its ID, its CommitTime and those of its Parents that walks have met.
func (t *Trail) Brief(n int32) Commit {
	c := &t.nodes[n]
	out := Commit{ID: c.id, CommitTime: unixTime(c.time)}
	for _, h := range c.parents {
		if _, ok := t.index[h]; ok {
			out.Parents = append(out.Parents, h)
		}
	}
	return out
}

// Commit reads all of a commit.
func (t *Trail) Commit(n int32) (Commit, error) {
	rd := t.repo.acquire()
	defer t.repo.release(rd)
	return t.repo.describe(rd, t.nodes[n].id)
}

// WalkBack calls f for each regular file at or below the paths that a commit made another than it was in the first parent,
// the latest commit first. No paths are all. With until, which is no negative number, only commits of a lower place than
// that one count. What f returns are further paths, which are looked at from the next commit on. At the boundary of a
// shallow clone nothing is known to change.
func (t *Trail) WalkBack(ctx context.Context, paths []string, until int32, f func(commit int32, c Change) (more []string, err error)) error {
	if len(t.nodes) == 0 {
		return nil
	}
	w := trailWalk{Trail: t, ctx: ctx, rd: t.repo.acquire(), until: 1 << 30, f: f, every: t.Every || len(paths) == 0}
	defer t.repo.release(w.rd)
	if until >= 0 {
		w.until = t.Place(until)
	}
	below, stop := context.WithCancel(ctx) // asked more or less often, as it comes: what is read ahead is not compared again
	defer stop()
	if !t.walked {
		w.ahead = t.repo.readAhead(below, t.nodes[0].id)
		defer w.ahead.close()
	}
	t.walked = true
	w.trees = treeWalk{ctx: below, r: w.rd, paths: cleanPaths(paths), known: &t.known, emit: w.emit}
	err := w.run()
	t.close(&w)
	return err
}

// close notes where a walk has been.
func (t *Trail) close(w *trailWalk) {
	if len(w.queued) > len(t.seen) {
		t.seen = append(t.seen, make([]bool, len(w.queued)-len(t.seen))...)
	}
	for n, met := range w.queued {
		t.seen[n] = t.seen[n] || met
	}
	t.left = append(t.left, w.left...)
	if len(t.order) < len(t.nodes) {
		t.sort()
	}
}

// sort finds the places of the commits that walks have met.
func (t *Trail) sort() {
	list, _ := (&painter{repo: t.repo, nodes: t.nodes, index: t.index}).sorted()
	t.order = t.order[:0]
	for i, c := range list {
		n := t.index[c.id]
		t.facts[n].place = int32(i)
		t.order = append(t.order, n)
	}
}

// trailWalk is one walk.
type trailWalk struct {
	*Trail
	ctx     context.Context
	rd      *reader
	ahead   *readAhead // nil once everything of it is known
	every   bool
	until   int32
	f       func(commit int32, c Change) (more []string, err error)
	trees   treeWalk
	more    []string // found in the commit at hand
	at      int32    // the commit at hand
	differs bool     // in one of the paths
	queue   commitHeap
	queued  []bool  // by node
	left    []int32 // merges of which it has left branches out
}

func (w *trailWalk) run() error {
	w.push(0)
	return w.walk()
}

// walk visits what is queued, and what that leads to.
func (w *trailWalk) walk() error {
	for len(w.queue.order) > 0 {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		w.at = w.queue.pop(w.nodes)
		if err := w.visit(); err != nil {
			return fmt.Errorf("read history: commit %s: %w", w.nodes[w.at].id, err)
		}
	}
	return nil
}

// visit compares a commit with its first parent and goes on to its parents: to the others only where it differs.
func (w *trailWalk) visit() error {
	if w.Boundary(w.at) {
		return nil
	}
	w.rd.Lend()
	w.differs = false
	parents := w.nodes[w.at].parents
	if err := w.back(parents); err != nil {
		return err
	}
	if w.facts[w.at].place < w.until {
		if err := w.compare(); err != nil {
			return err
		}
	}
	facts := &w.facts[w.at]
	facts.all = facts.all || w.every || w.differs
	switch {
	case len(parents) < 2:
		return nil
	case !facts.all:
		w.left = append(w.left, w.at)
		return nil
	}
	return w.follow(parents[1:])
}

// compare tells of the paths in which the commit at hand differs from its first parent.
func (w *trailWalk) compare() (err error) {
	w.more = w.more[:0]
	n, facts := &w.nodes[w.at], &w.facts[w.at]
	if facts.tops != nil {
		err = w.trees.changes(facts.tops, 0)
	} else {
		var before Hash
		if facts.first >= 0 {
			before = w.nodes[facts.first].tree
		}
		err = w.trees.trees(before, n.tree, 0, &facts.tops)
	}
	for _, p := range w.more {
		if !w.trees.paths.whole {
			w.trees.paths.add(cleanPath(p))
		}
	}
	return err
}

func (w *trailWalk) emit(t treeChange) error {
	w.differs = true
	change, ok := t.change(nil)
	if !ok || t.newMode == 0 {
		return nil
	}
	found, err := w.f(w.at, change)
	w.more = append(w.more, found...)
	return err
}

// back queues the first parent of the commit at hand.
func (w *trailWalk) back(parents []Hash) error {
	if len(parents) == 0 {
		return nil
	}
	first := w.facts[w.at].first
	if first < 0 {
		var err error
		if first, err = w.read(parents[0]); err != nil {
			return err
		}
		w.facts[w.at].first = first
	}
	w.push(first)
	return nil
}

// follow queues commits, each once a walk.
func (w *trailWalk) follow(commits []Hash) error {
	for _, h := range commits {
		n, err := w.read(h)
		if err != nil {
			return err
		}
		w.push(n)
	}
	return nil
}

// read returns the number of a commit, which may be the next of those that are read ahead.
func (w *trailWalk) read(h Hash) (int32, error) {
	for {
		if n, ok := w.index[h]; ok {
			return n, nil
		}
		next := w.ahead.next(h)
		if next == nil {
			break
		}
		for _, c := range next {
			w.facts[w.add(c.commitData)].tops = c.tops
		}
	}
	c, err := w.repo.commit(w.rd, h)
	if err != nil {
		return 0, err
	}
	return w.add(c), nil
}

func (w *trailWalk) push(n int32) {
	if grow := len(w.nodes) - len(w.queued); grow > 0 {
		w.queued = append(w.queued, make([]bool, grow)...)
	}
	if !w.queued[n] {
		w.queued[n] = true
		w.queue.push(w.nodes, n)
	}
}

// Added lists the commits that a revision can reach and another, the base, can not.
func (r *Repo) Added(ctx context.Context, base, rev string) ([]Hash, error) {
	rd := r.acquire()
	defer r.release(rd)
	var ends [2]Hash
	for i, name := range []string{rev, base} {
		c, err := r.commitOf(rd, name)
		if err != nil {
			return nil, err
		}
		ends[i] = c.id
	}
	list, _, err := r.rangeWalk(ctx, rd, ends[:1], ends[1:], time.Time{})
	ids := make([]Hash, len(list))
	for i, c := range list {
		ids[i] = c.id
	}
	return ids, err
}
