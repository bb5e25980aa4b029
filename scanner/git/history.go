package git

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// CommitChanges is a commit with the files whose content was never seen before it. Boundary marks the first commits of a
// shallow clone: what they hold counts as old.
type CommitChanges struct {
	Commit
	Changes  []Change
	Boundary bool
}

// History yields every commit of a range, parents before children and otherwise the earliest first. "" is everything
// reachable from HEAD, "B" from B; "A..B" leaves out what A can reach, "A...B" what both can. paths limit the listing to
// files and directories, relative to the root and with slashes.
//
// Each commit comes with the regular files that differ from its first parent and whose blob occurs in no earlier commit
// and not at the excluded end of the range either; a blob is yielded once. Since a merge's other parents come earlier,
// that covers every blob of every listed commit. Sizes are not looked up, renames not followed. A root commit's files are
// all new, except at the boundary of a shallow clone, which is reported to skipped and yielded without changes.
//
// After an error the sequence ends. An unborn HEAD yields nothing.
func (r *Repo) History(ctx context.Context, rangeSpec string, paths []string, skipped Skipped) iter.Seq2[CommitChanges, error] {
	return func(yield func(CommitChanges, error) bool) {
		rd := r.acquire()
		defer r.release(rd)
		h := history{repo: r, rd: rd, paths: cleanPaths(paths), skipped: skipped, seen: map[Hash]bool{},
			seenTrees: map[Hash]bool{}, reported: map[string]bool{}, trees: map[Hash]Hash{}}
		if err := h.run(ctx, rangeSpec, yield); err != nil {
			yield(CommitChanges{}, err)
		}
	}
}

// history is the state of one walk.
type history struct {
	repo      *Repo
	rd        *reader
	paths     pathSet
	skipped   Skipped
	seen      map[Hash]bool   // blobs
	seenTrees map[Hash]bool   // trees that were added whole, so that their every blob is in seen; unused with paths
	reported  map[string]bool // paths skipped is told of already
	trees     map[Hash]Hash   // root trees of the commits passed and of the edge
}

func (h *history) run(ctx context.Context, rangeSpec string, yield func(CommitChanges, error) bool) error {
	heads, bases, err := h.ends(ctx, parseRange(rangeSpec))
	if err != nil || len(heads) == 0 {
		return err
	}
	list, edge, err := h.repo.rangeWalk(ctx, h.rd, heads, bases)
	if err != nil {
		return err
	}
	if err := h.learn(ctx, list, edge); err != nil {
		return err
	}
	for _, c := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		out, err := h.commit(c)
		if err != nil {
			return fmt.Errorf("read history: commit %s: %w", c.id, err)
		}
		if !yield(out, nil) {
			return nil
		}
	}
	return nil
}

// ends resolves a range to the tips to walk from and those that exclude.
func (h *history) ends(ctx context.Context, spec revRange) (heads, bases []Hash, err error) {
	if spec.base == "" && spec.head == "HEAD" {
		if _, ok, err := h.repo.head(); err != nil || !ok {
			return nil, nil, err
		}
	}
	head, err := h.repo.resolveCommit(h.rd, spec.head)
	if err != nil {
		return nil, nil, err
	}
	if spec.base == "" {
		return []Hash{head}, nil, nil
	}
	base, err := h.repo.resolveCommit(h.rd, spec.base)
	if err != nil {
		return nil, nil, err
	}
	if !spec.symmetric {
		return []Hash{head}, []Hash{base}, nil
	}
	bases, _, err = h.repo.mergeBases(ctx, h.rd, base, head)
	return []Hash{base, head}, bases, err
}

// learn marks as seen what was there before the listed commits: the trees of the excluded parents and of shallow
// boundary commits.
func (h *history) learn(ctx context.Context, list []commitData, edge []Hash) error {
	for _, id := range edge {
		c, err := h.repo.commit(h.rd, id)
		if err != nil {
			return err
		}
		h.trees[id] = c.tree
		if err := h.learnTree(ctx, c.tree); err != nil {
			return err
		}
	}
	for _, c := range list {
		if !h.repo.shallow[c.id] {
			continue
		}
		h.skipped.report("", ReasonShallow, "history ends at commit "+c.id.String()+": "+unshallowRemedy)
		if err := h.learnTree(ctx, c.tree); err != nil {
			return err
		}
	}
	return nil
}

func (h *history) learnTree(ctx context.Context, tree Hash) error {
	w := h.walk(func(c treeChange) error {
		if isRegular(c.newMode) {
			h.seen[c.new] = true
		}
		return ctx.Err()
	})
	return w.diff(Hash{}, tree)
}

func (h *history) walk(emit func(treeChange) error) *treeWalk {
	w := &treeWalk{r: h.rd, paths: h.paths, emit: emit}
	if len(h.paths) == 0 {
		w.seen = h.seenTrees
	}
	return w
}

func (h *history) commit(c commitData) (CommitChanges, error) {
	described, err := h.repo.describe(h.rd, c.id)
	if err != nil {
		return CommitChanges{}, err
	}
	out := CommitChanges{Commit: described, Boundary: h.repo.shallow[c.id]}
	h.trees[c.id] = c.tree
	if out.Boundary {
		return out, nil
	}
	var before Hash
	if len(c.parents) > 0 {
		before = h.trees[c.parents[0]]
	}
	w := h.walk(func(t treeChange) error {
		if t.newMode == 0 || isRegular(t.newMode) && h.seen[t.new] {
			return nil
		}
		if change, ok := t.change(h.report); ok {
			h.seen[t.new] = true
			out.Changes = append(out.Changes, change)
		}
		return nil
	})
	if err := w.diff(before, c.tree); err != nil {
		return CommitChanges{}, err
	}
	slices.SortFunc(out.Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// report passes on each path once: a link that changes in a hundred commits is one thing not looked at.
func (h *history) report(path string, reason Reason, detail string) {
	key := string(reason) + "\x00" + path
	if h.reported[key] {
		return
	}
	h.reported[key] = true
	h.skipped.report(path, reason, detail)
}

// cleanPaths brings paths into the form pathSet compares: no "./", no slash at the end; the root is everything.
func cleanPaths(paths []string) pathSet {
	var set pathSet
	for _, p := range paths {
		p = cleanPath(p)
		if p == "" {
			return nil
		}
		set = append(set, p)
	}
	slices.Sort(set)
	return slices.Compact(set)
}
