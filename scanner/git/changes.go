package git

import (
	"context"
	"fmt"
)

// ReadAll reads all commits, with all merged branches. It compares none.
func (t *Trail) ReadAll(ctx context.Context) error {
	w := trailWalk{Trail: t, rd: t.repo.acquire()}
	defer t.repo.release(w.rd)
	for n := 0; n < len(t.nodes); n++ { // more are added on the way
		if err := ctx.Err(); err != nil {
			return err
		}
		w.rd.Lend()
		for _, h := range t.nodes[n].parents {
			if _, err := w.read(h); err != nil {
				return fmt.Errorf("read history: commit %s: %w", h, err)
			}
		}
	}
	if len(t.order) < len(t.nodes) {
		t.sort()
	}
	return nil
}

// Changes calls f for each regular file that a commit changed against the first parent, commit by commit. ReadAll must have read the
// commits. At the boundary of a shallow clone no change is reported. For a commit that cannot have changed something wanted, f is
// called once, with the number of its changes.
func (t *Trail) Changes(ctx context.Context, commits []int32, wanted *Wanted, f func(commit int32, c *Change, n int) error) error {
	rd := t.repo.acquire()
	defer t.repo.release(rd)
	var at int32
	w := treeWalk{ctx: ctx, r: rd, paths: everything, known: &knownTrees{size: maxKnown}} // full from the start: it keeps nothing
	var s summary
	w.emit = func(c treeChange) error {
		s.add(&c)
		if change, ok := c.change(nil); ok {
			return f(at, &change, 1)
		}
		return nil
	}
	for _, at = range commits {
		if t.Boundary(at) {
			continue
		}
		if known := t.facts[at].summary; !wanted.meets(known) {
			if err := f(at, nil, known.Files); err != nil {
				return err
			}
			continue
		}
		rd.Lend()
		s = summary{ChangeSummary: ChangeSummary{Sums: s.Sums[:0]}}
		if err := w.commit(t, at); err != nil {
			return fmt.Errorf("read history: commit %s: %w", t.nodes[at].id, err)
		}
		if t.remembered != nil && t.facts[at].summary == nil {
			t.facts[at].summary = s.done()
		}
	}
	return nil
}

// commit compares a commit with its first parent.
func (w *treeWalk) commit(t *Trail, n int32) error {
	if tops := t.facts[n].tops; tops != nil {
		w.met = 0
		return w.changes(tops, 0)
	}
	var before Hash
	if parents := t.nodes[n].parents; len(parents) > 0 {
		before = t.nodes[t.index[parents[0]]].tree
	}
	return w.diff(before, t.nodes[n].tree)
}

// Between calls f for each regular file of commit that differs from the commit before; if before is -1, for each file. A file that
// only the commit before has is passed with Gone set.
func (t *Trail) Between(ctx context.Context, before, commit int32, f func(File) error) error {
	rd := t.repo.acquire()
	defer t.repo.release(rd)
	rd.Lend()
	var old Hash
	if before >= 0 {
		old = t.nodes[before].tree
	}
	w := treeWalk{ctx: ctx, r: rd, emit: func(c treeChange) error {
		if isRegular(c.newMode) {
			return f(File{Path: c.path, Mode: c.newMode, Blob: c.new, Size: SizeUnknown})
		}
		return f(File{Path: c.path, Mode: c.oldMode, Blob: c.old, Size: SizeUnknown, Gone: true})
	}}
	return w.diff(old, t.nodes[commit].tree)
}
