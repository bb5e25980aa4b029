package git

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/scanner/git/internal/object"
)

// Selection says which commits a history consists of.
type Selection struct {
	Range string    // "" is everything reachable from HEAD, "B" everything from B; "A..B" leaves out what A can reach, "A...B" what both can
	All   bool      // everything reachable from HEAD and from any reference; not with a Range
	Since time.Time // if not zero: commits committed earlier, and their ancestors, are left out
	Paths []string  // files and directories the listing is limited to, relative to the root and with slashes
}

// CommitChanges is a commit with the regular files that differ from its first parent. Each list is sorted by path.
type CommitChanges struct {
	Commit
	Changes  []Change // their blob was never seen before; each blob once
	Again    []Change // their blob occurred before, in a listed commit or, if Older, before the range
	Deleted  []File   // also if something other than a regular file took their place
	Boundary bool     // one of the first commits of a shallow clone: what it holds counts as old
	Head     bool     // one of the commits at which the range ends
	Mainline bool     // a Head, or reached from one by first parents only; with All, only from HEAD
	Last     []Hash   // parents that no later commit has
	Total    int      // number of commits in the range

	Directories int // below the root that differ from the first parent's
}

// History yields every selected commit, parents before children and otherwise the earliest first.
//
// A blob is among the Changes of one commit at most: the first that has it. Since a merge's other parents come earlier,
// that covers every blob of every listed commit. Sizes are not looked up and renames are not followed. All files of a
// root commit are new. The boundary commits of a shallow clone are reported to skipped and yielded without changes.
//
// After an error the sequence ends. It fails with *RevisionError if there is no commit yet, as git log does.
func (r *Repo) History(ctx context.Context, sel Selection, skipped Skipped) iter.Seq2[CommitChanges, error] {
	return func(yield func(CommitChanges, error) bool) {
		rd := r.acquire()
		defer r.release(rd)
		h := history{repo: r, rd: rd, paths: cleanPaths(sel.Paths), skipped: skipped, seen: map[Hash]bool{},
			seenTrees: map[Hash]bool{}, reported: map[string]bool{}, trees: map[Hash]Hash{}}
		if err := h.run(ctx, sel, yield); err != nil {
			yield(CommitChanges{}, err)
		}
	}
}

// Ends returns the commits at which a selection ends (heads), and the commits that are left out with all their ancestors
// (bases). Together with the boundary of a shallow clone they determine the content of a history.
func (r *Repo) Ends(ctx context.Context, sel Selection) (heads, bases []Hash, err error) {
	rd := r.acquire()
	defer r.release(rd)
	h := history{repo: r, rd: rd}
	return h.ends(ctx, sel)
}

// Boundary lists the commits at which a shallow clone ends, sorted.
func (r *Repo) Boundary() []Hash {
	return slices.SortedFunc(maps.Keys(r.shallow), object.Compare)
}

// history is the state of one walk.
type history struct {
	repo      *Repo
	rd        *reader
	paths     *pathSet
	skipped   Skipped
	seen      map[Hash]bool   // blobs: true if in a listed commit, false if only before the range
	seenTrees map[Hash]bool   // trees that were added as a whole: all their blobs are in seen; unused with paths
	reported  map[string]bool // paths already reported to skipped
	trees     map[Hash]Hash   // root trees of the boundary, and of commits with children still to come
	children  map[Hash]int    // listed commits still to come, by first and other parents
	heads     []Hash
	mainline  map[Hash]bool
	changes   []Change // of the current commit, and the next two
	again     []Change
	deleted   []File
}

func (h *history) run(ctx context.Context, sel Selection, yield func(CommitChanges, error) bool) error {
	heads, bases, err := h.ends(ctx, sel)
	if err != nil {
		return err
	}
	list, edge, err := h.repo.rangeWalk(ctx, h.rd, heads, bases, sel.Since)
	if err != nil {
		return err
	}
	if err := h.survey(list, heads, sel.All); err != nil {
		return err
	}
	if err := h.learn(ctx, list, edge); err != nil {
		return err
	}
	for _, c := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		out, err := h.commit(ctx, c)
		if err != nil {
			return fmt.Errorf("read history: commit %s: %w", c.id, err)
		}
		out.Total = len(list)
		if !yield(out, nil) {
			return nil
		}
	}
	return nil
}

// survey collects how the listed commits are connected.
func (h *history) survey(list []commitData, heads []Hash, all bool) error {
	h.heads, h.children, h.mainline = heads, map[Hash]int{}, map[Hash]bool{}
	for _, tip := range heads {
		h.mainline[tip] = !all
	}
	if all {
		head, ok, err := h.repo.head()
		if err != nil {
			return err
		}
		h.mainline[head] = ok
	}
	for _, c := range slices.Backward(list) { // children before parents
		for _, p := range c.parents {
			h.children[p]++
		}
		if len(c.parents) > 0 && h.mainline[c.id] {
			h.mainline[c.parents[0]] = true
		}
	}
	return nil
}

// ends resolves a selection to the commits to walk from and the commits to exclude.
func (h *history) ends(ctx context.Context, sel Selection) (heads, bases []Hash, err error) {
	if sel.All {
		if heads, err = h.tips(); err == nil && len(heads) == 0 {
			err = h.repo.unborn("HEAD")
		}
		return heads, nil, err
	}
	spec := parseRange(sel.Range)
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

// tips returns the commits that HEAD and the references name. A tag of another object is left out.
func (h *history) tips() ([]Hash, error) {
	refs, malformed, err := h.repo.refs.all()
	if err == nil && len(malformed) > 0 {
		err = malformed[0]
	}
	if err != nil {
		return nil, err
	}
	var tips []Hash
	if head, ok, err := h.repo.head(); err != nil {
		return nil, err
	} else if ok {
		tips = append(tips, head)
	}
	for _, ref := range refs {
		tip, err := h.repo.peel(h.rd, ref.hash, ref.name)
		if e, ok := errors.AsType[*RevisionError](err); ok && e.Detail == notCommit {
			continue
		}
		if err != nil {
			return nil, err
		}
		tips = append(tips, tip)
	}
	slices.SortFunc(tips, object.Compare)
	return slices.Compact(tips), nil
}

// learn marks the blobs that existed before the listed commits: those in the trees of the excluded parents and of shallow
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
	w := h.walk(ctx, func(c treeChange) error {
		if isRegular(c.newMode) {
			h.seen[c.new] = false
		}
		return ctx.Err()
	})
	return w.diff(Hash{}, tree)
}

func (h *history) walk(ctx context.Context, emit func(treeChange) error) *treeWalk {
	w := &treeWalk{ctx: ctx, r: h.rd, paths: h.paths, emit: emit}
	if h.paths == nil || h.paths.whole {
		w.seen = h.seenTrees
	}
	return w
}

func (h *history) commit(ctx context.Context, c commitData) (CommitChanges, error) {
	described, err := h.repo.describe(h.rd, c.id)
	if err != nil {
		return CommitChanges{}, err
	}
	out := CommitChanges{Commit: described, Boundary: h.repo.shallow[c.id], Head: slices.Contains(h.heads, c.id), Mainline: h.mainline[c.id]}
	h.trees[c.id] = c.tree
	if out.Boundary {
		return out, nil
	}
	var before Hash
	if len(c.parents) > 0 {
		before = h.trees[c.parents[0]]
	}
	h.changes, h.again, h.deleted = h.changes[:0], h.again[:0], h.deleted[:0]
	w := h.walk(ctx, h.take)
	w.repeats = maxChanges
	if err := w.diff(before, c.tree); err != nil {
		return CommitChanges{}, err
	}
	if w.repeats < 0 {
		h.report("", ReasonMalformed, fmt.Sprintf("commit %s holds equal directories with more than %d files: not all of their places are followed", c.id, maxChanges))
	}
	out.Changes, out.Again = sorted(h.changes), sorted(h.again)
	out.Deleted = append(out.Deleted, h.deleted...)
	slices.SortFunc(out.Deleted, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	out.Last, out.Directories = h.last(c), w.met
	return out, nil
}

// sorted returns a sorted copy of a list of changes. Copying lets the list itself be reused for the next commit.
func sorted(changes []Change) []Change {
	changes = append([]Change(nil), changes...)
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes
}

// take adds a difference from the first parent to its list.
func (h *history) take(t treeChange) error {
	if isRegular(t.oldMode) && !isRegular(t.newMode) {
		h.deleted = append(h.deleted, File{Path: t.path, Mode: t.oldMode, Blob: t.old, Size: SizeUnknown})
	}
	if t.newMode == 0 {
		return nil
	}
	inside, seen := h.seen[t.new]
	if isRegular(t.newMode) && seen {
		if change, ok := t.change(nil); ok {
			change.Older = !inside
			h.again = append(h.again, change)
		}
		return nil
	}
	if change, ok := t.change(h.report); ok {
		h.seen[t.new] = true
		h.changes = append(h.changes, change)
	}
	return nil
}

// last decrements the child counts of a commit's parents and returns the parents whose last child it was.
func (h *history) last(c commitData) []Hash {
	var last []Hash
	for _, p := range c.parents {
		if h.children[p]--; h.children[p] == 0 {
			delete(h.children, p)
			delete(h.trees, p)
			last = append(last, p)
		}
	}
	return last
}

// report passes each path on once: a link that changes in a hundred commits is one skipped entry.
func (h *history) report(path string, reason Reason, detail string) {
	key := string(reason) + "\x00" + path
	if h.reported[key] {
		return
	}
	h.reported[key] = true
	h.skipped.report(path, reason, detail)
}

// Under returns a function that reports whether a path is one of the given paths, or below one. Without paths it accepts
// everything.
func Under(paths []string) func(path string) bool {
	return cleanPaths(paths).has
}

// cleanPaths makes a set of paths without "./" and trailing slashes. The root selects everything, and so does an empty
// list.
func cleanPaths(paths []string) *pathSet {
	set := &pathSet{}
	for _, p := range paths {
		set.add(cleanPath(p))
	}
	if len(paths) == 0 || set.whole {
		return everything
	}
	return set
}
