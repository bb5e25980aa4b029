package scanner

import (
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/trace"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// firsts says for each package of some places when it first had their region, as
// far as the versions in the baselines tell. Versions in which it was not found count
// as without it until [Scanner.directions] looks into them.
func (s *Scanner) firsts(places []place) (map[string]*Interval, error) {
	has := map[string][]place{}
	for _, p := range places {
		if p.share >= trace.Most {
			key := purl.Series(p.PURL)
			has[key] = append(has[key], p)
		}
	}
	all, err := s.releases()
	if err != nil {
		return nil, err
	}
	out := map[string]*Interval{}
	for key, ps := range has {
		out[key] = firstOf(ps, all[key])
	}
	return out, nil
}

// firstOf bounds when a package first had what some of its versions have.
func firstOf(has []place, all releases) *Interval {
	var seen []Sighting
	known := map[string]bool{}
	for _, p := range has {
		if !known[p.PURL] {
			known[p.PURL] = true
			seen = append(seen, versions.Sighting{PURL: p.PURL, Present: true, Time: versions.Plausible(p.Released, time.Time{})})
		}
	}
	for _, r := range all.whole {
		if !known[r.PURL] {
			seen = append(seen, r)
		}
	}
	return all.bound(seen)
}

// bound makes an interval of sightings, nil where none that has the region has a date.
func (all releases) bound(seen []versions.Sighting) *Interval {
	present, absent, _ := versions.Since(seen, all.released)
	if present.Time.IsZero() {
		return nil
	}
	in := &Interval{Present: &Point{PURL: present.PURL, Time: pointer(present.Time)}, From: FromBaseline}
	if all.released == nil {
		in.Note = "its versions are dated in an order that releases do not have"
	}
	if absent.PURL != "" {
		in.Absent = &Point{PURL: absent.PURL, Time: pointer(absent.Time)}
	}
	return in
}

// releases are the versions of a package that the baselines have, all major
// versions of a Go module being one package.
type releases struct {
	whole    []versions.Sighting // those of which all is there, not looked into yet
	released map[string]time.Time
}

// listReleases lists the versions of each package of the baselines.
func (s *Scanner) listReleases() (map[string]releases, error) {
	whole, all := map[string][]versions.Sighting{}, map[string][]versions.Sighting{}
	for _, b := range s.bases {
		pkgs, err := b.Packages()
		if err != nil {
			return nil, err
		}
		for _, p := range pkgs {
			key := purl.Series(p.PURL)
			r := versions.Sighting{PURL: p.PURL, Time: versions.Plausible(p.Released, time.Time{})}.Ordered()
			all[key] = append(all[key], r)
			if versions.Whole(p) {
				whole[key] = append(whole[key], r)
			}
		}
	}
	out := map[string]releases{}
	for key := range all {
		out[key] = releases{whole[key], versions.Releases(all[key])}
	}
	return out, nil
}
