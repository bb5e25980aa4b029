package drift

import (
	"cmp"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/store"
)

// pairs returns the path in the package that each file of the directory came from. Equal files decide first, and show which
// directories belong together. Any other file is paired with a file of the same name, by the first rule that finds one: in the
// directory that belongs to the file's own; at the same path; with the longest common end of both paths. That end must include a
// directory, unless no other file has the name.
func (s *search) pairs(name string, theirs map[string]store.Hash) map[int]string {
	to, taken := make(map[int]string), make(map[string]bool)
	votes := make(map[string]map[string]int) // directory here → directory there → equal files
	for i, f := range s.files {
		if at, ok := s.held[i][name]; ok && !taken[at] {
			to[i], taken[at] = at, true
			here := path.Dir(f.Path)
			if votes[here] == nil {
				votes[here] = make(map[string]int)
			}
			votes[here][path.Dir(at)]++
		}
	}
	c := counterparts{theirs, taken, make(map[string][]string)}
	for _, at := range slices.Sorted(maps.Keys(theirs)) {
		for end := range endings(at) {
			c.ends[end] = append(c.ends[end], at)
		}
	}
	for i, f := range s.files {
		if _, ok := to[i]; ok {
			continue
		}
		if at := c.best(f.Path, votes[path.Dir(f.Path)]); at != "" {
			to[i], taken[at] = at, true
		}
	}
	return to
}

// counterparts are the paths of a package that files of a directory can have come from.
type counterparts struct {
	theirs map[string]store.Hash
	taken  map[string]bool
	ends   map[string][]string // "c", "b/c", "a/b/c" → the paths that end so, sorted
}

// best returns the path that a file came from, "" if there is none. beside has the directories of the files that are equal to its
// neighbours.
func (c *counterparts) best(file string, beside map[string]int) string {
	best, base := "", path.Base(file)
	rank := func(at string) [2]int { return [2]int{beside[path.Dir(at)], suffix(file, at)} }
	for _, dir := range slices.Sorted(maps.Keys(beside)) {
		if at := path.Join(dir, base); c.free(at) && (best == "" || greater(rank(at), rank(best))) {
			best = at
		}
	}
	if best != "" || c.free(file) {
		return cmp.Or(best, file)
	}
	if only := c.ends[base]; len(only) == 1 && c.free(only[0]) {
		return only[0]
	}
	for end := range endings(file) { // the longest comes last
		if end == base {
			continue
		}
		for len(c.ends[end]) > 0 && !c.free(c.ends[end][0]) {
			c.ends[end] = c.ends[end][1:]
		}
		if left := c.ends[end]; len(left) > 0 {
			best = left[0]
		}
	}
	return best
}

// free reports whether the package has a path, and no other file came from it.
func (c *counterparts) free(at string) bool {
	_, ok := c.theirs[at]
	return ok && !c.taken[at]
}

// endings yields the ways in which a path ends, the shortest first: "c", "b/c", "a/b/c".
func endings(p string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := len(p); i >= 0; {
			i = strings.LastIndexByte(p[:i], '/')
			if !yield(p[i+1:]) {
				return
			}
		}
	}
}

func greater(a, b [2]int) bool { return slices.Compare(a[:], b[:]) > 0 }

// suffix counts the elements in which two paths end alike.
func suffix(a, b string) int {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < min(len(as), len(bs)) && as[len(as)-1-n] == bs[len(bs)-1-n] {
		n++
	}
	return n
}
