package git

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// A history can have tens of thousands of merges. If it has more than maxBranched, only the branches of merges near the
// given commits are compared: at most mergesBeside merges away.
const maxBranched, mergesBeside = 1024, 8

// Branches calls f for changes in some paths on merged branches that walks left out. A walk leaves a branch out if its merge
// changed nothing in the paths: the first parent already had the change, or the merge dropped it. Branches reads such a branch if
// the paths differ between its beginning and its end. commits are the commits near which merges are compared (mergesBeside).
func (t *Trail) Branches(ctx context.Context, paths []string, commits []int32, f func(commit int32, c Change) error) error {
	merges := t.merges(commits)
	if len(merges) == 0 {
		return nil
	}
	w := branchWalk{begins: map[int32]int32{}}
	w.trailWalk = trailWalk{Trail: t, ctx: ctx, rd: t.repo.acquire(), until: 1 << 30, queued: slices.Clone(t.seen)}
	defer t.repo.release(w.rd)
	w.f = func(commit int32, c Change) ([]string, error) { return nil, f(commit, c) }
	w.trees = treeWalk{ctx: ctx, r: w.rd, paths: cleanPaths(paths), known: &t.known, emit: w.emit}
	w.wants(paths)
	w.ends.treeWalk = treeWalk{ctx: ctx, r: w.rd, paths: w.trees.paths, emit: w.ends.take}
	for len(merges) > 0 {
		for _, m := range merges {
			w.rd.Lend()
			if err := w.branchesOf(m); err != nil {
				return fmt.Errorf("read history: commit %s: %w", t.nodes[m].id, err)
			}
		}
		if err := w.walk(); err != nil {
			return err
		}
		merges, w.left = w.left, nil // within branches
	}
	t.left = nil
	t.close(&w.trailWalk)
	return nil
}

// branchWalk is a walk over branches.
type branchWalk struct {
	trailWalk
	begins map[int32]int32 // where the branch of a commit began
	ends   endsWalk
}

// endsWalk compares the beginning of a branch with its end.
type endsWalk struct {
	treeWalk
	changed bool
}

func (w *endsWalk) take(treeChange) error {
	w.changed = true
	return nil
}

// merges lists the merges whose branches were left out. If there are many, it lists only those near the given commits.
func (t *Trail) merges(commits []int32) []int32 {
	all := slices.Clone(t.left)
	slices.SortFunc(all, func(a, b int32) int { return cmp.Compare(t.Place(a), t.Place(b)) })
	all = slices.Compact(all)
	if len(all) <= maxBranched {
		return all
	}
	var out []int32
	for _, c := range commits {
		at, _ := slices.BinarySearchFunc(all, t.Place(c), func(m, place int32) int { return cmp.Compare(t.Place(m), place) })
		out = append(out, all[max(0, at-mergesBeside):min(len(all), at+mergesBeside)]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// branchesOf queues the branches of a merge whose paths differ between beginning and end.
func (w *branchWalk) branchesOf(merge int32) error {
	for _, end := range w.nodes[merge].parents[1:] {
		n, err := w.read(end)
		if err != nil {
			return err
		}
		if w.met(n) {
			continue
		}
		began, err := w.began(n)
		if err != nil {
			return err
		}
		if w.Boundary(began) {
			continue
		}
		var before Hash // zero if the branch has a beginning of its own
		if w.met(began) {
			before = w.nodes[began].tree
		}
		w.ends.changed = false
		if err := w.ends.diff(before, w.nodes[n].tree); err != nil {
			return err
		}
		if w.ends.changed {
			w.push(n)
		}
	}
	return nil
}

// began follows first parents back to a commit that a walk has met, or to the last one.
func (w *branchWalk) began(n int32) (int32, error) {
	var passed []int32
	at := n
	for !w.met(at) && !w.Boundary(at) && len(w.nodes[at].parents) > 0 {
		if known, ok := w.begins[at]; ok { // another branch led to this commit before
			at = known
			break
		}
		if err := w.ctx.Err(); err != nil {
			return 0, err
		}
		passed = append(passed, at)
		var err error
		if at, err = w.read(w.nodes[at].parents[0]); err != nil {
			return 0, err
		}
	}
	for _, p := range passed {
		w.begins[p] = at
	}
	return at, nil
}

// met reports whether the walk has visited a commit or is about to.
func (w *trailWalk) met(n int32) bool { return int(n) < len(w.queued) && w.queued[n] }
