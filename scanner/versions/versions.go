// Package versions tells, by which versions of a package were seen to have a region, since when it has it.
package versions

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"golang.org/x/mod/semver"
)

// Sighting is what looking for a region in one version of a package came to.
type Sighting struct {
	PURL    string    `json:"purl"`
	Present bool      `json:"present"`
	Pieces  bool      `json:"pieces,omitempty"` // has most of it in short runs: it is neither present nor absent
	Time    time.Time `json:"time,omitzero"`

	order string // of its PURL, once worked out
}

// Ordered works out the number of a version.
func (o Sighting) Ordered() Sighting {
	if o.order == "" {
		o.order = purl.Order(o.PURL)
	}
	return o
}

// compareNumber orders two versions that have numbers.
func compareNumber(a, b Sighting) int {
	return cmp.Or(semver.Compare(a.order, b.order), strings.Compare(a.PURL, b.PURL))
}

// Older orders two versions of a package by their numbers, else by their dates.
func Older(a, b Sighting) bool {
	a, b = a.Ordered(), b.Ordered()
	if a.order != "" && b.order != "" {
		return compareNumber(a, b) < 0
	}
	return !a.Time.IsZero() && a.Time.Before(b.Time)
}

// Since tells by sightings when a package first had a region. present is the
// earliest version, by date, that has it; without dates the lowest. absent is the
// latest that has not got it and is older than any that has, by number and by date:
// a release line beside the one that has it tells nothing, nor does one that was
// published anew. late is older by number only. released has their dates as far as they can be
// relied on: see Releases.
func Since(seen []Sighting, released map[string]time.Time) (present, absent, late Sighting) {
	var lowest Sighting // by number
	undated, loose := false, false
	for _, o := range seen {
		if o = o.Ordered(); !o.Present {
			continue
		}
		undated, loose = undated || o.Time.IsZero(), loose || o.Time.IsZero() && o.order == ""
		if o.order != "" && (lowest.PURL == "" || compareNumber(o, lowest) < 0) {
			lowest = o
		}
		if present.PURL == "" || cmp.Or(CompareAge(o.Time, present.Time), compareNumber(o, present)) < 0 {
			present = o
		}
	}
	for _, o := range seen {
		o = o.Ordered()
		lower := o.order != "" && (lowest.PURL == "" || compareNumber(o, lowest) < 0)
		if o.Present || o.Pieces || loose || !lower && (o.order != "" || undated) {
			continue
		}
		if o.order != "" {
			o.Time = released[o.PURL]
		}
		switch {
		case o.Time.IsZero() || present.Time.IsZero() || !o.Time.Before(present.Time):
			late = o
		case o.Time.After(absent.Time) || o.Time.Equal(absent.Time) && Older(absent, o):
			absent = o
		}
	}
	return present, absent, late
}

// Releases says when versions of a package were released, as far as their dates can
// be that. One that is younger than a higher release is the date of a backport or of
// a copy. Where the patches of one minor version are out of order again and again,
// the registry dates copies, and none of its dates is a release's.
func Releases(all []Sighting) map[string]time.Time {
	var sorted []Sighting
	for _, o := range all {
		if o = o.Ordered(); o.order != "" && !o.Time.IsZero() {
			sorted = append(sorted, o)
		}
	}
	slices.SortStableFunc(sorted, func(a, b Sighting) int { return compareNumber(b, a) })
	out := make(map[string]time.Time, len(sorted))
	var by, next Sighting // the earliest of the higher releases, and the next one
	pairs, turned := 0, 0
	for _, o := range sorted {
		if by.PURL == "" || !o.Time.After(by.Time) {
			out[o.PURL] = o.Time
		}
		if semver.Prerelease(o.order) != "" || o.PURL == next.PURL {
			continue
		}
		if next.PURL != "" && semver.MajorMinor(o.order) == semver.MajorMinor(next.order) {
			pairs++
			if o.Time.After(next.Time) {
				turned++
			}
		}
		if next = o; by.PURL == "" || o.Time.Before(by.Time) {
			by = o
		}
	}
	if turned >= 2 && maxTurned*turned > pairs {
		return nil
	}
	return out
}

// maxTurned is one in how many patches may be older than the one before it.
const maxTurned = 10

// firstGo is before any registry or version control of today; a date before it
// comes from a clock that was wrong.
var firstGo = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)

// Plausible returns a date, or none if it cannot be, now being known or zero.
func Plausible(t, now time.Time) time.Time {
	if t.Before(firstGo) || !now.IsZero() && t.After(now) {
		return time.Time{}
	}
	return t.UTC()
}

// Whole reports whether a package of a baseline is all of its version. Of what the
// Go command copies into a vendor folder that is not so, nor of what npm installs
// as long as nobody checked it.
func Whole(p baseline.Package) bool {
	return strings.HasPrefix(p.From, "$GO") || strings.HasPrefix(p.From, "http") || !Fetchable(p.PURL)
}

// Fetchable reports whether a registry can be asked for a package.
func Fetchable(name string) bool {
	u, err := purl.Parse(name)
	return err == nil && purl.Fetchable(u) == nil
}

// CompareAge puts the older first and the unknown last.
func CompareAge(a, b time.Time) int {
	switch {
	case a.IsZero() == b.IsZero():
		return a.Compare(b)
	case a.IsZero():
		return 1
	}
	return -1
}
