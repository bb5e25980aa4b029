// Package versions finds since when a package has a region. Its input is versions with the region or without it, with their
// dates. Its output is the earliest version with it and the latest without it.
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

// Sighting is the result of searching one version of a package for a region.
type Sighting struct {
	PURL    string    `json:"purl"`
	Present bool      `json:"present"`
	Pieces  bool      `json:"pieces,omitempty"` // has part of the region: neither present nor absent
	Time    time.Time `json:"time,omitzero"`
	Packed  time.Time `json:"packed,omitzero"` // day of the latest file in its archive

	order string // order of the PURL; "" until computed
}

// Ordered returns the sighting with its order computed.
func (o Sighting) Ordered() Sighting {
	if o.order == "" {
		o.order = purl.Order(o.PURL)
	}
	return o
}

// compareNumber compares two versions by number.
func compareNumber(a, b Sighting) int {
	return cmp.Or(semver.Compare(a.order, b.order), strings.Compare(a.PURL, b.PURL))
}

// Older reports whether a is older than b: by number, or else by date.
func Older(a, b Sighting) bool {
	a, b = a.Ordered(), b.Ordered()
	if a.order != "" && b.order != "" {
		return compareNumber(a, b) < 0
	}
	return !a.Time.IsZero() && a.Time.Before(b.Time)
}

// Since returns when a package first had a region. present is the earliest version with it, by date, or the lowest if there are
// no dates. absent is the latest version without it that is older, by number and by date, than all versions with it. Release
// lines beside the one with the region, and versions that were published again, do not count. late is older by number only. dates
// are those of all known versions.
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
		case o.Time.IsZero() || present.Time.IsZero() || !o.Time.Before(present.Time) || dates.beside(o, lowest) || repacked(o.PURL):
			late = o
		case o.Time.After(absent.Time) || o.Time.Equal(absent.Time) && Older(absent, o):
			absent = o
		}
	}
	return present, absent, late
}

// repacked reports whether the date of a version is that of somebody who packs releases of others, as Debian does, maybe years after them.
// Upstream may have released the next version before that date. So such a version does not show since when a later one exists.
func repacked(name string) bool { return purl.OfDebian(name) }

// Dates holds the dates of the versions of a package that can be relied on.
type Dates struct {
	Released map[string]time.Time // release dates; of other versions the date is not known
	Complete bool                 // Released has all versions that the registry lists
	Copies   bool                 // the registry's dates are those of copies: Released is from the files in the archives
}

// DatesOf returns the dates of versions that can be relied on: those of the registry, or those in the archives if the registry's
// are of copies.
func DatesOf(all []Sighting) Dates {
	if released := Releases(all); released != nil {
		return Dates{Released: released}
	}
	return Dates{Released: Releases(packed(all)), Copies: true}
}

// beside reports whether the major line of b may have begun before a, a version of a lower line, was released. Then a does
// not date what b has.
func (d Dates) beside(a, b Sighting) bool {
	if a.order == "" || b.order == "" || semver.Major(a.order) == semver.Major(b.order) {
		return false
	}
	begun := d.Complete // the first version of b's line is known
	for name, t := range d.Released {
		o := purl.Order(name)
		if semver.Major(o) != semver.Major(b.order) || semver.Compare(o, b.order) > 0 {
			continue
		}
		if t.Before(a.Time) {
			return true
		}
		begun = begun || semver.Compare(o, semver.Major(o)+".0.0") <= 0
	}
	return !begun
}

// Of returns a date by which a version existed.
func (d Dates) Of(o Sighting) time.Time {
	if t, ok := d.Released[o.PURL]; d.Copies && ok {
		return t
	}
	return o.Time
}

// packed dates versions by the files in their archives. A date that two versions share comes from a tool, and a date before that
// of the next lower version from a wrong clock; both are left out.
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

// Releases returns when versions of a package were released, by the dates that are plausible. A date later than that of a higher
// release belongs to a backport or a copy. If the patches of minor versions are often out of order, the registry's dates are of
// copies, and nil is returned.
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

// maxTurned: at most one in this many patches may be older than the one before it.
const maxTurned = 10

// firstGo is a time before all registries and version control systems in use. A date before it comes from a wrong clock.
var firstGo = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)

// Plausible returns a date, or zero if it is before firstGo or after now. now may be zero.
func Plausible(t, now time.Time) time.Time {
	if t.Before(firstGo) || !now.IsZero() && t.After(now) {
		return time.Time{}
	}
	return t.UTC()
}

// Whole reports whether a package of a baseline contains all files of its version. Packages that the Go command copied into a
// vendor directory do not. Packages that npm installed are not counted as whole, because nobody checked them.
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

// CompareAge puts older times first and unknown times last.
func CompareAge(a, b time.Time) int {
	switch {
	case a.IsZero() == b.IsZero():
		return a.Compare(b)
	case a.IsZero():
		return 1
	}
	return -1
}
