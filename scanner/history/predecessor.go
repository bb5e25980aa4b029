package history

import "slices"

// match finds the predecessor of each region in the changed files. The surest rules come first, and the same file comes before
// other files. A new rule is a line of this list.
func (s *step) match() {
	samePath, sameText, sharedText, sharedOrigin := s.candidates()
	for _, r := range []struct {
		among func(*newLocation) []*oldLocation
		rule  func(*newLocation, *oldLocation) bool
	}{
		{samePath, unchanged},
		{samePath, func(n *newLocation, o *oldLocation) bool { return n.s.same(o.location.snapshot) }},
		{samePath, func(n *newLocation, o *oldLocation) bool {
			return n.s.Shape == o.location.snapshot.Shape && within(n, o)
		}},
		{samePath, within},
		{samePath, s.grew},
		{sameText, sameLayout},
		{sharedText, func(*newLocation, *oldLocation) bool { return true }},
		{sharedOrigin, within},
		{sharedOrigin, s.grew},
	} {
		s.pair(r.among, r.rule)
	}
	s.split(sharedOrigin)
}

// candidates returns four functions. Each takes a new location and lists old ones: those in the same file, those with its first
// content, those with any of its contents, and those that have an origin's file in common with it.
func (s *step) candidates() (samePath, sameText, sharedText, sharedOrigin func(*newLocation) []*oldLocation) {
	byPath, byContent, byOrigin := map[string][]*oldLocation{}, map[uint64][]*oldLocation{}, map[uint64][]*oldLocation{}
	for _, o := range s.olds {
		byPath[o.path] = append(byPath[o.path], o)
		for _, c := range o.location.snapshot.Content {
			byContent[c] = append(byContent[c], o)
		}
		for _, g := range o.location.snapshot.Origins {
			byOrigin[g.File] = append(byOrigin[g.File], o)
		}
	}
	samePath = func(n *newLocation) []*oldLocation { return byPath[n.v.path] }
	sameText = func(n *newLocation) []*oldLocation { return byContent[n.s.Content[0]] }
	sharedText = func(n *newLocation) []*oldLocation { return collect(n.s.Content, byContent) }
	sharedOrigin = func(n *newLocation) []*oldLocation { return collect(origins(n.s), byOrigin) }
	return samePath, sameText, sharedText, sharedOrigin
}

// unchanged reports whether a region has the same tokens, names, literals and layout as before.
func unchanged(n *newLocation, o *oldLocation) bool {
	return n.s.Content[0] == o.location.snapshot.Content[0] && sameLayout(n, o)
}

func sameLayout(n *newLocation, o *oldLocation) bool { return n.s.Layout == o.location.snapshot.Layout }

func within(n *newLocation, o *oldLocation) bool { return n.s.within(o.location.snapshot) }

// grew reports whether a region grew or shrank to a snapshot. A region older than the history does not count, since it would hide
// the tokens that were added.
func (s *step) grew(n *newLocation, o *oldLocation) bool {
	return n.s.grown(o.location.snapshot) && s.begun(o.location.tracks)
}

// begun reports whether all regions entered within the history.
func (s *step) begun(ts []int) bool {
	return !slices.ContainsFunc(ts, func(t int) bool { return s.tracks[t].finding < 0 })
}

func origins(s *snapshot) []uint64 {
	var out []uint64
	for _, o := range s.Origins {
		out = append(out, o.File)
	}
	return out
}

func collect(keys []uint64, index map[uint64][]*oldLocation) []*oldLocation {
	var out []*oldLocation
	for _, k := range keys {
		out = append(out, index[k]...)
	}
	return out
}

// pair links each region without a predecessor to the first earlier region that satisfies rule and has no successor yet.
func (s *step) pair(candidates func(*newLocation) []*oldLocation, rule func(*newLocation, *oldLocation) bool) {
	for _, n := range s.news {
		if n.from != nil || s.ctx.Err() != nil { // change reports the context's error
			continue
		}
		for _, o := range candidates(n) {
			if !o.used && rule(n, o) {
				n.from, o.used = o, true
				o.taken = append(o.taken, n.s.Origins...)
				break
			}
		}
	}
}

// split links further regions to a predecessor that already has a successor, if they match other lines of the origin. An edit can
// split a region.
func (s *step) split(candidates func(*newLocation) []*oldLocation) {
	for _, n := range s.news {
		if n.from != nil || s.ctx.Err() != nil { // change reports the context's error
			continue
		}
		for _, o := range candidates(n) {
			if o.used && n.s.within(o.location.snapshot) && !slices.ContainsFunc(n.s.Origins, func(a stretch) bool {
				return slices.ContainsFunc(o.taken, func(b stretch) bool { return a.File == b.File && 5*a.overlap(b) > a.To-a.From+1 })
			}) {
				n.from = o
				o.taken = append(o.taken, n.s.Origins...)
				break
			}
		}
	}
}

// known finds an earlier region for a snapshot without a predecessor. what is "copied" if that region still has a location,
// "returned" if it left, "entered" if no parent knows it, and "" if there is no such region.
func (s *step) known(n *newLocation) (t int, what string) {
	same := s.recall(n.s.Content, s.byContent)
	for _, t := range same {
		if s.hasLocation(t) {
			return t, "copied"
		}
	}
	like := slices.DeleteFunc(s.recall(origins(n.s), s.byOrigin), func(t int) bool {
		return s.hasLocation(t) || !n.s.within(s.tracks[t].last) && !(s.begun([]int{t}) && n.s.grown(s.tracks[t].last))
	})
	all := slices.Concat(same, like)
	for _, t := range all {
		if s.knownToParent(t) {
			return t, "returned"
		}
	}
	if len(all) > 0 {
		return all[0], "entered"
	}
	return 0, ""
}

// knownToParent reports whether a parent has or had a region.
func (s *step) knownToParent(t int) bool {
	_, ok := s.state.counts[t]
	return ok || slices.ContainsFunc(s.others, func(o *state) bool { _, ok := o.counts[t]; return ok })
}

// recall lists the regions that were once known by one of the keys, the oldest first.
func (s *step) recall(keys []uint64, index map[uint64][]int) []int {
	var out []int
	for _, k := range keys {
		out = append(out, index[k]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
