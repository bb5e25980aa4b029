package targetdates

import (
	"context"
	"maps"
	"path"
	"slices"

	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

// stateEvery is how many commits of the main line lie between two states that are searched. Most files live longer.
const stateEvery = 128

// suspect is a region that is searched for in earlier states of the repository.
type suspect struct {
	*region
	latest int               // the latest state that counts, as an index of the main line
	wanted map[string]bool   // names of files that can have it, and the content that had it
	seen   map[git.Hash]bool // contents searched
	found  []query           // for the files that have it
}

// states dates regions by the files that the repository had when their origins were released, and by those of earlier times. A region
// that one of these files had is not from the origin. So the whole history need not be searched for it, unless an earlier date can
// show that the target was first.
func (d *dater) states(ctx context.Context, accused []*region) error {
	line := d.mainLine()
	var suspects []*suspect
	for _, r := range accused {
		s := &suspect{region: r, latest: d.released(line, r), wanted: map[string]bool{}, seen: map[git.Hash]bool{}}
		if s.latest < len(line) && r.finding.LackedUntil() == nil {
			r.addNames(s.wanted)
			suspects = append(suspects, s)
		}
	}
	if err := d.searchStates(ctx, line, suspects); err != nil {
		return ctx.Err() // the search of the whole history meets the error again
	}
	var qs []query
	var dated []*region
	for _, s := range suspects {
		if len(s.found) > 0 {
			qs, dated = append(qs, s.found...), append(dated, s.region)
		}
	}
	if err := d.follow(ctx, merged(qs)); err != nil {
		return err
	}
	return d.branches(ctx, dated)
}

// mainLine lists the head and its first parents, the latest first.
func (d *dater) mainLine() (line []int32) {
	for n := int32(0); n >= 0; n = d.trail.FirstParent(n) {
		line = append(line, n)
	}
	return line
}

// released returns the index of the last commit that was made before a region, and by the time at which its origin had it.
func (d *dater) released(line []int32, r *region) int {
	by, until := *r.finding.FirstBy(), d.endRank(r.commit)
	for i, n := range line {
		if d.rank(n) < until && !d.trail.Brief(n).CommitTime.After(by) {
			return i
		}
	}
	return len(line)
}

// addNames adds the names of the files that can have had a region, and the content that had it.
func (r *region) addNames(keys map[string]bool) {
	keys[r.name()], keys[r.originName()] = true, true
	if r.commit >= 0 {
		keys[string(r.blob[:])] = true
	}
}

// searchStates searches the states of a main line for regions, the latest first, until each is found.
func (d *dater) searchStates(ctx context.Context, line []int32, suspects []*suspect) error {
	wanted, starts := map[string]bool{}, map[int]bool{}
	for _, s := range suspects {
		maps.Copy(wanted, s.wanted)
		starts[s.latest] = true
	}
	files, before, changes := map[string]git.Hash{}, int32(-1), 0
	for i, n := range line {
		if !starts[i] && i%stateEvery != 0 {
			continue
		}
		open := slices.DeleteFunc(slices.Clone(suspects), func(s *suspect) bool { return s.latest > i || len(s.found) > 0 })
		if len(open) == 0 {
			continue
		}
		err := d.trail.Between(ctx, before, n, func(f git.File) error {
			if changes++; changes > maxChanges {
				return errTooManyChanges
			}
			if delete(files, f.Path); !f.Gone && (wanted[path.Base(f.Path)] || wanted[string(f.Blob[:])]) {
				files[f.Path] = f.Blob
			}
			return nil
		})
		if err != nil {
			return err
		}
		before = n
		paths := slices.Sorted(maps.Keys(files))
		err = d.Each(ctx, len(open), func(w *examine.Worker, i int) error { return d.searchState(ctx, w, open[i], paths, files) })
		if err != nil {
			return err
		}
	}
	return nil
}

// searchState searches the files of a state for a region.
func (d *dater) searchState(ctx context.Context, w *examine.Worker, s *suspect, paths []string, files map[string]git.Hash) error {
	for _, p := range paths {
		blob := files[p]
		has := s.wanted[string(blob[:])]
		q := query{path: p, until: s.commit, regions: []*region{s.region}}
		if !has && s.wanted[path.Base(p)] && !s.seen[blob] && len(s.seen) < maxNamesakes {
			s.seen[blob] = true
			shares, err := d.measurer(ctx, w, q)(record{blob: blob})
			if err != nil {
				return err
			}
			has = shares != nil && shares[0] >= trace.Most
		}
		if has {
			s.found = append(s.found, q)
		}
	}
	return ctx.Err()
}
