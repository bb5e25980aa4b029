package history

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// story is one region through a history: a track, and the tracks that became part of it.
type story struct {
	finding     int // of the oldest track
	entered     *finding.Commit
	path        string // where it entered
	events      []event
	appearances []appearance
	tips        []tipLocation
	blobs       map[git.Hash]bool
}

// stories joins the tracks that became one region.
func (f *follower) stories() []*story {
	root := make([]int, len(f.tracks))
	for i := range root {
		root[i] = i
	}
	find := func(t int) int {
		for root[t] != t {
			t = root[t]
		}
		return t
	}
	for t, tr := range f.tracks {
		for _, p := range tr.parts {
			a, b := find(t), find(p)
			root[max(a, b)] = min(a, b)
		}
	}
	byRoot := map[int]*story{}
	for t, tr := range f.tracks { // a root comes before its parts
		if tr.finding < 0 {
			continue
		}
		s := byRoot[find(t)]
		if s == nil {
			s = &story{finding: tr.finding, entered: tr.appearances[0].commit, path: tr.appearances[0].v.path, blobs: map[git.Hash]bool{}}
			byRoot[find(t)] = s
		} else {
			first := tr.appearances[0]
			s.events = append(s.events, event{commit: first.commit, step: first.step, path: first.v.path, changes: []string{"entered"}})
		}
		s.add(tr)
	}
	out := make([]*story, 0, len(byRoot))
	for _, t := range slices.Sorted(maps.Keys(byRoot)) {
		s := byRoot[t]
		slices.SortStableFunc(s.events, func(a, b event) int { return cmp.Compare(a.step, b.step) })
		slices.SortStableFunc(s.appearances, func(a, b appearance) int { return cmp.Compare(a.step, b.step) })
		slices.SortFunc(s.tips, func(a, b tipLocation) int {
			return cmp.Or(compareLocations(a.Location, b.Location), strings.Compare(a.commit, b.commit))
		})
		s.tips = slices.Compact(s.tips)
		out = append(out, s)
	}
	return out
}

// last returns the last version of a region.
func (s *story) last() appearance { return s.appearances[len(s.appearances)-1] }

func (s *story) add(tr *track) {
	for _, e := range tr.events {
		if !slices.ContainsFunc(s.events, func(o event) bool {
			return o.step == e.step && o.path == e.path && slices.Equal(o.changes, e.changes)
		}) {
			s.events = append(s.events, e)
		}
	}
	s.appearances = append(s.appearances, tr.appearances...)
	s.tips = append(s.tips, tr.tips...)
	for _, b := range tr.blobs {
		s.blobs[b] = true
	}
}

// tell writes a story into its finding. If the region existed before it entered as a finding, or got most of its present tokens
// only later, its entry is listed as an edit.
func (s *story) tell(f *finding.Finding, introduced *finding.Commit) {
	f.Introduced = &finding.Commit{Commit: introduced.Commit, Author: introduced.Author, Time: introduced.Time, Path: introduced.Path}
	f.Introduced.Path = cmp.Or(f.Introduced.Path, s.path)
	events := s.events
	if introduced.Commit != s.entered.Commit {
		first := event{commit: s.entered, path: s.path, changes: []string{"entered"}}
		events = append([]event{first}, events...)
	}
	at := f.Introduced.Path
	if f.Introduced.Path == f.Path {
		f.Introduced.Path = ""
	}
	alive := len(s.tips) > 0
	f.Alive, f.Blobs, f.Tip, f.Edits, f.Left = &alive, len(s.blobs), nil, nil, nil
	for _, p := range s.tips {
		f.Tip = append(f.Tip, p.Location)
	}
	f.Tip = slices.Compact(f.Tip)
	for i, e := range events {
		c := *e.commit
		c.Path, c.Changes = e.path, e.changes
		switch {
		case !alive && e.left && i == len(events)-1:
			f.Left = &c
		case c.Commit == introduced.Commit && !e.left && (e.path == "" || e.path == at) && isGrowth(e.changes):
		default:
			f.Edits = append(f.Edits, c)
		}
	}
}

// isGrowth reports whether all changes only enter, extend or edit the region.
func isGrowth(changes []string) bool {
	return !slices.ContainsFunc(changes, func(c string) bool { return c != "entered" && c != "extended" && c != "edited" })
}

// former lists the ids of versions that already had most of the present region.
func (s *story) former(now *snapshot) []string {
	var out []string
	for _, v := range s.appearances {
		if v.s.ID != now.ID && now.mostly(v.s) {
			out = append(out, v.s.ID)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
