package filter

import (
	"cmp"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/algorithms/match"
)

// Changed reports whether at least one seed is outside the unchanged tokens.
func (f *Filter) Changed(seeds []match.Seed) bool {
	return slices.ContainsFunc(seeds, func(s match.Seed) bool {
		at, _ := slices.BinarySearchFunc(f.text.Unchanged, int(s.Target), func(v match.Interval, at int) int { return cmp.Compare(v.To, at+1) })
		return at == len(f.text.Unchanged) || int(s.Target) < f.text.Unchanged[at].From
	})
}

// dropUnchanged drops the groups whose seeds are all unchanged. Groups are independent, since no gap joins two of them.
func (f *Filter) dropUnchanged(seeds []match.Seed) {
	if len(f.text.Unchanged) == 0 {
		return
	}
	groups, intervals := f.groups[:0], f.intervals[:0]
	for _, g := range f.groups {
		spans := f.intervals[g.from:g.to]
		f.changed = within(f.changed[:0], spans, seeds)
		if f.Changed(f.changed) {
			groups = append(groups, group{from: len(intervals), to: len(intervals) + len(spans)})
			intervals = append(intervals, spans...)
		}
	}
	f.groups, f.intervals = groups, intervals
}

// within appends the seeds that are inside the spans.
func within(dst []match.Seed, spans []match.Interval, seeds []match.Seed) []match.Seed {
	for _, s := range seeds {
		if match.Contains(spans, int(s.Target)) {
			dst = append(dst, s)
		}
	}
	return dst
}
