package targetdates

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/git"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
)

const (
	// maxChanges limits the changes of files that are looked at for files that were deleted and came back. moby has 370,000 in
	// 57,000 commits.
	maxChanges = 1 << 20
	// maxNamesakes limits the contents of files of one name that are searched for regions.
	maxNamesakes = 1024
)

// The notes for regions that a deleted file may have had before.
var (
	tooManyChanges   = fmt.Sprintf("the history changes files more than %d times, so deleted files were not searched for it", maxChanges)
	tooManyNamesakes = fmt.Sprintf("not more than %d older contents of files of its name were searched for it", maxNamesakes)
)

// errTooManyChanges ends a walk.
var errTooManyChanges = errors.New(tooManyChanges)

// pathRecord is a content that a commit gave to a path that is not being followed.
type pathRecord struct {
	record
	path string
}

// elsewhere searches the whole history for regions that would accuse the target: a file can be deleted and come back at another
// path, which no commit shows as a rename. Only commits from which the answer could change are read. A file counts if it had the
// same content, or has the name of the region's file or of the origin's.
func (d *dater) elsewhere(ctx context.Context, regions []*region) error {
	accused := d.accusedOf(regions)
	if len(accused) == 0 || len(d.trail.Order()) == 0 {
		return nil
	}
	if err := d.states(ctx, accused); err != nil {
		return err
	}
	if accused = d.accusedOf(accused); len(accused) == 0 {
		return nil
	}
	met, err := d.namesakes(ctx, accused)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, r := range accused {
		switch {
		case errors.Is(err, errTooManyChanges):
			r.limit = tooManyChanges
		case err != nil:
			r.unread = true
		}
	}
	for _, name := range []func(*region) string{(*region).name, (*region).originName} {
		if err := d.searchByName(ctx, accused, name, met); err != nil {
			return err
		}
	}
	dated := slices.DeleteFunc(accused, func(r *region) bool { return !r.dated })
	d.trail.Every = true // the commits found may be on branches that walks have left out
	qs, err := d.sources(ctx, dated)
	if err != nil {
		return err
	}
	for _, r := range dated {
		qs = append(qs, query{path: r.path, until: r.commit, regions: []*region{r}})
	}
	return d.follow(ctx, merged(qs))
}

// searchByName searches the files of a name for the regions with that name.
func (d *dater) searchByName(ctx context.Context, accused []*region, name func(*region) string, met map[string][]pathRecord) error {
	byName := map[string][]*region{}
	for _, r := range accused {
		if key := name(r) + "\x00" + r.finding.Language; !r.dated {
			byName[key] = append(byName[key], r)
		}
	}
	keys := slices.Sorted(maps.Keys(byName))
	return d.Each(ctx, len(keys), func(w *examine.Worker, i int) error {
		base, _, _ := strings.Cut(keys[i], "\x00")
		return d.searchNamesakes(ctx, w, byName[keys[i]], base, met)
	})
}

// name returns the name of a region's file in the first commit known to have it.
func (r *region) name() string { return path.Base(r.current()) }

// originName returns the name of the origin's file. If the origin has it from the target, files of this name had the region.
func (r *region) originName() string { return path.Base(r.finding.Origins[0].Path) }

// current returns the path of a region in the first commit known to have it.
func (r *region) current() string { return cmp.Or(r.path, r.finding.Path) }

// accusedOf lists the regions that are accused.
func (d *dater) accusedOf(regions []*region) []*region {
	return slices.DeleteFunc(slices.Clone(regions), func(r *region) bool { return !d.accused(r) })
}

// accused reports whether the dates found so far say that the origin had a region first.
func (d *dater) accused(r *region) bool {
	if r.older || r.commit < 0 && d.Gone == nil || len(r.finding.Origins) == 0 {
		return false
	}
	by := r.finding.FirstBy()
	return by != nil && (r.commit < 0 || d.trail.Brief(r.commit).CommitTime.After(*by))
}

// namesakes lists the contents that the history had while it could have been first and that are equal to a region's file, by the
// hash of the content, and those of a file with its name, by the name.
func (d *dater) namesakes(ctx context.Context, accused []*region) (map[string][]pathRecord, error) {
	wanted, last := map[string]bool{}, time.Time{}
	for _, r := range accused {
		r.addNames(wanted)
		last = later(last, *r.finding.FirstBy())
	}
	if err := d.trail.ReadAll(ctx); err != nil {
		return nil, err
	}
	d.clock()
	commits := slices.DeleteFunc(slices.Clone(d.trail.Order()), func(n int32) bool { return d.madeAfter(n, last) })
	slices.Reverse(commits) // objects of later commits lie first in a pack
	met, changes := map[string][]pathRecord{}, 0
	err := d.trail.Changes(ctx, commits, sought(wanted), func(i int32, c *git.Change, n int) error {
		if changes += n; changes > maxChanges {
			return errTooManyChanges
		}
		if c == nil {
			return nil
		}
		for _, key := range []string{string(c.Blob[:]), path.Base(c.Path)} {
			if wanted[key] {
				met[key] = append(met[key], pathRecord{record{i, c.Blob, c.Old, c.HasOld}, c.Path})
			}
		}
		return nil
	})
	for _, list := range met {
		slices.SortFunc(list, func(a, b pathRecord) int {
			return cmp.Or(cmp.Compare(d.rank(a.commit), d.rank(b.commit)), strings.Compare(a.path, b.path))
		})
	}
	return met, err
}

// sought returns the contents and names of addNames in the form that summaries of commits are compared with.
func sought(keys map[string]bool) *git.Wanted {
	w := &git.Wanted{}
	for key := range keys {
		if w.AddName(key); len(key) == len(git.Hash{}) {
			w.AddContent(git.Hash([]byte(key)))
		}
	}
	return w
}

// madeAfter reports whether a commit and all commits that descend from it say that they were made after a time.
func (d *dater) madeAfter(commit int32, t time.Time) bool {
	c := &d.clocks.commits[d.rank(commit)]
	return earlier(c.CommitTime, c.before).After(t)
}

// searchNamesakes searches the contents that namesakes lists under a name for regions.
func (d *dater) searchNamesakes(ctx context.Context, w *examine.Worker, regions []*region, base string, met map[string][]pathRecord) error {
	for _, r := range regions {
		for _, at := range met[string(r.blob[:])] {
			d.metElsewhere(r, at, 1)
		}
	}
	contents, seen := 0, map[git.Hash]bool{}
	for _, at := range met[base] {
		open := slices.DeleteFunc(slices.Clone(regions), func(r *region) bool { return r.dated })
		if len(open) == 0 || contents == maxNamesakes {
			for _, r := range open {
				r.limit = tooManyNamesakes
			}
			return nil
		}
		if seen[at.blob] {
			continue
		}
		seen[at.blob] = true
		contents++
		if err := ctx.Err(); err != nil {
			return err
		}
		shares, err := d.measurer(ctx, w, query{path: at.path, regions: open})(at.record)
		if err != nil {
			return err
		}
		for i, r := range open {
			if r.unread = r.unread || shares == nil; shares != nil {
				d.metElsewhere(r, at, shares[i])
			}
		}
	}
	return nil
}

// metElsewhere records which share of a region another path had before.
func (d *dater) metElsewhere(r *region, at pathRecord, share float64) {
	switch before := r.commit < 0 || d.rank(at.commit) < d.rank(r.commit); {
	case !before || d.madeAfter(at.commit, *r.finding.FirstBy()):
	case share >= trace.Most:
		r.commit, r.path, r.blob, r.half = at.commit, at.path, at.blob, unmet
		r.unsearched, r.limit, r.dated = false, "", true
	case share >= trace.Half && (at.path != r.current() || !d.datesHalf(r)):
		r.half, r.halfAt = uncertain, at.path
	}
}

// datesHalf reports whether the first commit known to have half of a region is so early, or so uncertain, that an earlier content of the
// same file changes nothing.
func (d *dater) datesHalf(r *region) bool {
	half := d.halfPoint(r)
	return half != nil && (half.Time == nil || !half.Time.After(*r.finding.FirstBy()))
}
