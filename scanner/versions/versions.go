// Package versions tells since when a package has a region. Versions that were seen with it or without it flow in, with
// their dates; the earliest that has it and the latest that has not flow out.
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
	Pieces  bool      `json:"pieces,omitempty"` // has part of it: it is neither present nor absent
	Time    time.Time `json:"time,omitzero"`
	Packed  time.Time `json:"packed,omitzero"` // day of the latest file in its archive

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

// Since tells by sightings when a package first had a region. present is the earliest
// version, by date, that has it; without dates the lowest. absent is the latest without it
// that is older than any that has it, by number and by date. A release line beside the one
// that has it tells nothing, nor does a version that was published anew. late is older by
// number only. The dates are those of all versions known.
func Since(seen []Sighting, dates Dates) (present, absent, late Sighting) {
	var lowest Sighting // by number
	undated, loose := false, false
	for _, o := range seen {
		if o = o.Ordered(); !o.Present {
			continue
		}
		o.Time = dates.Of(o)
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
			o.Time = dates.Released[o.PURL]
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

// Dates are those of the versions of a package, as far as they can be relied on.
type Dates struct {
	Released map[string]time.Time // when versions were released; of others it is not known
	Copies   bool                 // the registry dates copies: Released comes from the files in the archives
}

// DatesOf finds out which dates of versions can be relied on: those of the registry, or
// those in the archives if the registry's are of copies.
func DatesOf(all []Sighting) Dates {
	if released := Releases(all); released != nil {
		return Dates{Released: released}
	}
	return Dates{Released: Releases(packed(all)), Copies: true}
}

// Of is a date by which a version was there.
func (d Dates) Of(o Sighting) time.Time {
	if t, ok := d.Released[o.PURL]; d.Copies && ok {
		return t
	}
	return o.Time
}

// packed dates versions by the files in their archives. A date that two versions have
// is that of a tool, and one before that of the version below is a clock's that was wrong.
func packed(all []Sighting) (out []Sighting) {
	names := make(map[time.Time]string)
	var sorted []Sighting
	for _, o := range all {
		if o = o.Ordered(); o.order == "" || o.Packed.IsZero() {
			continue
		}
		if name, ok := names[o.Packed]; ok && name != o.PURL {
			names[o.Packed] = ""
			continue
		}
		names[o.Packed] = o.PURL
		sorted = append(sorted, o)
	}
	slices.SortStableFunc(sorted, compareNumber)
	for i, o := range sorted {
		if names[o.Packed] == o.PURL && (i == 0 || !o.Packed.Before(sorted[i-1].Packed)) {
			o.Time = o.Packed
			out = append(out, o)
		}
	}
	return out
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

// Clonable reports whether the repository of a package can be found by its name, its registry or its archive.
func Clonable(name string) bool {
	u, err := purl.Parse(name)
	return err == nil && (purl.Fetchable(u) == nil || purl.Hosts[u.Type] != "" || slices.Contains([]string{"pypi", "cargo", purl.TypeSwift}, u.Type))
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
