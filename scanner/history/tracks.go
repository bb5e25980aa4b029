package history

import (
	"context"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// track is a region followed through a history.
type track struct {
	finding     int // index in the report; -1: the region is older than the history
	last        *snapshot
	events      []event
	tips        []tipLocation // at the end of the history
	appearances []appearance  // its versions, oldest first
	blobs       []git.Hash    // contents that have it
	parts       []int         // regions that became part of it
}

// appearance is a version of a region, by the commit that has it first.
type appearance struct {
	v      *version
	s      *snapshot
	commit *finding.Commit
	id     git.Hash
	step   int
}

// event is what a commit did to a region.
type event struct {
	commit  *finding.Commit
	step    int    // number of the commit
	path    string // the path of the region, if it changed
	changes []string
	left    bool // no location of the region is left
}

// location is a place in a file that has a region. It may have several regions if one is part of another.
type location struct {
	snapshot *snapshot
	tracks   []int
}

// state is the locations at a commit: by path the locations with findings, and by region the number of its locations. Commits
// without changes share the state of their parent.
type state struct {
	locations map[string][]location
	counts    map[int]int // 0: the region left
	shared    int         // number of commits that have this state
}

func newState() *state { return &state{map[string][]location{}, map[int]int{}, 0} }

// follower follows regions through commits. Commits must be given in order, parents before children.
type follower struct {
	states map[git.Hash]*state
	tracks []*track
	// regions by every key that they were once known by
	byContent map[uint64][]int
	byOrigin  map[uint64][]int
	// begin makes a finding of a snapshot and returns its index in the report
	begin func(ctx context.Context, v *version, s *snapshot, c *finding.Commit) (int, error)
	steps int // number of commits so far
}

func newFollower() *follower {
	return &follower{states: map[git.Hash]*state{}, byContent: map[uint64][]int{}, byOrigin: map[uint64][]int{}}
}

// holds reports whether a file has known regions at the first parent.
func (f *follower) holds(parents []git.Hash, path string) bool {
	return len(parents) > 0 && f.states[parents[0]] != nil && len(f.states[parents[0]].locations[path]) > 0
}

func (f *follower) newTrack(finding int, s *snapshot) int {
	f.tracks = append(f.tracks, &track{finding: finding})
	t := len(f.tracks) - 1
	f.learn(t, s)
	return t
}

// learn records the current snapshot of a region and its keys.
func (f *follower) learn(t int, s *snapshot) {
	f.tracks[t].last = s
	for _, c := range s.Content[:1] {
		f.byContent[c] = include(f.byContent[c], t)
	}
	for _, o := range s.Origins {
		f.byOrigin[o.File] = include(f.byOrigin[o.File], t)
	}
}

func include(ts []int, t int) []int {
	if slices.Contains(ts, t) {
		return ts
	}
	return append(ts, t)
}
