package git

import (
	"context"
	"fmt"
	"time"
)

// Trail is the history of a commit, as far as walks have read it. Each commit has a fixed number. It also has a place,
// parents before children, which changes when a walk meets further commits.
type Trail struct {
	// Every makes walks compare all commits. Otherwise they leave out merged branches, like git log: those whose merge
	// changed none of the paths against the first parent.
	Every      bool
	repo       *Repo
	remembered map[Hash]CommitFacts // from earlier runs; nil: nothing is kept
	nodes      []node               // the first is the commit at which the trail ends
	index      map[Hash]int32
	facts      []trailFacts // of nodes
	order      []int32      // of nodes, parents before children
	known      knownTrees
	walked     bool
	seen       []bool  // nodes that a walk has visited
	left       []int32 // merges whose branches walks have left out
}

// trailFacts holds the results of walks for a commit.
type trailFacts struct {
	tops  []topChange // in which entries its root differs from that of the first parent; nil: not known
	place int32       // in the order; -1: none yet
	all   bool        // walks go on to all of its parents, not only to the first

	summary *ChangeSummary // nil: not known
}

// Trail begins the history of a revision. An unborn HEAD has no commits.
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
		t.nodes, t.facts = append(t.nodes, node{commitData: c}), append(t.facts, trailFacts{place: -1, summary: t.remembered[c.id].Changes})
		t.index[c.id] = n
	}
	return n
}

// Order lists the commits that walks have met, parents before children.
func (t *Trail) Order() []int32 { return t.order }

// Place returns the index of a commit in the order, -1 if it has none yet.
func (t *Trail) Place(n int32) int32 { return t.facts[n].place }

// ID returns the name of a commit.
func (t *Trail) ID(n int32) Hash { return t.nodes[n].id }

// Parents returns the number of a commit's parents: zero at the boundary of a shallow clone.
func (t *Trail) Parents(n int32) int { return len(t.nodes[n].parents) }

// FirstParent returns the first parent of a commit, -1 if it has none or no walk has met it.
func (t *Trail) FirstParent(n int32) int32 { return t.nodes[n].first - 1 }

// Boundary reports whether a shallow clone ends at a commit.
func (t *Trail) Boundary(n int32) bool { return t.repo.shallow[t.nodes[n].id] }

// Brief returns the ID and CommitTime of a commit, and those of its Parents that walks have met.
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

// Commit returns a commit with all its fields.
func (t *Trail) Commit(n int32) (Commit, error) {
	rd := t.repo.acquire()
	defer t.repo.release(rd)
	return t.repo.describe(rd, t.nodes[n].id)
}

// WalkBack calls f for each regular file at or below the paths that a commit changed against the first parent, the latest
// commit first. An empty list means all paths. If until is not negative, only commits with a lower place than commit until
// count. f returns further paths, which are compared from the next commit on. At the boundary of a shallow clone no change
// is reported.
func (t *Trail) WalkBack(ctx context.Context, paths []string, until int32, f func(commit int32, c Change) (more []string, err error)) error {
	if len(t.nodes) == 0 {
		return nil
	}
	w := trailWalk{Trail: t, ctx: ctx, rd: t.repo.acquire(), until: 1 << 30, f: f, every: t.Every || len(paths) == 0}
	defer t.repo.release(w.rd)
	if until >= 0 {
		w.until = t.Place(until)
	}
	below, stop := context.WithCancel(ctx) // how often it is polled depends on timing, as trees compared by read-ahead are not compared again
	defer stop()
	if !t.walked {
		w.ahead = t.readAhead(below, t.nodes[0].id)
		defer w.ahead.close()
	}
	t.walked = true
	w.trees = treeWalk{ctx: below, r: w.rd, paths: cleanPaths(paths), known: &t.known, emit: w.emit}
	w.wants(paths)
	err := w.run()
	t.close(&w)
	return err
}

// close records which commits a walk has visited.
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

// sort computes the places of the commits that walks have met.
func (t *Trail) sort() {
	t.order, _ = (&painter{repo: t.repo, nodes: t.nodes, index: t.index}).sorted()
	for i, n := range t.order {
		t.facts[n].place = int32(i)
	}
}

// trailWalk is one walk.
type trailWalk struct {
	*Trail
	ctx     context.Context
	rd      *reader
	ahead   *readAhead // nil once all its commits are known
	every   bool
	until   int32
	f       func(commit int32, c Change) (more []string, err error)
	trees   treeWalk
	wanted  *Wanted  // the paths, if commits are summarised and not all paths are compared
	more    []string // found in the current commit
	at      int32    // the current commit
	differs bool     // in one of the paths
	queue   commitHeap
	queued  []bool  // by node
	left    []int32 // merges whose branches it has left out
}

func (w *trailWalk) run() error {
	w.push(0)
	return w.walk()
}

// walk visits the queued commits and the commits that they lead to.
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

// visit compares a commit with its first parent and queues its parents: the other parents only if the commit differs.
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

// compare reports the paths in which the current commit differs from its first parent.
func (w *trailWalk) compare() (err error) {
	w.more = w.more[:0]
	n, facts := &w.nodes[w.at], &w.facts[w.at]
	var before Hash
	if n.first > 0 {
		before = w.nodes[n.first-1].tree
	}
	if len(w.remembered) > 0 && facts.summary == nil {
		facts.summary = w.trees.summarize(before, n.tree, facts.tops)
	}
	if w.wanted != nil && !w.wanted.meets(facts.summary) {
		return nil
	}
	w.trees.met = 0
	if facts.tops != nil {
		err = w.trees.changes(facts.tops, 0)
	} else {
		err = w.trees.trees(before, n.tree, 0, &facts.tops)
	}
	for _, p := range w.more {
		if !w.trees.paths.whole {
			w.trees.paths.add(cleanPath(p))
			if w.wanted != nil {
				w.wanted.addPath(cleanPath(p))
			}
		}
	}
	return err
}

// wants prepares the paths for summaries.
func (w *trailWalk) wants(paths []string) {
	if len(w.remembered) == 0 || w.trees.paths.whole {
		return
	}
	w.wanted = &Wanted{}
	for _, p := range paths {
		w.wanted.addPath(cleanPath(p))
	}
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

// back queues the first parent of the current commit.
func (w *trailWalk) back(parents []Hash) error {
	if len(parents) == 0 {
		return nil
	}
	first := w.FirstParent(w.at)
	if first < 0 {
		var err error
		if first, err = w.read(parents[0]); err != nil {
			return err
		}
		w.nodes[w.at].first = first + 1
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

// read returns the number of a commit, which may be the next one that is read ahead.
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
			facts := &w.facts[w.add(c.commitData)]
			facts.tops, facts.summary = c.tops, c.summary
		}
	}
	if c, ok := w.load(w.rd, h); ok {
		return w.add(c), nil
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

// Added lists the commits that a revision can reach and the base cannot.
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
