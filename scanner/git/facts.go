package git

import (
	"errors"
	"path"
	"slices"
)

// CommitFacts is what walks need to know of a commit. A commit's facts follow from its name, so they can be kept for later runs.
type CommitFacts struct {
	Tree    Hash
	Parents []Hash
	Time    int64 // of the committer, seconds
	Changes *ChangeSummary
}

// ChangeSummary tells, without any tree, what a commit cannot have changed against its first parent.
type ChangeSummary struct {
	Files int      // regular files that it added or changed
	Any   bool     // it changed too much to be summarised
	Sums  []uint32 // sorted: a sum of each path that it changed, each directory above, each name and each new content
}

// maxSummed bounds the paths of a summary, and the directories that are read for it. Few commits change more.
const maxSummed = 4096

// errLargeChange ends a comparison whose result would not be kept.
var errLargeChange = errors.New("too many changes for a summary")

// The kinds of what a sum stands for.
const (
	sumPath byte = iota
	sumName
	sumContent
)

const offset, prime = 2166136261, 16777619 // of FNV-1a

func sumOf[T string | []byte](kind byte, of T) uint32 {
	h := (offset ^ uint32(kind)) * prime
	for i := range len(of) {
		h = (h ^ uint32(of[i])) * prime
	}
	return h
}

// sumsOfPath adds the sums of a path and of each directory above to a list. It reads the path once: trees can be made to have paths of
// 2,048 directories with long names.
func sumsOfPath(sums []uint32, path string) []uint32 {
	h := sumOf(sumPath, "")
	for i := range len(path) {
		if path[i] == '/' {
			sums = append(sums, h)
		}
		h = (h ^ uint32(path[i])) * prime
	}
	return append(sums, h)
}

// summary collects the changes of a commit.
type summary struct {
	ChangeSummary
	paths int
}

// add adds a difference between the commit and its first parent.
func (s *summary) add(t *treeChange) {
	if s.paths++; s.paths > maxSummed {
		s.Any, s.Sums = true, nil
	}
	if change, ok := t.change(nil); ok {
		s.Files++
		if !s.Any {
			s.Sums = append(s.Sums, sumOf(sumContent, change.Blob[:]))
		}
	}
	if s.Any {
		return
	}
	s.Sums = append(sumsOfPath(s.Sums, t.path), sumOf(sumName, path.Base(t.path)))
}

// done returns the summary of all changes that were added.
func (s *summary) done() *ChangeSummary {
	slices.Sort(s.Sums)
	out := s.ChangeSummary
	out.Sums = slices.Clone(slices.Compact(s.Sums))
	return &out
}

// summarize compares a commit with its first parent. It returns nil if a tree cannot be read: the caller then meets the error if it
// concerns the paths that it compares.
func (w *treeWalk) summarize(before, tree Hash, tops []topChange) *ChangeSummary {
	var s summary
	all := treeWalk{ctx: w.ctx, r: w.r, paths: everything, known: &knownTrees{size: maxKnown}, most: maxSummed}
	all.emit = func(t treeChange) error {
		if s.add(&t); s.Any {
			return errLargeChange
		}
		return nil
	}
	var err error
	if tops != nil {
		err = all.changes(tops, 0)
	} else {
		err = all.diff(before, tree)
	}
	switch {
	case err == nil:
		return s.done()
	case errors.Is(err, errLargeChange):
		return &ChangeSummary{Any: true, Files: -1}
	}
	return nil
}

// Wanted is a set of paths, names or contents that walks look for.
type Wanted struct {
	sums  map[uint32]bool
	sieve [1 << 8]uint64 // bits by sums: most are rejected here
}

func (w *Wanted) add(sum uint32) {
	if w.sums == nil {
		w.sums = map[uint32]bool{}
	}
	w.sums[sum] = true
	w.sieve[sum>>6%uint32(len(w.sieve))] |= 1 << (sum & 63)
}

// AddName adds the files of a name, in any directory.
func (w *Wanted) AddName(name string) { w.add(sumOf(sumName, name)) }

// AddContent adds the files with a content.
func (w *Wanted) AddContent(blob Hash) { w.add(sumOf(sumContent, blob[:])) }

// addPath adds a file, or everything below a directory.
func (w *Wanted) addPath(path string) { w.add(sumOf(sumPath, path)) }

// meets reports whether a commit can have changed something wanted.
func (w *Wanted) meets(s *ChangeSummary) bool {
	if s == nil || s.Any {
		return true
	}
	for _, sum := range s.Sums {
		if w.sieve[sum>>6%uint32(len(w.sieve))]&(1<<(sum&63)) != 0 && w.sums[sum] {
			return true
		}
	}
	return false
}

// CanRemember reports whether facts of this repository's commits can be kept: git itself does not read its objects.
func (r *Repo) CanRemember() bool { return !r.throughGit() && !r.config.promisor }

// Remember gives a trail the facts of commits that earlier runs have met. No walk may have begun. If there are any, walks compare only
// commits that can concern them, and summarise those of which that is not known. In a first run only Changes does, which compares the
// commits as a whole anyway: a summary costs more than the comparison of a walk.
func (t *Trail) Remember(known map[Hash]CommitFacts) {
	t.remembered = known
	for i := range t.facts {
		t.facts[i].summary = known[t.nodes[i].id].Changes
	}
}

// Facts calls f for each commit that walks have met, and that is not at the boundary of a shallow clone. known reports whether the facts
// are those that the trail was given.
func (t *Trail) Facts(f func(id Hash, facts CommitFacts, known bool)) {
	for i := range t.nodes {
		c, s := &t.nodes[i].commitData, t.facts[i].summary
		if t.repo.shallow[c.id] {
			continue
		}
		was, ok := t.remembered[c.id]
		if ok && (was.Changes != nil || s == nil) {
			f(c.id, was, true)
			continue
		}
		f(c.id, CommitFacts{c.tree, c.parents, c.time, s}, false)
	}
}

// load returns a commit from the facts that are known, if the repository has it.
func (t *Trail) load(rd *reader, h Hash) (commitData, bool) {
	k, ok := t.remembered[h]
	if !ok || !rd.Has(h) {
		return commitData{}, false
	}
	c := commitData{id: h, tree: k.Tree, parents: k.Parents, time: k.Time}
	if t.repo.shallow[h] {
		c.parents = nil
	}
	return c, true
}

// CommonDir returns the directory with the repository's objects and references. Its linked work trees share it.
func (r *Repo) CommonDir() string { return r.layout.commonDir }
