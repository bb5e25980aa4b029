package filter

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/match"
)

// changed tells whether one of some seeds is outside of what is unchanged.
func (f *Filter) changed(seeds []match.Seed) bool {
	return slices.ContainsFunc(seeds, func(s match.Seed) bool {
		at, _ := slices.BinarySearchFunc(f.text.Unchanged, int(s.Target), func(v match.Interval, at int) int { return cmp.Compare(v.To, at+1) })
		return at == len(f.text.Unchanged) || int(s.Target) < f.text.Unchanged[at].From
	})
}

// dropUnchanged keeps the groups with a seed that is not unchanged: no gap leads from one group to another. It returns
// false if there is none.
func (f *Filter) dropUnchanged(seeds []match.Seed) bool {
	if len(f.text.Unchanged) == 0 {
		return true
	}
	groups, apart := f.groups[:0], f.apart[:0]
	for _, g := range f.groups {
		spans := f.apart[g.from:g.to]
		f.some = within(f.some[:0], spans, seeds)
		if f.changed(f.some) {
			groups = append(groups, group{from: len(apart), to: len(apart) + len(spans)})
			apart = append(apart, spans...)
		}
	}
	if len(groups) < len(f.groups) {
		f.reach = match.Union(append(f.reach[:0], apart...))
		f.some = within(f.some[:0], f.reach, seeds)
		f.followed = f.some
	}
	f.groups, f.apart = groups, apart
	return len(groups) > 0
}

// within appends the seeds that lie in some spans.
func within(dst []match.Seed, spans []match.Interval, seeds []match.Seed) []match.Seed {
	for _, s := range seeds {
		if match.Within(spans, int(s.Target)) {
			dst = append(dst, s)
		}
	}
	return dst
}
