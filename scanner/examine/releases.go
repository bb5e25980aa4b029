package examine

import (
	"slices"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/match"
	"github.com/git-provenance/git-provenance/scanner/trace"
	"github.com/git-provenance/git-provenance/scanner/versions"
)

// firsts says for each package of some occurrences when it first had their region, as
// far as the versions in the baselines tell. Versions in which it was not found count
// as without it until past.Directions looks into them.
func (s *Examiner) firsts(occurrences []occurrence) (map[string]*finding.Interval, error) {
	has := map[string][]occurrence{}
	for _, p := range occurrences {
		if p.share >= trace.Most {
			key := purl.Series(p.PURL)
			has[key] = append(has[key], p)
		}
	}
	all, err := s.releases()
	if err != nil {
		return nil, err
	}
	out := map[string]*finding.Interval{}
	for key, ps := range has {
		out[key] = firstOf(ps, all[key])
	}
	return out, nil
}

// firstOf bounds when a package first had what some of its versions have.
func firstOf(has []occurrence, all Releases) *finding.Interval {
	var seen []versions.Sighting
	known := map[string]bool{}
	for _, p := range has {
		if !known[p.PURL] {
			known[p.PURL] = true
			seen = append(seen, versions.Sighting{PURL: p.PURL, Present: true, Time: versions.Plausible(p.Released, time.Time{})})
		}
	}
	for _, r := range all.Whole {
		if !known[r.PURL] {
			seen = append(seen, r)
		}
	}
	return all.bound(seen)
}

// bound makes an interval of sightings, nil where none that has the region has a date.
func (all Releases) bound(seen []versions.Sighting) *finding.Interval {
	present, absent, _ := versions.Since(seen, all.Released)
	if present.Time.IsZero() {
		return nil
	}
	in := &finding.Interval{Present: &finding.Point{PURL: present.PURL, Time: finding.UTC(present.Time)}, From: finding.FromBaseline}
	if all.Released == nil {
		in.Note = "its versions are dated in an order that releases do not have"
	}
	if absent.PURL != "" {
		in.Absent = &finding.Point{PURL: absent.PURL, Time: finding.UTC(absent.Time)}
	}
	return in
}

// Releases are the versions of a package that the baselines have, all major
// versions of a Go module being one package.
type Releases struct {
	Whole    []versions.Sighting // those of which all is there, not looked into yet
	Released map[string]time.Time
}

// listReleases lists the versions of each package of the baselines.
func (s *Examiner) listReleases() (map[string]Releases, error) {
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
	out := map[string]Releases{}
	for key := range all {
		out[key] = Releases{whole[key], versions.Releases(all[key])}
	}
	return out, nil
}

// looseLines is how many lines at either end can belong to a match by accident:
// they come and go with what stands next to the region.
const looseLines = 3

// trace is what the region of tokens from up to to is known by in the next version of the file.
func (s Stream) trace(from, to uint32) trace.Trace {
	starts := slices.DeleteFunc(s.lineStarts(from, to), func(i int) bool { return i > edge })
	ends := slices.DeleteFunc(s.lineEnds(from, to), func(i int) bool { return int(to-from)-i > edge })
	return trace.Of(s.Text, s.Tokens[from:to], starts, ends)
}

// signature is what the region that runs share with a document is known by in older contents.
func (s Stream) signature(d *doc, runs []match.Run) *trace.Signature {
	var sig trace.Signature
	for _, r := range runs {
		if r.Len >= trace.Gram {
			sig.Add(trace.SideOf(s.Text, s.Tokens[r.Target:r.Target+r.Len]), trace.SideOf(d.text, d.tokens.Slice(r.Origin, r.Origin+r.Len)))
		}
	}
	return &sig
}

// lineStarts lists the offsets of the first tokens of the first lines.
func (s Stream) lineStarts(from, to uint32) []int {
	at := []int{0}
	for i := from + 1; i < to && len(at) <= looseLines; i++ {
		if s.begins(i) {
			at = append(at, int(i-from))
		}
	}
	return at
}

// lineEnds lists the offsets behind the last tokens of the last lines.
func (s Stream) lineEnds(from, to uint32) []int {
	at := []int{int(to - from)}
	for i := to - 1; i > from && len(at) <= looseLines; i-- {
		if s.begins(i) {
			at = append(at, int(i-from))
		}
	}
	return at
}
