package history

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/targetdates"
)

// version is a file of a commit that has findings, or whose predecessor had findings.
type version struct {
	path     string
	now      []snapshot
	before   []snapshot // of the earlier content, if the path has no known locations
	older    bool       // the content is older than the history
	firstUse bool       // no earlier commit has this content
	key      blobKey
	counted  []int // regions that it was counted for
}

// oldLocation is a location that a commit may have changed.
type oldLocation struct {
	path string
	location
	other bool      // belongs to another parent than the first
	taken []stretch // stretches of its origins that successors have
	used  bool
}

// newLocation is a snapshot in a file that a commit changed.
type newLocation struct {
	v      *version
	s      *snapshot
	from   *oldLocation
	tracks []int
}

// step is the work on one commit.
type step struct {
	*follower
	ctx    context.Context
	c      *git.CommitChanges
	commit *finding.Commit
	state  *state // the first parent's, then this commit's
	others []*state
	was    map[int]bool // regions in changed files that had a location before the commit
	news   []*newLocation
	olds   []*oldLocation
}

// advance follows the regions through one commit.
func (f *follower) advance(ctx context.Context, c *git.CommitChanges, versions []version) error {
	f.steps++
	s := step{follower: f, ctx: ctx, c: c, commit: targetdates.CommitOf(&c.Commit), was: map[int]bool{}}
	s.inherit()
	if len(versions) > 0 || s.differs() {
		s.copyShared()
		if err := s.change(versions); err != nil {
			return err
		}
	}
	f.states[c.ID] = s.state
	s.state.shared++
	for _, p := range c.Last {
		if st := f.states[p]; st != nil {
			st.shared--
			delete(f.states, p)
		}
	}
	if c.Head {
		s.noteTips()
	}
	return nil
}

// inherit finds the states of the parents. Parents outside the history have none.
func (s *step) inherit() {
	for i, p := range s.c.Parents {
		st := s.states[p]
		switch {
		case i == 0:
			s.state = st
		case st != nil:
			s.others = append(s.others, st)
		}
	}
	if s.state == nil {
		s.state = newState()
	}
}

// differs reports whether another parent knows a region that the first parent does not know, or whether only one of the two still
// has a region.
func (s *step) differs() bool {
	for _, o := range s.others {
		for t, n := range o.counts {
			if m, ok := s.state.counts[t]; !ok || (n > 0) != (m > 0) {
				return true
			}
		}
	}
	return false
}

// copyShared makes the state safe to change. It copies the parent's state unless no other commit needs it. So a long line of
// commits costs no copies.
func (s *step) copyShared() {
	if s.state.shared == 0 || s.state.shared == 1 && slices.Contains(s.c.Last, s.c.Parents[0]) && !slices.Contains(s.others, s.state) {
		return
	}
	s.state = &state{maps.Clone(s.state.locations), maps.Clone(s.state.counts), 0}
}

// change updates the locations in changed files.
func (s *step) change(versions []version) error {
	for i := range versions {
		s.remember(&versions[i])
		s.gather(&versions[i])
	}
	s.match()
	for _, n := range s.news {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if err := s.settle(n); err != nil {
			return err
		}
	}
	s.absorb()
	s.addNew()
	s.noteRemoved()
	s.merge()
	return nil
}

// remember adds the regions that a file had before a history that begins later.
func (s *step) remember(v *version) {
	if len(s.state.locations[v.path]) > 0 || len(v.before) == 0 {
		return
	}
	for i := range v.before {
		t := s.newTrack(-1, &v.before[i])
		s.state.locations[v.path] = append(s.state.locations[v.path], location{&v.before[i], []int{t}})
		s.state.counts[t]++
	}
}

// gather removes the locations of a changed file from the state and lists the old and new locations to be compared.
func (s *step) gather(v *version) {
	for _, sp := range s.state.locations[v.path] {
		s.olds = append(s.olds, &oldLocation{path: v.path, location: sp})
		for _, t := range sp.tracks {
			s.was[t] = true
			s.state.counts[t]--
		}
	}
	delete(s.state.locations, v.path)
	for _, o := range s.others {
		for _, sp := range o.locations[v.path] {
			s.olds = append(s.olds, &oldLocation{path: v.path, location: sp, other: true})
		}
	}
	for i := range v.now {
		s.news = append(s.news, &newLocation{v: v, s: &v.now[i]})
	}
}

// settle decides which regions a new location has, and records what the commit did to them.
func (s *step) settle(n *newLocation) error {
	if o := n.from; o != nil {
		n.tracks = o.location.tracks
		changes := o.location.snapshot.changesTo(n.s)
		path := ""
		if o.path != n.v.path {
			path, changes = n.v.path, append([]string{"moved"}, changes...)
		}
		for _, t := range n.tracks {
			if len(changes) > 0 {
				s.addEvent(t, event{commit: s.commit, path: path, changes: changes})
			}
			if s.c.Mainline && o.other && !s.hasLocation(t) {
				s.addEvent(t, event{commit: s.commit, changes: []string{"merged"}})
			}
		}
	} else if t, what := s.known(n); what != "" {
		n.tracks = []int{t}
		changes := []string{what}
		if more := s.tracks[t].last.changesTo(n.s); more != nil && what == "returned" {
			changes = append(changes, more...)
		}
		s.addEvent(t, event{commit: s.commit, path: n.v.path, changes: changes})
	} else if err := s.enter(n); err != nil {
		return err
	}
	for _, t := range n.tracks {
		s.learn(t, n.s)
		s.noteAppearance(t, n)
		s.was[t] = true
	}
	return nil
}

// noteAppearance records the version of a region, and the content that has it.
func (s *step) noteAppearance(t int, n *newLocation) {
	tr := s.tracks[t]
	if tr.finding < 0 {
		return
	}
	if k := len(tr.appearances); k == 0 || tr.appearances[k-1].s.ID != n.s.ID || tr.appearances[k-1].v.key != n.v.key {
		tr.appearances = append(tr.appearances, appearance{&version{path: n.v.path, key: n.v.key}, n.s, s.commit, s.c.ID, s.steps})
	}
	if n.v.firstUse && !slices.Contains(n.v.counted, t) {
		n.v.counted = append(n.v.counted, t)
		tr.blobs = append(tr.blobs, n.v.key.blob)
	}
}

// hasLocation reports whether a region had a location on the side of the first parent, or has one now.
func (s *step) hasLocation(t int) bool { return s.was[t] || s.state.counts[t] > 0 }

// enter begins a new region.
func (s *step) enter(n *newLocation) error {
	at := -1
	if !n.v.older {
		var err error
		if at, err = s.begin(s.ctx, n.v, n.s, s.commit); err != nil {
			return err
		}
	}
	n.tracks = []int{s.newTrack(at, n.s)}
	return nil
}

// addEvent adds an event to a region. The same event at several locations is added once.
func (s *step) addEvent(t int, e event) {
	tr := s.tracks[t]
	if tr.finding < 0 {
		return
	}
	for _, o := range tr.events {
		if o.commit.Commit == e.commit.Commit && o.path == e.path && slices.Equal(o.changes, e.changes) {
			return
		}
	}
	e.step = s.steps
	tr.events = append(tr.events, e)
}

// absorb finds the regions that are now part of a longer one.
func (s *step) absorb() {
	for _, o := range s.olds {
		if o.used || o.other {
			continue
		}
		for _, n := range s.news {
			if n.v.path != o.path || !o.location.snapshot.within(n.s) || n.from != nil && o.location.snapshot.within(n.from.location.snapshot) {
				continue // in the last case it was beside the predecessor of n
			}
			for _, t := range o.location.tracks {
				if !slices.Contains(n.tracks, t) {
					s.join(t, n.tracks[0])
					n.tracks = append(slices.Clone(n.tracks), t)
					s.addEvent(t, event{commit: s.commit, changes: []string{"extended"}})
				}
			}
			o.used = true
			break
		}
	}
}

// join makes a region part of another for good, if both entered within the history.
func (s *step) join(part, of int) {
	if s.begun([]int{part, of}) {
		s.tracks[of].parts = append(s.tracks[of].parts, part)
	}
}

// addNew adds the locations in the changed files to the state.
func (s *step) addNew() {
	for _, n := range s.news {
		s.state.locations[n.v.path] = append(s.state.locations[n.v.path], location{n.s, n.tracks})
		for _, t := range n.tracks {
			s.state.counts[t]++
		}
	}
}

// noteRemoved records that regions left a location.
func (s *step) noteRemoved() {
	for _, o := range s.olds {
		if o.used || o.other {
			continue
		}
		for _, t := range o.location.tracks {
			if s.state.counts[t] > 0 && len(s.others) > 0 {
				continue // the other parent's side has a location of it
			}
			if !s.goneElsewhere(t) {
				s.addEvent(t, event{commit: s.commit, path: o.path, changes: []string{"removed"}, left: s.state.counts[t] == 0})
			}
		}
	}
}

// goneElsewhere reports whether a region had already left on the side of another parent, where this was recorded.
func (s *step) goneElsewhere(t int) bool {
	return slices.ContainsFunc(s.others, func(o *state) bool { n, ok := o.counts[t]; return ok && n == 0 })
}

// merge adds the states of the other parents. A region that exists only in one of them, and has no location now, was dropped by
// the merge.
func (s *step) merge() {
	for _, o := range s.others {
		for _, t := range slices.Sorted(maps.Keys(o.counts)) {
			if _, ok := s.state.counts[t]; ok {
				continue
			}
			s.state.counts[t] = 0
			if o.counts[t] > 0 && !s.goneElsewhere(t) {
				s.addEvent(t, event{commit: s.commit, changes: []string{"removed"}, left: true})
			}
		}
	}
}

// noteTips records the locations of the regions at a tip.
func (s *step) noteTips() {
	for _, path := range slices.Sorted(maps.Keys(s.state.locations)) {
		for _, sp := range s.state.locations[path] {
			for _, t := range sp.tracks {
				at := finding.Location{Path: path, StartLine: sp.snapshot.Start, EndLine: sp.snapshot.End}
				s.tracks[t].tips = append(s.tracks[t].tips, tipLocation{s.commit.Commit, at})
			}
		}
	}
}

func compareLocations(a, b finding.Location) int {
	if c := strings.Compare(a.Path, b.Path); c != 0 {
		return c
	}
	if a.StartLine != b.StartLine {
		return a.StartLine - b.StartLine
	}
	return a.EndLine - b.EndLine
}
