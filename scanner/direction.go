package scanner

import (
	"slices"
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
	if first.Shared {
		return DirectionUnknown
	}
	margin := first.margin()
	if t := point(first.Present); t != nil {
		if earliest, now := f.earliest(); now || earliest != nil && t.Add(margin).Before(*earliest) {
			return DirectionFrom
		}
	}
	if t, latest := first.after(), f.latest(); t != nil && latest != nil && latest.Add(margin).Before(*t) {
		return DirectionTo
	}
	return DirectionUnknown
}

// margin is by how much dates of commits on both sides must differ to tell anything.
func (in *Interval) margin() time.Duration {
	if in.From == fromHistory {
		return skew
	}
	return 0
}

// after is a time up to which the side of the interval had nothing of the region.
func (in *Interval) after() *time.Time {
	t := point(in.Absent)
	if t == nil || in.Written != nil && in.Written.After(*t) {
		t = in.Written
	}
	return in.begun(t)
}

// begun moves a time back to when the side had half of the region.
func (in *Interval) begun(t *time.Time) *time.Time {
	switch {
	case t == nil || in.Half == nil:
		return t
	case in.Half.Time == nil || in.Half.Time.Before(*t):
		return in.Half.Time
	}
	return t
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
	t, now = f.entered()
	if f.Here != nil {
		t = f.Here.begun(t)
	}
	return t, now
}

// entered is earliest, of most of the region.
func (f *Finding) entered() (t *time.Time, now bool) {
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
	earliest, now := f.entered()
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
	if f.Here != nil {
		words += f.Here.growth()
	}
	if f.Here != nil && f.Here.Note != "" {
		words += " (" + f.Here.Note + ")"
	}
	return words
}

// growth says since when a side has half of the region, if that is earlier.
func (in *Interval) growth() string {
	half, most := point(in.Half), in.Written
	if most == nil {
		most = point(in.Present)
	}
	if half == nil || most == nil || !half.Add(skew).Before(*most) {
		return ""
	}
	return ", half of it since " + day(*half)
}

// thereWords says since when the origin's package has the region.
func (o *Origin) thereWords() string {
	first := o.since()
	words := "there " + o.thereTime()
	if first.Written != nil && first.Present != nil && first.Present.PURL != "" {
		words += ", released in " + purl.Version(first.Present.PURL)
	}
	words += first.growth()
	if first.Absent != nil && first.Absent.PURL != "" {
		words += ", absent from " + purl.Version(first.Absent.PURL)
	}
	if first.Note != "" {
		words += " (" + first.Note + ")"
	}
	if first.Shared {
		words += "; shared history: both repositories have the commit that brought it"
	}
	return words
}

func (o *Origin) thereTime() string {
	first := o.since()
	absent, present := point(first.Absent), point(first.Present)
	switch {
	case first.Written != nil:
		return "since " + day(*first.Written)
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
// far as the versions in the baselines tell. Versions in which it was not found count
// as without it until [Scanner.directions] looks into them.
func (s *Scanner) firsts(places []place) (map[string]*Interval, error) {
	has := map[string][]place{}
	for _, p := range places {
		if p.share >= mostOf {
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

// The values of Interval.From that are told apart here.
const (
	fromBaseline = "baseline" // the versions in the baselines
	fromHistory  = "history"  // of a repository
)

// firstOf bounds when a package first had what some of its versions have.
func firstOf(has []place, all releases) *Interval {
	var seen []Sighting
	known := map[string]bool{}
	for _, p := range has {
		if !known[p.PURL] {
			known[p.PURL] = true
			seen = append(seen, Sighting{PURL: p.PURL, Present: true, Time: Plausible(p.Released, time.Time{})})
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
func (all releases) bound(seen []Sighting) *Interval {
	present, absent, _ := Since(seen, all.released)
	if present.Time.IsZero() {
		return nil
	}
	in := &Interval{Present: &Point{PURL: present.PURL, Time: pointer(present.Time)}, From: fromBaseline}
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
	whole    []Sighting // those of which all is there, not looked into yet
	released map[string]time.Time
}

// listReleases lists the versions of each package of the baselines.
func (s *Scanner) listReleases() (map[string]releases, error) {
	whole, all := map[string][]Sighting{}, map[string][]Sighting{}
	for _, b := range s.bases {
		pkgs, err := b.Packages()
		if err != nil {
			return nil, err
		}
		for _, p := range pkgs {
			key := purl.Series(p.PURL)
			r := Sighting{PURL: p.PURL, Time: Plausible(p.Released, time.Time{})}.ordered()
			all[key] = append(all[key], r)
			if Whole(p) {
				whole[key] = append(whole[key], r)
			}
		}
	}
	out := map[string]releases{}
	for key := range all {
		out[key] = releases{whole[key], Releases(all[key])}
	}
	return out, nil
}
