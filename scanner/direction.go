package scanner

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// The directions of a finding: which side had the region first.
const (
	DirectionFrom    = "from"
	DirectionTo      = "to"
	DirectionUnknown = "unknown"
)

// Direct works out from the dates of a finding which side had the region first,
// and says why. It is the origin if its package had it before the target can have
// had it; the target if that had it while the package still lacked it. All else
// is unknown. It follows the origin that is shown first. Of the others, those
// that have most of the region can speak against the target being first.
func Direct(f *Finding) {
	f.Direction, f.DirectionReason = DirectionUnknown, ""
	if len(f.Origins) == 0 {
		return
	}
	f.Direction = f.against(&f.Origins[0])
	reason := f.hereWords() + ", " + f.Origins[0].thereWords()
	if i := slices.IndexFunc(f.Origins, func(o Origin) bool { return o.Similarity >= sameRegion && f.against(&o) == DirectionFrom }); i > 0 && f.Direction != DirectionFrom {
		f.Direction = DirectionUnknown
		reason += "; " + purl.Name(f.Origins[i].PURL) + " has it " + f.Origins[i].thereTime()
	}
	f.DirectionReason = reason
}

// against compares a finding's dates with those of one origin.
func (f *Finding) against(o *Origin) string {
	first := o.since()
	if t := point(first.Present); t != nil {
		if earliest, now := f.earliest(); now || earliest != nil && t.Before(*earliest) {
			return DirectionFrom
		}
	}
	if t, latest := point(first.Absent), f.latest(); t != nil && latest != nil && latest.Before(*t) {
		return DirectionTo
	}
	return DirectionUnknown
}

func point(p *Point) *time.Time {
	if p == nil {
		return nil
	}
	return p.Time
}

// since is when the origin's package first had the region, as far as is known: if
// nothing else, the version that was found has it.
func (o *Origin) since() Interval {
	switch {
	case o.First != nil:
		return *o.First
	case o.Released != nil:
		return Interval{Present: &Point{PURL: o.PURL, Time: o.Released}}
	}
	return Interval{}
}

// earliest is a time before which the target did not have the region, nil where
// none is known; now tells that no commit has it yet. A commit says when it was
// written; where that contradicts the commits around it, only that its parent had
// not got the region is certain.
func (f *Finding) earliest() (t *time.Time, now bool) {
	here, in := f.Here, f.Introduced
	switch {
	case here == nil && in != nil:
		return &in.Time, false
	case here == nil:
		return nil, false
	case in == nil:
		return nil, here.Present == nil && here.Absent != nil
	}
	by := point(here.Present)
	if by != nil && !in.Time.After(*by) {
		return &in.Time, false
	}
	before := point(here.Absent)
	if before != nil && in.Time.Before(*before) {
		return &in.Time, false
	}
	return before, false
}

// latest is a time at which the target had the region for certain.
func (f *Finding) latest() *time.Time {
	switch {
	case f.Here != nil:
		return point(f.Here.Present)
	case f.Introduced != nil:
		return &f.Introduced.Time
	}
	return nil
}

// hereWords says since when the target has the region.
func (f *Finding) hereWords() string {
	earliest, now := f.earliest()
	by := f.latest()
	words := ""
	switch {
	case now:
		return notCommitted + " here"
	case f.Here == nil && f.Introduced == nil:
		return "no history here to date it by"
	case earliest != nil && f.Introduced != nil && earliest.Equal(f.Introduced.Time):
		words = "here since " + day(*earliest)
	case earliest != nil && by != nil:
		words = "here after " + day(*earliest) + ", by " + day(*by)
	case earliest != nil:
		words = "here after " + day(*earliest)
	case by != nil:
		words = "here by " + day(*by)
	default:
		words = "here, since when is not known"
	}
	if f.Here != nil && f.Here.Note != "" {
		words += " (" + f.Here.Note + ")"
	}
	return words
}

// thereWords says since when the origin's package has the region.
func (o *Origin) thereWords() string {
	first := o.since()
	words := "there " + o.thereTime()
	if first.Absent != nil && first.Absent.PURL != "" {
		words += ", absent from " + purl.Version(first.Absent.PURL)
	}
	if first.Note != "" {
		words += " (" + first.Note + ")"
	}
	return words
}

func (o *Origin) thereTime() string {
	first := o.since()
	absent, present := point(first.Absent), point(first.Present)
	switch {
	case absent != nil && present != nil:
		return "after " + day(*absent) + ", by " + day(*present)
	case absent != nil:
		return "after " + day(*absent)
	case present != nil:
		return "by " + day(*present)
	}
	return "since when is not known"
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// firsts says for each package of some places when it first had their region, as
// far as the versions in the baselines tell: by the release of the oldest that has
// most of it; after that of the newest older one, which lacks it.
func (s *Scanner) firsts(places []place) (map[string]*Interval, error) {
	has := map[string][]place{}
	for _, p := range places {
		if p.share >= mostOf {
			key := purl.Key(p.PURL)
			has[key] = append(has[key], p)
		}
	}
	releases, err := s.releases()
	if err != nil {
		return nil, err
	}
	out := map[string]*Interval{}
	for key, ps := range has {
		out[key] = firstOf(ps, releases[key])
	}
	return out, nil
}

// firstOf bounds when a package first had what some of its versions have. all are
// its versions with a date, oldest first. A version without a date may be older
// than any.
func firstOf(has []place, all []release) *Interval {
	oldest, undated := has[0], false
	for _, p := range has {
		undated = undated || p.Released.IsZero()
		if cmp.Or(compareAge(p.Released, oldest.Released), compareVersion(p.PURL, oldest.PURL)) < 0 {
			oldest = p
		}
	}
	if oldest.Released.IsZero() {
		return nil
	}
	in := &Interval{Present: &Point{PURL: oldest.PURL, Time: pointer(oldest.Released)}, From: "baseline"}
	for _, r := range all {
		if undated || !r.Released.Before(oldest.Released) {
			break
		}
		in.Absent = &Point{PURL: r.PURL, Time: pointer(r.Released)}
	}
	return in
}

// release is one of a package of a baseline.
type release struct {
	PURL     string
	Released time.Time
}

// listReleases lists the versions of each package of the baselines that have a
// date, oldest first.
func (s *Scanner) listReleases() (map[string][]release, error) {
	out := map[string][]release{}
	for _, b := range s.bases {
		pkgs, err := b.Packages()
		if err != nil {
			return nil, err
		}
		for _, p := range pkgs {
			if !p.Released.IsZero() {
				key := purl.Key(p.PURL)
				out[key] = append(out[key], release{p.PURL, p.Released})
			}
		}
	}
	for _, rs := range out {
		slices.SortFunc(rs, func(a, b release) int {
			return cmp.Or(a.Released.Compare(b.Released), strings.Compare(a.PURL, b.PURL))
		})
	}
	return out, nil
}
