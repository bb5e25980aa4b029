package git

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
)

// maxTreeDepth bounds nested directories. git refuses more than 2048 (core.maxTreeDepth), file systems refuse far
// fewer.
const maxTreeDepth = 2048

// maxTrees bounds the directories of one comparison. Directories without files can unfold into any number from a few kilobytes.
const maxTrees = 1 << 21

// treeEntry points into the bytes of its tree.
type treeEntry struct {
	mode uint32
	name []byte
	id   Hash
}

func (e *treeEntry) isTree() bool { return e.mode == ModeTree }

// nextEntry takes the first entry off b: octal mode, blank, name, NUL, 20 bytes of object name.
func nextEntry(b []byte) (e treeEntry, rest []byte, ok bool) {
	i := 0
	for ; i < len(b) && b[i] != ' '; i++ {
		if i > 6 || b[i] < '0' || b[i] > '7' {
			return e, nil, false
		}
		e.mode = e.mode<<3 | uint32(b[i]-'0')
	}
	if i == 0 || i == len(b) {
		return e, nil, false
	}
	b = b[i+1:]
	n := bytes.IndexByte(b, 0)
	if n <= 0 || len(b) < n+1+len(e.id) {
		return e, nil, false
	}
	e.name, e.mode = b[:n], canonicalMode(e.mode)
	copy(e.id[:], b[n+1:])
	return e, b[n+1+len(e.id):], true
}

// canonicalMode normalises the permission bits that old versions of git stored.
func canonicalMode(m uint32) uint32 {
	switch m & 0o170000 {
	case 0o100000:
		if m&0o100 != 0 {
			return ModeExecutable
		}
		return ModeFile
	case ModeTree, ModeSymlink, ModeSubmodule:
		return m & 0o170000
	}
	return m
}

func isRegular(mode uint32) bool { return mode == ModeFile || mode == ModeExecutable }

// compareEntries orders entries as in a tree: directories as if their name ended in a slash.
func compareEntries(a, b *treeEntry) int {
	n := min(len(a.name), len(b.name))
	if c := bytes.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	return sortByte(a, n) - sortByte(b, n)
}

func sortByte(e *treeEntry, n int) int {
	if n < len(e.name) {
		return int(e.name[n])
	}
	if e.isTree() {
		return '/'
	}
	return 0
}

// treeChange is a difference between two trees at one path, never a tree itself. A zero mode means absent.
type treeChange struct {
	path             string
	oldMode, newMode uint32
	old, new         Hash
}

// treeWalk compares two trees and skips equal parts. It never looks outside of paths.
type treeWalk struct {
	ctx   context.Context
	r     *reader
	paths *pathSet // the paths at or below the current directory; nil before the first one: everything
	path  []byte
	emit  func(treeChange) error
	seen  map[Hash]bool // if not nil: trees met before where the old side was empty; they are not read there again
	// repeats is how many files such trees may have in all and still be read again. It becomes negative if there were
	// more: a tree of a few kilobytes can be made to unfold into billions of files.
	repeats int
	met     int          // directories below the roots that this comparison has met
	most    int          // how many may be met before the comparison is given up; 0: maxTrees, and more are an error
	again   int          // number of such trees that contain the current one
	names   entryNames   // for tops
	tops    *[]topChange // if not nil: takes the entries that differ, and nothing below them is read
	known   *knownTrees  // if not nil: keeps the results of comparisons for later walks
}

func (w *treeWalk) diff(old, new Hash) error {
	if w.paths == nil {
		w.paths = everything
	}
	w.met = 0
	return w.trees(old, new, 0, nil)
}

// trees compares two trees. below, if not nil, takes the differing entries for later walks.
func (w *treeWalk) trees(old, new Hash, depth int, below *[]topChange) error {
	if old == new {
		return nil
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.seen != nil && old.IsZero() {
		if w.seen[new] {
			if w.repeats <= 0 {
				w.repeats = -1
				return nil
			}
			w.repeats--
			w.again++
			defer func() { w.again-- }()
		}
		w.seen[new] = true
	}
	if depth > maxTreeDepth {
		return &CorruptError{What: "tree " + new.String(), Offset: -1, Detail: "nested too deeply"}
	}
	if below != nil {
		return w.recall(old, new, depth, below)
	}
	return w.compare(old, new, depth)
}

// compare calls entry for the names in which two trees differ.
func (w *treeWalk) compare(old, new Hash, depth int) error {
	a, err := w.r.Tree(old)
	if err != nil {
		return err
	}
	b, err := w.r.Tree(new)
	if err != nil {
		return err
	}
	left, right := entryCursor{rest: a, tree: old}, entryCursor{rest: b, tree: new}
	for {
		if !left.full && !right.full {
			left.rest, right.rest = skipCommonEntries(left.rest, right.rest)
		}
		if err := left.fill(); err != nil {
			return err
		}
		if err := right.fill(); err != nil {
			return err
		}
		if !left.full && !right.full {
			return nil
		}
		if err := w.pair(&left, &right, depth); err != nil {
			return err
		}
	}
}

// pair consumes the smaller of two entries, or both if their names are equal.
func (w *treeWalk) pair(left, right *entryCursor, depth int) error {
	order := 0
	switch {
	case !left.full:
		order = 1
	case !right.full:
		order = -1
	default:
		order = compareEntries(&left.entry, &right.entry)
	}
	switch {
	case order < 0:
		left.full = false
		return w.entry(left.entry, treeEntry{name: left.entry.name}, depth, nil)
	case order > 0:
		right.full = false
		return w.entry(treeEntry{name: right.entry.name}, right.entry, depth, nil)
	}
	left.full, right.full = false, false
	if left.entry.mode == right.entry.mode && left.entry.id == right.entry.id {
		return nil
	}
	return w.entry(left.entry, right.entry, depth, nil)
}

// entry handles one name; one side may be absent. Entries with equal names are both trees or both not, since a file and
// a directory of one name sort apart. below is as for trees.
func (w *treeWalk) entry(old, new treeEntry, depth int, below *[]topChange) error {
	if w.tops != nil {
		w.keepTop(old, new)
		return nil
	}
	dir, length := w.paths, len(w.path)
	at := dir.at(new.name)
	if at == nil {
		return nil
	}
	w.path = append(w.path, new.name...)
	defer func() { w.paths, w.path = dir, w.path[:length] }()
	if old.isTree() || new.isTree() {
		if w.met++; w.most > 0 && w.met > w.most {
			return errLargeChange
		} else if w.met > maxTrees {
			return &CorruptError{What: "tree " + new.id.String(), Offset: -1, Detail: fmt.Sprintf("it and others unfold into more than %d directories", maxTrees)}
		}
		w.paths, w.path = at, append(w.path, '/')
		return w.trees(old.id, new.id, depth+1, below)
	}
	if !at.whole {
		return nil
	}
	if w.again > 0 && w.repeats > 0 {
		w.repeats--
	}
	return w.emit(treeChange{path: string(w.path), oldMode: old.mode, newMode: new.mode, old: old.id, new: new.id})
}

// entryCursor reads a tree one entry ahead.
type entryCursor struct {
	rest  []byte
	tree  Hash
	entry treeEntry
	full  bool
}

func (c *entryCursor) fill() error {
	if c.full || len(c.rest) == 0 {
		return nil
	}
	e, rest, ok := nextEntry(c.rest)
	if !ok {
		return &CorruptError{What: "tree " + c.tree.String(), Offset: -1, Detail: "entry"}
	}
	c.entry, c.rest, c.full = e, rest, true
	return nil
}

// skipCommonEntries drops the entries that both versions of a tree, or the rests of them, begin with. Comparing bytes
// in bulk is several times cheaper than decoding entries. Most versions differ in one entry, and the rest is equal.
func skipCommonEntries(a, b []byte) ([]byte, []byte) {
	if len(a) == len(b) && bytes.Equal(a, b) {
		return nil, nil
	}
	same := commonPrefix(a, b)
	at := 0
	for at < same {
		name := bytes.IndexByte(a[at:same], 0)
		end := at + name + 1 + len(Hash{})
		if name < 0 || end > same {
			break
		}
		at = end
	}
	return a[at:], b[at:]
}

// commonPrefix returns a length up to which a and b are equal, at most seven bytes below the maximum.
func commonPrefix(a, b []byte) int {
	const stride = 128
	n, same := min(len(a), len(b)), 0
	for same+stride <= n && bytes.Equal(a[same:same+stride], b[same:same+stride]) {
		same += stride
	}
	for same+8 <= n && binary.LittleEndian.Uint64(a[same:]) == binary.LittleEndian.Uint64(b[same:]) {
		same += 8
	}
	return same
}

// pathSet is a set of files and directories that limits a listing, seen from the root or from one directory: the names
// below which the set has something. A walk takes one step of it for each directory, however many files there are.
type pathSet struct {
	whole bool // the set contains everything here
	below map[string]*pathSet
}

// everything is the set without limits.
var everything = &pathSet{whole: true}

// at returns the part of a set at a name or below it, nil if there is none.
func (s *pathSet) at(name []byte) *pathSet {
	if s.whole {
		return s
	}
	return s.below[string(name)]
}

// add puts a file or a directory into a set. An empty path adds everything.
func (s *pathSet) add(path string) {
	for name := range strings.SplitSeq(path, "/") {
		if name == "" {
			break
		}
		if s.below == nil {
			s.below = map[string]*pathSet{}
		}
		next := s.below[name]
		if next == nil {
			next = &pathSet{}
			s.below[name] = next
		}
		s = next
	}
	s.whole = true
}

// has reports whether a path is in the set or below a path of the set.
func (s *pathSet) has(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if s == nil || s.whole {
			break
		}
		s = s.below[name]
	}
	return s != nil && s.whole
}
