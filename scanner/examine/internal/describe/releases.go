package describe

import (
	"sync"
	"time"

	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/examine/internal/region"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/syntax/trace"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// Releases holds the versions of a package in the baselines. All major versions of a Go module are one package.
type Releases struct {
	versions.Dates
	Whole []versions.Sighting // versions whose files are all in the baseline; Present is not set yet
}

// ReleaseCache reads the versions of packages in baselines, and caches them. Safe for concurrent use.
type ReleaseCache struct {
	mu    sync.Mutex
	bases []*baseline.Baseline
	known map[string]Releases
}

// NewReleaseCache returns a cache for baselines.
func NewReleaseCache(bases []*baseline.Baseline) *ReleaseCache {
	return &ReleaseCache{bases: bases, known: make(map[string]Releases)}
}

// Of returns the versions of a package, given its purl.Series. Other packages are not decoded: to decode all of them takes longer
// than a scan of a few files.
func (rs *ReleaseCache) Of(key string) (Releases, error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if r, ok := rs.known[key]; ok {
		return r, nil
	}
	var whole, all []versions.Sighting
	for _, b := range rs.bases {
		pkgs, err := b.PackagesOf(key)
		if err != nil {
			return Releases{}, err
		}
		for _, p := range pkgs {
			if purl.Series(p.PURL) != key {
				continue
			}
			r := versions.Sighting{PURL: p.PURL, Time: versions.Plausible(p.Released, time.Time{}), Packed: p.Packed}.Ordered()
			all = append(all, r)
			if versions.Whole(p) {
				whole = append(whole, r)
			}
		}
	}
	r := Releases{Dates: versions.DatesOf(all), Whole: whole}
	for i := range r.Whole {
		if r.Copies {
			r.Whole[i].Time = r.Released[r.Whole[i].PURL]
		}
	}
	rs.known[key] = r
	return r, nil
}

// firsts returns, for each package of some occurrences, when it first had their region, as far as the baselines' versions show.
// Versions without a match count as versions without the region until targetdates.Directions reads them.
func (rs *ReleaseCache) firsts(occurrences []region.Occurrence) (map[string]*finding.Interval, error) {
	has := map[string][]region.Occurrence{}
	for _, p := range occurrences {
		if p.Share >= trace.Most {
			key := purl.Series(p.PURL)
			has[key] = append(has[key], p)
		}
	}
	out := map[string]*finding.Interval{}
	for key, ps := range has {
		all, err := rs.Of(key)
		if err != nil {
			return nil, err
		}
		out[key] = firstOf(ps, all)
	}
	return out, nil
}

// firstOf bounds the time at which a package first had the region, given the occurrences that have it.
func firstOf(has []region.Occurrence, all Releases) *finding.Interval {
	var seen []versions.Sighting
	known := map[string]bool{}
	for _, p := range has {
		if !known[p.PURL] {
			known[p.PURL] = true
			o := versions.Sighting{PURL: p.PURL, Present: true, Time: versions.Plausible(p.Released, time.Time{})}
			o.Time = all.Dates.Of(o)
			seen = append(seen, o)
		}
	}
	for _, r := range all.Whole {
		if !known[r.PURL] {
			seen = append(seen, r)
		}
	}
	return all.bound(seen)
}

// bound turns sightings into an interval. It returns nil if no sighting with the region has a date.
func (all Releases) bound(seen []versions.Sighting) *finding.Interval {
	present, absent, _ := versions.Since(seen, all.Dates)
	if present.Time.IsZero() {
		return nil
	}
	in := &finding.Interval{Present: &finding.Point{PURL: present.PURL, Time: finding.UTC(present.Time)}, From: finding.FromBaseline}
	switch _, packed := all.Released[present.PURL]; {
	case all.Copies && packed:
		in.Note = "dated by the files in its archives: the registry dates copies"
	case all.Copies:
		in.Note = "its versions are dated in an order that releases do not have"
	}
	if absent.PURL != "" {
		in.Absent = &finding.Point{PURL: absent.PURL, Time: finding.UTC(absent.Time)}
	}
	return in
}
